package partner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 32 << 20

// Client calls the partner API as one integration. It gets its access token by
// itself and is safe for concurrent use.
type Client struct {
	// Base is the sandbox's address without a slash at the end.
	Base string
	// ID and Secret are the integration's credentials.
	ID, Secret string
	// HTTP makes the calls; nil means http.DefaultClient.
	HTTP *http.Client
	// Integration, when set, is sent as Sandbox-Integration, so that even a call
	// without a token lands on the right tape.
	Integration string

	mu    sync.Mutex
	token string
	// fixed replaces the Authorization header of every call where it is set.
	fixed *string
}

// Answer is what a call came to.
type Answer struct {
	// Status is the HTTP status.
	Status int
	// Header holds the answer's headers.
	Header http.Header
	// Body is the exact bytes.
	Body []byte
}

// Read decodes the body, which must be JSON.
func (a *Answer) Read(into any) error {
	if err := json.Unmarshal(a.Body, into); err != nil {
		return fmt.Errorf("read the answer %q: %w", shown(a.Body), err)
	}
	return nil
}

// shown is what an error tells of a body, which may be of any length.
func shown(body []byte) string {
	const longest = 1000
	text := strings.ToValidUTF8(strings.TrimSpace(string(body[:min(len(body), longest)])), "\uFFFD")
	if len(body) > longest {
		text += fmt.Sprintf("… (%d bytes)", len(body))
	}
	return text
}

// Problem reads the problem details of a refusal.
func (a *Answer) Problem() (Problem, error) {
	var p Problem
	err := a.Read(&p)
	return p, err
}

// Problem is a refusal as the service writes it.
type Problem struct {
	Title    string              `json:"title"`
	Status   int                 `json:"status"`
	Detail   string              `json:"detail"`
	Errors   map[string][]string `json:"errors"`
	Findings []Finding           `json:"findings"`
}

// Finding is one thing that is wrong with a request.
type Finding struct {
	Pointer  string `json:"pointer"`
	Clause   string `json:"clause"`
	Received string `json:"received"`
	Expected string `json:"expected"`
	Fix      string `json:"fix"`
	Advisory bool   `json:"advisory"`
}

// Call sends one request with an access token. body is encoded as JSON unless it
// is []byte, which goes out as it is; nil sends none.
func (c *Client) Call(ctx context.Context, method, path string, body any, header ...string) (*Answer, error) {
	c.mu.Lock()
	fixed := c.fixed
	c.mu.Unlock()
	if fixed != nil {
		return c.Send(ctx, method, path, body, append([]string{"Authorization", *fixed}, header...)...)
	}
	token, err := c.Token(ctx)
	if err != nil {
		return nil, err
	}
	return c.Send(ctx, method, path, body, append([]string{"Authorization", "Bearer " + token}, header...)...)
}

// Authorize sends this Authorization header with every call from now on, instead
// of one with a token of the client's own; empty sends none.
func (c *Client) Authorize(header string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fixed = &header
}

// Send is Call without a token. header holds names and values in turn; an empty
// value takes the header away.
func (c *Client) Send(ctx context.Context, method, path string, body any, header ...string) (*Answer, error) {
	raw, err := encode(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "paysandbox-harness/1.0")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Integration != "" {
		req.Header.Set("Sandbox-Integration", c.Integration)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i+1] == "" {
			req.Header.Del(header[i])
		}
	}
	return c.do(req)
}

// Half sends the beginning of a body of which it announces size bytes, and then
// closes its side of the connection.
func (c *Client) Half(ctx context.Context, path string, beginning []byte, size int) (*Answer, error) {
	token, err := c.Token(ctx)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(c.Base)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Authorization: Bearer %s\r\nConnection: close\r\n\r\n%s", path, u.Host, size, token, beginning)
	if err != nil {
		return nil, err
	}
	if half, ok := conn.(*net.TCPConn); ok {
		err = half.CloseWrite()
	}
	if err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	return read(res)
}

func (c *Client) do(req *http.Request) (*Answer, error) {
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	return read(res)
}

// cutTo is what is kept of an answer that is longer than any may be, in bytes.
const cutTo = 4 << 10

// read takes in the whole answer, or the beginning of one that is too long.
func read(res *http.Response) (*Answer, error) {
	defer func() { _ = res.Body.Close() }()
	most := int64(maxAnswer)
	if res.ContentLength > most {
		most = cutTo
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, most))
	if err != nil {
		return nil, err
	}
	if len(raw) >= maxAnswer {
		raw = bytes.Clone(raw[:cutTo])
	}
	return &Answer{Status: res.StatusCode, Header: res.Header, Body: raw}, nil
}

// Token gives the access token, fetching one when there is none.
func (c *Client) Token(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" {
		return c.token, nil
	}
	a, err := c.Send(ctx, http.MethodPost, "/Authentication/Token", TokenRequest{ClientID: c.ID, ClientSecret: c.Secret})
	if err != nil {
		return "", err
	}
	var t Token
	if err := a.Read(&t); err != nil || a.Status != http.StatusOK {
		return "", fmt.Errorf("get a token: status %d: %s", a.Status, shown(a.Body))
	}
	c.token = t.AccessToken
	return c.token, nil
}

// ForgetToken makes the next call fetch a fresh token, unless Authorize has
// fixed the header.
func (c *Client) ForgetToken() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = ""
}

func encode(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return b, nil
	default:
		return json.Marshal(body)
	}
}
