package api

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// keyHeader carries the key that makes a repeated request safe. latitude.md,
// idempotency.
const keyHeader = "Idempotency-Key"

// succeed writes a 200 with the answer in the media type that was asked for.
func (x *exchange) succeed(answer any) {
	x.status = http.StatusOK
	if v, ok := answer.(statused); ok {
		x.status = v.HTTPStatus(x.settings())
	}
	x.out = x.out[:0]
	if _, none := answer.(empty); none {
		x.media = ""
		return
	}
	x.media = wire.Negotiate(x.req.Header.Get("Accept"))
	x.out = wire.Append(x.out, answer, x.shape)
	x.header = append(x.header, tape.Header{Name: "Content-Type", Value: x.media})
}

// statused is an answer whose status the ledger can change.
type statused interface {
	HTTPStatus(s latitude.Settings) int
}

// fail writes a refusal as problem details. Anything but a world.Error is a
// mistake of the sandbox: its text goes to the log.
func (x *exchange) fail(err error) {
	var e *kernel.Error
	if !errors.As(err, &e) {
		x.api.opts.Log.Error("an endpoint failed", slog.String("operation", x.call.Exchange.Operation), slog.Any("error", err))
		e = &kernel.Error{Code: kernel.Internal, Detail: "the sandbox has made a mistake; its log says more"}
	}
	s := x.settings()
	x.status = x.statusOf(e)
	x.out, x.media = x.out[:0], ""
	if x.status == http.StatusUnauthorized {
		x.header = append(x.header, tape.Header{Name: "Www-Authenticate", Value: "Bearer"})
		if s.Is(latitude.UnauthorisedEmptyBody) {
			return
		}
	}
	if x.allow != "" {
		x.header = append(x.header, tape.Header{Name: "Allow", Value: x.allow})
	}
	if x.retryAfter != "" {
		x.header = append(x.header, tape.Header{Name: "Retry-After", Value: x.retryAfter})
	}
	switch {
	case s.Is(latitude.ErrorBodyEmpty):
		return
	case s.Is(latitude.ErrorBodyPlainText):
		x.media, x.out = "text/plain; charset=utf-8", append(x.out, plainError(e)...)
	default:
		x.media = wire.ProblemType
		problem := wire.NewProblem(e, x.status, x.call.Exchange.Path, x.trace())
		x.out = wire.Append(x.out, problem, wire.Shape{})
	}
	x.header = append(x.header, tape.Header{Name: "Content-Type", Value: x.media})
}

// statusOf is the HTTP status of a refusal by the partner API.
func (x *exchange) statusOf(e *kernel.Error) int {
	switch {
	case e.Code == kernel.IllegalTransition:
		return http.StatusBadRequest
	case e.Code == kernel.Unauthorised && x.route != nil && x.route.Open && x.settings().Is(latitude.TokenRefusalBadRequest):
		return http.StatusBadRequest
	default:
		return wire.Status(e.Code)
	}
}

// plainError writes one line for each problem.
func plainError(e *kernel.Error) string {
	if len(e.Findings) == 0 {
		return e.Detail + "\n"
	}
	var b strings.Builder
	for _, f := range e.Findings {
		b.WriteString(f.Pointer + ": expected " + f.Expected + "; " + f.Fix + "\n")
	}
	return b.String()
}

// trace names the exchange in an answer: it follows from the seed and the tape,
// so that the same calls give the same bytes.
func (x *exchange) trace() string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], x.caller.Integration.Seed())
	binary.BigEndian.PutUint64(b[8:], x.call.Seq)
	return hex.EncodeToString(b[:])
}

// requestID is the caller's own id of the request, given back when it is fit to
// be shown. Sandbox-Exchange numbers every request anyhow.
func (x *exchange) requestID() string {
	sent := x.req.Header.Get("X-Request-Id")
	if len(sent) > 128 || printable(sent) != sent {
		return ""
	}
	return sent
}

// maxWarnings bounds how many advisory findings one header names.
const maxWarnings = 10

// warn names the advisory findings in the header Sandbox-Warning.
func (x *exchange) warn(w *world.World) {
	list := w.Advisories()
	if len(list) == 0 {
		return
	}
	parts := make([]string, 0, maxWarnings)
	for i := range list[:min(len(list), maxWarnings)] {
		parts = append(parts, printable(list[i].Clause+" "+list[i].Pointer))
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, strconv.Itoa(more)+" more on the tape")
	}
	x.header = append(x.header, tape.Header{Name: "Sandbox-Warning", Value: strings.Join(parts, ", ")})
}

// printable makes a text fit for a header.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == ',' {
			return '?'
		}
		return r
	}, clip(s))
}

// keyed says whether the call has an idempotency key that is honoured.
func (x *exchange) keyed() bool {
	_, sent := x.req.Header[keyHeader]
	return sent && x.route != nil && x.route.honoursKeys(x.settings())
}

// once runs an endpoint that honours an idempotency key.
func (x *exchange) once(w *world.World) (any, error) {
	key := x.req.Header.Get(keyHeader)
	scope := x.keyScope()
	stored, err := w.IdempotencyReplay(key, scope, x.sum)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		x.repeat(stored)
		return nil, nil
	}
	answer, err := x.route.run(w, &x.in, x.value)
	if err != nil {
		return nil, err
	}
	x.succeed(answer)
	w.RememberAnswer(key, scope, x.sum, world.StoredAnswer{Status: x.status, Body: x.out})
	return answer, nil
}

// keyScope is what an idempotency key is unique in: the operation, however its
// path is spelt, and the payment that it is about.
func (x *exchange) keyScope() string {
	op := x.route.AliasOf
	if op == "" {
		op = x.route.ID
	}
	id := x.in.param("paymentRequestId")
	if id == "" {
		id = x.in.arg("paymentRequestId")
	}
	return op + " " + strings.ToLower(id)
}

// repeat gives a remembered answer again.
func (x *exchange) repeat(stored *world.StoredAnswer) {
	x.status, x.out, x.media = stored.Status, append(x.out[:0], stored.Body...), ""
	x.replayed = true
}

// contentType names the media type of an answer that is given again.
func (x *exchange) contentType() {
	if len(x.out) > 0 {
		x.header = append(x.header, tape.Header{Name: "Content-Type", Value: wire.Negotiate(x.req.Header.Get("Accept"))})
	}
}

// write sends the answer: headers, status and body once. flush makes sure that
// it has left before the events that it has caused.
func (x *exchange) write(w http.ResponseWriter, flush bool) {
	h := w.Header()
	values := make([]string, 0, len(x.header)+2) // one allocation for all of them
	set := func(name, value string) {
		values = append(values, value)
		h[name] = values[len(values)-1 : len(values) : len(values)]
	}
	for i := range x.header {
		set(x.header[i].Name, x.header[i].Value)
	}
	set("Date", x.api.times.at(x.call.Time).date)
	set("Content-Length", strconv.Itoa(len(x.out)))
	w.WriteHeader(x.status)
	if x.req.Method != http.MethodHead {
		if _, err := w.Write(x.out); err != nil {
			return
		}
	}
	if flush {
		_ = http.NewResponseController(w).Flush()
	}
}

// release gives the exchange back to the pool, unless it has grown large.
func (x *exchange) release() {
	const keep = 64 << 10
	if x.body.Cap() > keep || cap(x.out) > keep {
		return
	}
	headers, out := x.header[:0], x.out[:0]
	requestHeaders := x.call.Exchange.Request.Header[:0]
	body := x.body
	body.Reset()
	*x = exchange{header: headers, out: out, body: body}
	x.call.Exchange.Request.Header = requestHeaders
	exchanges.Put(x)
}

// shapeOf turns the ledger's choices into the shape of answers.
func shapeOf(s latitude.Settings, seed uint64) wire.Shape {
	return wire.Shape{
		Pascal:   s.Is(latitude.ResponseNamesPascal),
		Extra:    s.Is(latitude.ExtraResponseFieldsOne),
		Shuffle:  s.Is(latitude.FieldOrderShuffled),
		DropNull: s.Is(latitude.NullOrAbsentAbsent),
		Seed:     seed,
	}
}

// options turns the ledger's choices into the way in which a body is read.
func (x *exchange) options() wire.Options {
	s := x.settings()
	o := wire.Options{
		CamelOnly:     s.Is(latitude.RequestNamesCamelOnly),
		NumberStrings: s.Is(latitude.NumberStringsAccepted),
		RefuseUnknown: s.Is(latitude.UnknownBodyFieldsRefused),
	}
	if x.route.strictBody != "" {
		o.RefuseUnknown, o.UnknownClause, o.UnknownSource = true, x.route.strictBody, kernel.Spec
	}
	return o
}
