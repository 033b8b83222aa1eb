package mockserver

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/wire"
)

// guard keeps one failed request from ending the sandbox. What went wrong goes
// to the log, never to the caller.
type guard struct {
	log  *slog.Logger
	next http.Handler
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
		g.log.ErrorContext(r.Context(), "a request failed", slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
		problem := wire.NewProblem(&kernel.Error{Code: kernel.Internal, Detail: "the sandbox has made a mistake; its log says more"},
			http.StatusInternalServerError, r.URL.Path, "")
		w.Header().Set("Content-Type", wire.ProblemType)
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write(wire.Append(nil, problem, wire.Shape{}))
	}()
	g.next.ServeHTTP(w, r)
}
