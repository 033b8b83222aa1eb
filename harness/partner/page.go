package partner

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// Visitor is a payer or a company with a browser that runs no scripts: it opens the
// service's pages and sends their forms.
type Visitor struct {
	// HTTP makes the calls; nil means http.DefaultClient.
	HTTP *http.Client
}

// Page is what a visitor sees.
type Page struct {
	Answer
	// Address is where the page lies.
	Address *url.URL
	// Away is the address on another host, or of another scheme, to which the visitor
	// was sent from here; empty when there is none.
	Away string
}

// Open opens an address.
func (v *Visitor) Open(ctx context.Context, address string) (*Page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	return v.visit(req)
}

// Submit sends the form of a page: the fields, and what the page has hidden in it.
func (v *Visitor) Submit(ctx context.Context, p *Page, fields url.Values) (*Page, error) {
	f, err := p.Form()
	if err != nil {
		return nil, err
	}
	sent := f.Hidden
	for name := range fields {
		sent.Set(name, fields.Get(name))
	}
	return v.Send(ctx, f.Action, FormMedia, sent.Encode())
}

// Send sends a body of a media type, as no form of the service's pages would.
func (v *Visitor) Send(ctx context.Context, to *url.URL, media, body string) (*Page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", media)
	return v.visit(req)
}

// visit follows redirects as long as they stay with the service.
func (v *Visitor) visit(req *http.Request) (*Page, error) {
	client := http.Client{CheckRedirect: func(next *http.Request, _ []*http.Request) error {
		if next.URL.Host != req.URL.Host {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	if v.HTTP != nil {
		client.Transport, client.Timeout = v.HTTP.Transport, v.HTTP.Timeout
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	a, err := read(res)
	if err != nil {
		return nil, err
	}
	if at := hollow().FindIndex(a.Body); at != nil {
		return nil, fmt.Errorf("%w: %s in %s", errHollow, a.Body[at[0]:at[1]], shown(a.Body))
	}
	return &Page{Answer: *a, Address: res.Request.URL, Away: res.Header.Get("Location")}, nil
}

var errHollow = errors.New("the page leaves something out")

var (
	// hollow is what says nothing: an element without content, or an attribute without a
	// value. A field may be empty.
	hollow = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<(?:title|h\d|p|li|dt|dd|th|td|label|legend|button|a|option|strong|span|small)(?:\s[^>]*)?>\s*</|` +
			`\s(?:id|data-testid|name|href|action|method|type|for|lang|alt|title|content|aria-label)=""`)
	})
	unread = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)<(style|script|head)[ >].*?</(style|script|head)>|<[^>]*>`)
	})
)

// Part is the text of the part that the page calls by this name.
func (p *Page) Part(name string) (string, error) {
	m := regexp.MustCompile(`data-testid="` + regexp.QuoteMeta(name) + `"[^>]*>([^<]*)<`).FindStringSubmatch(string(p.Body))
	if m == nil {
		return "", fmt.Errorf("the page has no part called %q: %s", name, p.Text())
	}
	return strings.TrimSpace(html.UnescapeString(m[1])), nil
}

// Link is the address behind the link of this name, or behind the words of one.
func (p *Page) Link(name string) (string, error) {
	m := regexp.MustCompile(`<a [^>]*href="([^"]*)"[^>]*(?:data-testid="` + regexp.QuoteMeta(name) + `"|>` + regexp.QuoteMeta(name) + `<)`).
		FindStringSubmatch(string(p.Body))
	if m == nil {
		return "", fmt.Errorf("the page has no link called %q: %s", name, p.Text())
	}
	to, err := p.Address.Parse(html.UnescapeString(m[1]))
	if err != nil {
		return "", err
	}
	return to.String(), nil
}

// Text is what a person reads on the page, in one line.
func (p *Page) Text() string {
	return strings.Join(strings.Fields(html.UnescapeString(unread().ReplaceAllString(string(p.Body), " "))), " ")
}

var (
	tag       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<(a|form|input|option|button)( [^>]*)?>`) })
	attribute = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(` (href|action|type|name|value|inputmode|autocomplete|maxlength|checked|selected|aria-[a-z]+)(?:="([^"]*)")?`)
	})
)

// Again is the address that the page opens by itself, and after how many seconds; ok is
// false when it stays.
func (p *Page) Again() (address string, seconds int, ok bool) {
	if n, err := fmt.Sscanf(p.Header.Get("Refresh"), "%d; url=%s", &seconds, &address); n != 2 || err != nil {
		return "", 0, false
	}
	to, err := p.Address.Parse(address)
	if err != nil {
		return "", 0, false
	}
	return to.String(), seconds, true
}

// Outline is the text with all that the page can send: each link, form, field and button
// in square brackets, with the attributes that decide what goes where, and at the end what
// it opens by itself.
func (p *Page) Outline() string {
	self := ""
	if refresh := p.Header.Get("Refresh"); refresh != "" {
		self = " [refresh " + refresh + "]"
	}
	told := tag().ReplaceAllStringFunc(inner(string(p.Body)), func(found string) string {
		said := "[" + tag().FindStringSubmatch(found)[1]
		for _, m := range attribute().FindAllStringSubmatch(found, -1) {
			if said += " " + m[1]; m[2] != "" {
				said += "=" + m[2]
			}
		}
		return " " + said + "] "
	})
	return strings.Join(strings.Fields(html.UnescapeString(unread().ReplaceAllString(told, " "))), " ") + self
}

// inner is what stands between the page's head and its foot.
func inner(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	body, _, _ = strings.Cut("<main"+body, "</main>")
	return body
}
