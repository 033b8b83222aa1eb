package api

import (
	"errors"
	"net/http"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// keyHeader carries the key that makes a repeated request safe. Latitude,
// idempotency.
const keyHeader = "Idempotency-Key"

// succeed writes a 200 with the answer in the media type that was asked for.
func (x *exchange) succeed(answer any) {
	x.Status, x.Out = http.StatusOK, x.Out[:0]
	if v, ok := answer.(statused); ok {
		x.Status = v.HTTPStatus(x.settings())
	}
	shape := x.shape
	shape.DropNull = shape.DropNull && !x.route.KeepsNulls
	if _, none := answer.(door.Empty); !none {
		x.Say(wire.Negotiate(wire.Sent(x.Req, "Accept")), wire.Append(x.Out, answer, shape))
	}
}

// statused is an answer, or an error, whose status the ledger can change.
type statused interface {
	HTTPStatus(s latitude.Settings) int
}

// fail writes a refusal as problem details, or as the ledger has it.
func (x *exchange) fail(err error) {
	e, s := x.Refusal(err), x.settings()
	x.Status, x.Out = wire.Status(e.Code), x.Out[:0]
	if e.Code == kernel.IllegalTransition {
		x.Status = http.StatusBadRequest
	}
	var other statused
	if errors.As(err, &other) {
		x.Status = other.HTTPStatus(s)
	}
	if x.Status == http.StatusUnauthorized {
		x.Put("Www-Authenticate", "Bearer")
		if s.Is(latitude.UnauthorisedEmptyBody) {
			return
		}
	}
	if x.allow != nil {
		x.Put("Allow", strings.Join(x.allow, ", "))
	}
	if x.retryAfter != "" {
		x.Put("Retry-After", x.retryAfter)
	}
	if !x.plainly(e) {
		x.Problem(e, x.Status)
	}
}

// plainly writes a refusal where the ledger wants no problem details.
func (x *exchange) plainly(e *kernel.Error) bool {
	switch s := x.settings(); {
	case s.Is(latitude.ErrorBodyEmpty):
		return !x.detailed()
	case s.Is(latitude.ErrorBodyPlainText):
		x.Say("text/plain; charset=utf-8", append(x.Out, plainError(e)...))
		return true
	default:
		return false
	}
}

// detailed says whether the specification wants the answer to name the fields that
// are wrong, whatever the ledger's choice: at a company's creation.
func (x *exchange) detailed() bool {
	return x.route != nil && x.route.Detailed && x.Status == http.StatusBadRequest
}

// keepFindings puts on the tape what was wrong with a refused request, where the
// answer does not tell it in full.
func (x *exchange) keepFindings(w *world.World, err error) {
	var e *kernel.Error
	if errors.As(err, &e) && len(e.Findings) > 0 && !x.settings().Is(latitude.ErrorBodyProblem) {
		w.KeepFindings(e.Findings)
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

// keyed says whether the call has an idempotency key that means something.
func (x *exchange) keyed() bool {
	if _, sent := x.Req.Header[keyHeader]; !sent || x.route == nil {
		return false
	}
	switch s := x.settings(); {
	case s.Is(latitude.IdempotencyIgnored):
		return false
	case s.Is(latitude.IdempotencyCreateOnly):
		return x.route.ID == "createPayment"
	default:
		return x.route.Endpoint.idempotent
	}
}

// once runs an endpoint that honours an idempotency key.
func (x *exchange) once(w *world.World) (any, error) {
	key := wire.Sent(x.Req, keyHeader)
	scope := x.keyScope()
	stored, err := w.IdempotencyReplay(key, scope, x.sum)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		x.Status, x.Out, x.replayed = stored.Status, append(x.Out[:0], stored.Body...), true
		return nil, nil
	}
	answer, err := x.route.Endpoint.run(w, x, x.value)
	if err != nil {
		return nil, err
	}
	x.succeed(answer)
	w.RememberAnswer(key, scope, x.sum, world.StoredAnswer{Status: x.Status, Body: x.Out})
	return answer, nil
}

// keyScope is what an idempotency key is unique in: the operation, however its
// path is spelt, and the payment that it is about.
func (x *exchange) keyScope() string {
	op := x.route.AliasOf
	if op == "" {
		op = x.route.ID
	}
	return op + " " + strings.ToLower(x.payment())
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
