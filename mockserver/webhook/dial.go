package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"paysandbox/mockserver/secret"
)

// idleTimeout is how long a connection may have waited for the next attempt. It is
// shorter than the receivers of this world keep theirs open (two to five seconds
// with the most hasty servers), because a receiver that hangs up while a request
// is on its way would look like one that failed.
const idleTimeout = time.Second

// maxAnswerHeader bounds a receiver's headers, in bytes.
const maxAnswerHeader = 64 << 10

var (
	errScheme  = errors.New("the address is neither http nor https")
	errAddress = errors.New("the address cannot be understood")
	errUser    = errors.New("the address has user information, which is not sent")
	errPart    = errors.New("the address has a fragment, which is not sent")
	errLong    = errors.New("the address is longer than 2,048 bytes")
)

// transport knows no proxy, no cookies, no compression, and judges each address
// at the moment of dialing.
//
// The library takes a connection for idle before it hands the answer over, and
// loses the answer when it closes the connection in between, which a busy machine
// makes happen: the event was taken, and would go out again. It must therefore
// close no idle connection before the request has timed out, nor because there are
// many of them; fresh sees to it that none is used after idleTimeout.
func (o *Options) transport() *http.Transport {
	return &http.Transport{
		DialContext:            o.dial(o.dialer()),
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    o.Timeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    sharedWorkers,
		IdleConnTimeout:        max(o.Timeout, o.FetchTimeout) + idleTimeout,
		MaxResponseHeaderBytes: maxAnswerHeader,
	}
}

// fresh has a request pass over connections that have been idle for longer than
// idleTimeout: it closes them before anything is written, upon which the library
// takes another one. HTTP/2 needs no such care, there a receiver says which
// requests it has left undone.
func fresh(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if got.IdleTime <= idleTimeout {
			return
		}
		conn := got.Conn
		if secure, is := conn.(*tls.Conn); is {
			if secure.ConnectionState().NegotiatedProtocol == "h2" {
				return
			}
			conn = secure.NetConn() // a farewell could wait for the receiver
		}
		_ = conn.Close() // nobody uses it
	}})
}

// dialer never connects to an address that may not be called.
func (o *Options) dialer() *net.Dialer { return &net.Dialer{Timeout: o.Timeout, Control: o.screen} }

// dial opens connections: to where Resolve says, if it says anything.
func (o *Options) dial(dialer *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	resolve := o.Resolve
	if resolve == nil {
		return dialer.DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if other := resolve(address); other != "" {
			address = other
		}
		return dialer.DialContext(ctx, network, address)
	}
}

// longestAddress bounds an address in bytes.
const longestAddress = 2048

// parseTarget reads an address that is to be called. What would not be sent is
// refused before any call: user information and fragments.
func parseTarget(address string) (*url.URL, error) {
	if len(address) > longestAddress {
		return nil, errLong
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errAddress // the cause would repeat the address, and what is secret in it
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errScheme
	case u.Hostname() == "":
		return nil, errAddress
	case u.User != nil:
		return nil, errUser
	case u.Fragment != "":
		return nil, errPart
	}
	return u, nil
}

// shown is an address without user information and tokens, cut when it is too long.
func shown(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return "(an address that cannot be understood)"
	case u.User != nil:
		u.User = nil
		address = u.String()
	}
	address = secret.Address(address)
	if len(address) > longestAddress {
		return printable(address, longestAddress)
	}
	return address
}

// hostOf names the host of an address, "" when there is none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}
