package control

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

const jsonType = "application/json; charset=utf-8"

// hidden stands for a secret in what goes on the tape.
const hidden = "••••"

// secretive is an answer that must not go on the tape as it is.
type secretive interface {
	// masked gives the answer with its secrets hidden.
	masked() any
}

// answer makes the response's status, headers and bytes.
func (x *exchange) answer(v any, err error) {
	x.header = x.always()
	if err != nil {
		x.fail(err)
		return
	}
	x.status = http.StatusOK
	switch v := v.(type) {
	case empty:
		return
	case secretive:
		x.out, x.taped = wire.Append(nil, v, wire.Shape{}), wire.Append(nil, v.masked(), wire.Shape{})
	default:
		x.out = wire.Append(nil, v, wire.Shape{})
	}
	x.header = append(x.header, tape.Header{Name: "Content-Type", Value: jsonType})
}

// always are the headers of an answer: where it stands on the tape, and when.
func (x *exchange) always() []tape.Header {
	if x.call.Time.IsZero() {
		return nil
	}
	return []tape.Header{
		{Name: "Sandbox-Exchange", Value: strconv.FormatUint(x.call.Seq, 10)},
		{Name: "Sandbox-Time", Value: x.call.Time.Format(time.RFC3339)},
	}
}

// fail writes a refusal as problem details. Anything but a world.Error is a
// mistake of the sandbox: its text goes to the log.
func (x *exchange) fail(err error) {
	var e *kernel.Error
	if !errors.As(err, &e) {
		x.control.opts.Log.Error("a control call failed", slog.String("operation", x.route.ID), slog.Any("error", err))
		e = &kernel.Error{Code: kernel.Internal, Detail: "the sandbox has made a mistake; its log says more"}
	}
	x.status = wire.Status(e.Code)
	problem := wire.NewProblem(e, x.status, x.req.URL.EscapedPath(), x.trace())
	x.out = wire.Append(nil, problem, wire.Shape{})
	x.header = append(x.header, tape.Header{Name: "Content-Type", Value: wire.ProblemType})
}

// trace names the call in an answer; it follows from the tape.
func (x *exchange) trace() string {
	if x.on == nil || x.call.Time.IsZero() {
		return ""
	}
	return fmt.Sprintf("%016x%016x", x.on.Options().Seed, x.call.Seq)
}

// write sends the answer: headers, status and body once.
func (x *exchange) write() {
	h := x.writer.Header()
	for i := range x.header {
		h.Set(x.header[i].Name, x.header[i].Value)
	}
	send(x.writer, x.req, x.status, x.out)
}

// send writes status and body. The wall clock has no place in an answer.
func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header()["Date"] = nil
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) //nolint:gosec // G705: it is JSON and says so; nothing here is HTML.
	}
}

// refuse answers a request that no route has taken.
func (c *Control) refuse(w http.ResponseWriter, r *http.Request, e *kernel.Error) {
	status := wire.Status(e.Code)
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", wire.ProblemType)
	send(w, r, status, wire.Append(nil, wire.NewProblem(e, status, r.URL.EscapedPath(), ""), wire.Shape{}))
}
