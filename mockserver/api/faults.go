package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// byHeader stands for the id of a fault that the caller has asked for itself.
const byHeader = "header"

// errTroubled says that a fault answers instead of the operation.
var errTroubled = errors.New("a fault answers instead of the operation")

// trouble is what faults do to one call.
type trouble struct {
	// asked is the caller's own Sandbox-Fault header; empty when none was sent.
	asked []string
	// label names the fault and its effect; empty when none is met.
	label  string
	effect fault.Effect
}

// asked reads the header that asks for a fault. Several lines become one, as
// the tape keeps one.
func asked(h http.Header) []string {
	lines := h[fault.Header]
	if len(lines) > 1 {
		lines = []string{strings.Join(lines, ", ")}
		h[fault.Header] = lines
	}
	return lines
}

// genuine says whether a verdict leaves no doubt who the caller is: the token
// is, or was, one of the integration's own. Only such callers meet faults.
func genuine(verdict string) bool {
	switch verdict {
	case tape.AuthValid, tape.AuthExpired, tape.AuthRevoked, tape.AuthCredentialsOK:
		return true
	default:
		return false
	}
}

// meetFaults finds the fault that the call meets, under the lock. An error
// means that the operation is not carried out. Replayed calls meet the same
// faults: which one it is depends on nothing but the calls before.
func (x *exchange) meetFaults() error {
	set := x.caller.Integration.Faults()
	if len(x.trouble.asked) == 0 && set.Idle() || !genuine(x.call.Exchange.Auth) {
		return nil
	}
	token := ""
	if x.takesToken() {
		token = x.call.Exchange.Token
	}
	if by, gone := set.Revoked(token); gone {
		x.meet(by, fault.Effect{Revoke: fault.RevokeToken})
	}
	id, effect, err := x.pickFault(set, token)
	if err != nil || id == "" {
		return err
	}
	x.meet(id, effect)
	if effect.Revoke == fault.RevokeToken {
		set.Revoke(token, id)
	}
	if effect.Prevents() {
		return errTroubled
	}
	return nil
}

// takesToken says whether the call is one that needs a token.
func (x *exchange) takesToken() bool { return x.route != nil && !x.route.Open }

// pickFault gives the fault that the caller has asked for, else the armed one
// that is due.
func (x *exchange) pickFault(set *fault.Set, token string) (id string, e fault.Effect, err error) {
	if len(x.trouble.asked) > 0 {
		e, err = fault.Parse(x.trouble.asked[0])
		switch {
		case err != nil:
			return "", e, badFault(err)
		case e.Revoke != "" && token == "":
			return "", e, badFault(&fault.Error{Problems: []fault.Problem{{
				Effect: "token-revoked", Expected: "an operation that needs a token", Fix: "send it with another call",
			}}})
		}
		return byHeader, e, nil
	}
	if x.route == nil {
		return "", e, nil
	}
	id, e, _ = set.Next(&fault.Call{
		Operation: x.route.ID, AliasOf: x.route.AliasOf, Method: x.req.Method, Token: token, Names: x.names,
		Exchange: x.call.Seq, At: x.call.Time.UnixNano(),
	})
	return id, e, nil
}

// meet notes the fault.
func (x *exchange) meet(id string, e fault.Effect) {
	x.trouble.label, x.trouble.effect = id+": "+e.String(), e
	x.call.Exchange.Fault = x.trouble.label
	if e.Revoke != "" {
		x.call.Exchange.Auth = tape.AuthRevoked
	}
}

// names says whether the call names an id: in its path, its query, or as a
// whole value of its body.
func (x *exchange) names(id string) bool {
	for _, v := range x.in.vars {
		if strings.EqualFold(v, id) {
			return true
		}
	}
	for _, list := range x.in.query {
		for _, v := range list {
			if strings.EqualFold(v, id) {
				return true
			}
		}
	}
	return namedIn(x.call.Exchange.Request.Body, id)
}

// namedIn looks for a JSON string in a body, whatever its letter case.
func namedIn(body []byte, id string) bool {
	const most = 64 << 10 // ids do not hide behind attachments
	text := string(body[:min(len(body), most)])
	for len(text) > len(id)+1 {
		at := strings.IndexByte(text, '"')
		if at < 0 || len(text)-at < len(id)+2 {
			return false
		}
		text = text[at+1:]
		if text[len(id)] == '"' && strings.EqualFold(text[:len(id)], id) {
			return true
		}
	}
	return false
}

// badFault refuses a call for its Sandbox-Fault header.
func badFault(err error) *world.Error {
	e := &world.Error{Code: world.Invalid, Detail: "the header " + fault.Header + " asks for a fault that does not exist; nothing was done"}
	var list *fault.Error
	if errors.As(err, &list) {
		for _, p := range list.Problems {
			e.Findings = append(e.Findings, world.Finding{
				Pointer: "header:" + fault.Header, Clause: "sandbox.fault-header", Source: world.Assumed,
				Received: p.Received, Expected: p.Expected, Fix: p.Fix,
			})
		}
	}
	return e
}

// faultAnswer writes the answer of a fault in the operation's place.
func (x *exchange) faultAnswer() {
	e, s := x.trouble.effect, x.settings()
	x.status, x.out, x.media = e.Status, x.out[:0], ""
	if e.Status == 0 {
		return
	}
	if wait := e.RetrySeconds(); wait > 0 {
		x.header = append(x.header, tape.Header{Name: "Retry-After", Value: strconv.Itoa(wait)})
	}
	if e.Status == http.StatusUnauthorized {
		x.header = append(x.header, tape.Header{Name: "WWW-Authenticate", Value: "Bearer"})
	}
	refusal := &world.Error{Code: world.Internal, Detail: "a fault answers this call, the operation was not carried out: " + x.trouble.label}
	switch {
	case s.Is(latitude.ErrorBodyEmpty), e.Status == http.StatusUnauthorized && s.Is(latitude.UnauthorisedEmptyBody):
		return
	case s.Is(latitude.ErrorBodyPlainText):
		x.media, x.out = "text/plain; charset=utf-8", append(x.out, plainError(refusal)...)
	default:
		problem := wire.NewProblem(refusal, e.Status, x.call.Exchange.Path, x.trace())
		problem.Type, problem.Title = "urn:paysandbox:problem:fault", statusText(e.Status)
		x.media, x.out = wire.ProblemType, wire.Append(x.out, problem, wire.Shape{})
	}
	x.header = append(x.header, tape.Header{Name: "Content-Type", Value: x.media})
}

// statusText names a status, also one that nobody has named.
func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Status " + strconv.Itoa(status)
}

// breakOff leaves on the tape what of the answer reaches the caller.
func (x *exchange) breakOff(out *tape.Response) {
	switch {
	case x.trouble.effect.Drops(), x.cutsHead():
		*out = tape.Response{}
	case x.trouble.effect.Cut == fault.CutBody:
		out.Body = out.Body[:fault.Half(len(out.Body))]
	}
}

// cutsHead says whether the answer breaks off in its headers.
func (x *exchange) cutsHead() bool {
	switch x.trouble.effect.Cut {
	case fault.CutHeaders:
		return true
	case fault.CutBody:
		return len(x.out) == 0 || x.req.Method == http.MethodHead
	default:
		return false
	}
}

// seen is the status that the caller sees; 0 when its answer was cut.
func (x *exchange) seen() int {
	if x.trouble.effect.Cuts() {
		return 0
	}
	return x.status
}

// leave sends the answer as the fault has it. When it is true, only the server
// can cut the connection: the caller panics with http.ErrAbortHandler. A call
// that is played again is neither held up nor cut.
func (x *exchange) leave(w http.ResponseWriter, flush bool) (abort bool) {
	e := x.trouble.effect
	switch {
	case x.trouble.label == "":
		x.write(w, flush)
		return false
	case x.again != nil:
		if !e.Cuts() {
			x.write(w, flush)
		}
		return false
	}
	if e.Latency > 0 {
		x.pause(w, e.Latency)
	}
	if e.Drops() {
		return fault.Sever(w, x.req, nil)
	}
	if x.cutsHead() {
		return fault.Sever(w, x.req, x.halfHead())
	}
	x.write(&fault.Writer{
		ResponseWriter: w, Slow: e.SlowBody, Half: e.Cut != "", Pause: func(d time.Duration) { x.pause(w, d) },
	}, flush)
	return e.Cut != "" && fault.Sever(w, x.req, nil)
}

// halfHead is the first half of the answer's status line and headers.
func (x *exchange) halfHead() []byte {
	head := "HTTP/1.1 " + strconv.Itoa(x.status) + " " + statusText(x.status) + "\r\n"
	for _, h := range x.header {
		head += h.Name + ": " + h.Value + "\r\n"
	}
	return []byte(head[:len(head)/2])
}

// pause holds the answer back, until the client goes away or the API stops. The
// server's deadline for reading is lifted: it would pass for the client's end.
func (x *exchange) pause(w http.ResponseWriter, d time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	x.api.delays.pause(x.req.Context(), d)
}

// delays hold answers back.
type delays struct {
	wait func(ctx context.Context, d time.Duration)
	life context.Context //nolint:containedctx // It is the life of the API, which ends every delay.
	end  context.CancelFunc
}

// newDelays makes the delays of an API; wait is fault.Wait unless a test has
// its own.
func newDelays(wait func(context.Context, time.Duration)) delays {
	if wait == nil {
		wait = fault.Wait
	}
	life, end := context.WithCancel(context.Background())
	return delays{wait: wait, life: life, end: end}
}

// pause waits until one of the contexts ends, or the time is over.
func (p *delays) pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.life, cancel)()
	p.wait(ctx, d)
}

// Stop ends every answer's delay: what is held back leaves at once, and later
// calls are not held back. It may be called more than once.
func (a *API) Stop() { a.delays.end() }
