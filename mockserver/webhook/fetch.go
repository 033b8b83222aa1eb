package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

const (
	maxFile      = 10 << 20
	maxRedirects = 3
)

var (
	errTooLarge  = errors.New("the file is larger than 10 MiB")
	errRedirects = errors.New("more than 3 redirects")
)

// fetch downloads a file. There is a file when there is no error.
func (s *Sender) fetch(ctx context.Context, address string) tape.Fetch {
	f := tape.Fetch{URL: shown(address)}
	ctx, cancel := context.WithTimeout(fresh(ctx), s.opts.FetchTimeout)
	defer cancel()
	if err := s.download(ctx, address, &f); err != nil {
		f.Error = s.toldFetch(err)
	}
	return f
}

func (s *Sender) toldFetch(err error) string {
	for _, known := range []error{errTooLarge, errRedirects, errScheme, errAddress, errUser, errPart, errLong} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	var wrapped *url.Error // repeats the address
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if strings.HasPrefix(err.Error(), "failed to parse Location header") {
		return "redirect to an address that cannot be understood"
	}
	return explain(err, s.opts.FetchTimeout)
}

func (s *Sender) download(ctx context.Context, address string, f *tape.Fetch) error {
	u, err := parseTarget(address)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return errAddress
	}
	req.Header.Set(headerAgent, "paysandbox/"+s.opts.Version)
	client := http.Client{Transport: s.kept, CheckRedirect: follow}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f.Status, f.ContentType = resp.StatusCode, printable(resp.Header.Get(headerType), keptValue)
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		f.Error = "the server answered " + strconv.Itoa(resp.StatusCode)
		return nil
	}
	return keep(f, resp)
}

// follow lets a redirect be followed, whose address the dialer judges.
func follow(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errRedirects
	}
	req.URL.Fragment, req.URL.RawFragment = "", "" // of the page that a browser would show
	if _, err := parseTarget(req.URL.String()); err != nil {
		return err
	}
	req.Header.Del("Referer") // the address may hold a secret
	return nil
}

// keep reads the file, unless it is too large.
func keep(f *tape.Fetch, resp *http.Response) error {
	if resp.ContentLength > maxFile {
		return errTooLarge
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxFile+1))
	if err != nil {
		return err
	}
	if len(body) > maxFile {
		return errTooLarge
	}
	digest := sha256.Sum256(body)
	f.Body, f.Size, f.SHA256 = body, int64(len(body)), hex.EncodeToString(digest[:])
	return nil
}
