package mockserver

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
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
		r.Header.Del("X-Forwarded-Proto")
		r.Header.Del("X-Forwarded-Host")
	}
	r = door.Strike(r)
	switch own, look := operatorsOwn(r.URL.Path), strings.HasPrefix(r.URL.Path, theme.Prefix); {
	case g.leads(r):
		http.Redirect(w, r, g.server.operate+r.URL.RequestURI(), http.StatusTemporaryRedirect)
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

// leads says whether a request looks for the console, which another address of this machine serves.
func (g guard) leads(r *http.Request) bool {
	return g.side == partners && g.server.operate != "" && r.Method == http.MethodGet && below(r.URL.Path, console.Prefix)
}

// refuse answers with a problem that concerns no operation.
func refuse(w http.ResponseWriter, r *http.Request, why *kernel.Error) {
	status := wire.Status(why.Code)
	body := wire.Append(nil, wire.NewProblem(why, status, r.URL.Path, ""), wire.Shape{})
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
