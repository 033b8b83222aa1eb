package mockserver

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"

	"paysandbox/mockserver/console"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/theme"
	"paysandbox/mockserver/wire"
)

// guard stands before every address: it keeps out who must not come in, and one
// failed request from ending the sandbox. What went wrong goes to the log, never
// to the caller.
type guard struct {
	server *Server
	side   side
}

// ServeHTTP answers with the guarded handler.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler { //nolint:errorlint // It is compared as net/http compares it.
			panic(cause)
		}
		g.server.opts.Log.ErrorContext(r.Context(), "a request failed", slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
		refuse(w, r, &kernel.Error{Code: kernel.Internal, Detail: "the sandbox has made a mistake; its log says more"})
	}()
	if !g.server.opts.BehindProxy {
		delete(r.Header, "X-Forwarded-Proto")
		delete(r.Header, "X-Forwarded-Host")
	}
	r = g.apart(door.Strike(r, &g.server.tokens))
	apartFromPartners(w.Header(), r.URL.Path)
	switch own, look := operatorsOwn(r.URL.Path), strings.HasPrefix(r.URL.Path, theme.Prefix); {
	case g.wantsConsole(r):
		g.leadOn(w, r)
	case g.side == partners && own, g.side == operators && !own && !look:
		refuse(w, r, notServedHere(g.side))
	case g.server.opts.Loopback && !own && !door.ThisMachine(r.Host): // the control API has its own word on that
		refuse(w, r, foreignHost(r.Host))
	case own || described(r.URL.Path):
		g.server.routeSlowed(w, r, g.side)
	default:
		g.server.route(w, r, g.side)
	}
}

// apart has the links that are made for an operator lead to the partner API's own address.
func (g guard) apart(r *http.Request) *http.Request {
	if at := g.server.partner; g.side == operators && at != nil && !g.server.opts.BehindProxy {
		if host := reach(r, at); host != "" {
			return wire.Apart(r, host)
		}
	}
	return r
}

// wantsConsole says whether a request looks for the console where it is not served.
func (g guard) wantsConsole(r *http.Request) bool {
	return g.side == partners && r.Method == http.MethodGet && below(r.URL.Path, console.Prefix)
}

// leadOn leads who looks for the console, as by a problem's instance, to the address that
// serves it; where nobody can know how the caller reaches that, it says so.
func (g guard) leadOn(w http.ResponseWriter, r *http.Request) {
	if at := g.consoleFor(r); at != "" {
		http.Redirect(w, r, at+r.URL.RequestURI(), http.StatusTemporaryRedirect) //nolint:gosec // G710: it is the name by which the caller has found this machine
		return
	}
	port := "the one that --control-addr names"
	if g.server.operate != nil {
		port = "port " + strconv.Itoa(g.server.operate.Port) + " of the machine that the sandbox runs on (--control-addr)"
		if g.server.operate.IP.IsLoopback() {
			port += ", which answers that machine alone"
		}
	}
	refuse(w, r, &kernel.Error{Code: kernel.NotFound, Detail: "the console is not served at this address but at " + port + ": open " + r.URL.Path +
		" there; a proxy, a container or a tunnel may give that another address"})
}

// consoleFor is how a caller reaches the console: at the operators' address, which on all
// interfaces has the name that the caller knows this machine by, and on loopback is for
// this machine alone. Empty means that nobody can know.
func (g guard) consoleFor(r *http.Request) string {
	at := g.server.operate
	if at == nil || g.server.opts.BehindProxy || at.IP.IsLoopback() && !door.ThisMachine(r.RemoteAddr) {
		return ""
	}
	if host := reach(r, at); host != "" {
		return "http://" + host
	}
	return ""
}

// reach is the host by which who has called one address of this machine reaches another:
// one on all interfaces has the name that the caller knows. Empty means that nobody can know.
func reach(r *http.Request, at *net.TCPAddr) string {
	if !at.IP.IsUnspecified() {
		return at.String()
	}
	u, err := url.Parse("http://" + r.Host)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Path != "" {
		return ""
	}
	return net.JoinHostPort(u.Hostname(), strconv.Itoa(at.Port))
}

// apartFromPartners is alone for what is not the partners' own.
func apartFromPartners(h http.Header, path string) {
	if operatorsOwn(path) || described(path) || path == "/" {
		alone(h)
	}
}

// alone says of an answer that it is what its media type says, and that nobody may keep it.
// What may be kept says so itself.
func alone(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

// refuse answers with a problem that concerns no operation.
func refuse(w http.ResponseWriter, r *http.Request, why *kernel.Error) {
	status := wire.Status(why.Code)
	body := wire.Append(nil, wire.NewProblem(why, status, r.URL.Path, ""), wire.Shape{})
	alone(w.Header())
	w.Header().Set("Content-Type", wire.ProblemType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func unknownHere() *kernel.Error {
	return &kernel.Error{Code: kernel.Unauthorised, Detail: "this address is for those who run the sandbox: send the control token " +
		"as Authorization: Bearer, or as the password that your browser asks for"}
}

func notServedHere(s side) *kernel.Error {
	if s == operators {
		return &kernel.Error{Code: kernel.NotFound, Detail: "the control API and the figures alone are served at this address; " +
			"the partner API is at the one that --addr names"}
	}
	return &kernel.Error{Code: kernel.NotFound, Detail: "the control API and the figures are served at the address that --control-addr names"}
}

// foreignHost refuses a call under a name that is not this machine's: a web page
// can give its own name this machine's address, and the credentials are well known.
func foreignHost(host string) *kernel.Error {
	const longest = 64
	return &kernel.Error{Code: kernel.Forbidden, Detail: "this sandbox answers only under a name of this machine, such as localhost or 127.0.0.1, not under " +
		strconv.Quote(host[:min(len(host), longest)]) + "; start it with --behind-proxy, or on an address that others can reach, to call it otherwise"}
}

// unkept tells a caller why his call was not applied.
func unkept(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, durable.ErrNotTaken), errors.Is(err, durable.ErrUnknown):
		return &kernel.Error{Code: kernel.Unavailable, Detail: err.Error() + "; call again in a moment"}
	default:
		return &kernel.Error{Code: kernel.Unavailable, Detail: "what comes is not applied any more: " + err.Error()}
	}
}
