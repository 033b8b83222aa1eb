package api

import (
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

// faultAnswer writes the answer of a fault in the operation's place.
func (x *exchange) faultAnswer() {
	e := x.trouble.effect
	x.Status, x.Out = e.Status, x.Out[:0]
	if e.Status == 0 {
		return
	}
	if wait := e.RetrySeconds(x.trouble.left); wait > 0 {
		x.Put("Retry-After", strconv.Itoa(wait))
	}
	if e.Status == http.StatusUnauthorized {
		x.Put("WWW-Authenticate", "Bearer")
	}
	refusal := &kernel.Error{Code: kernel.Internal, Detail: "a fault answers this call, the operation was not carried out: " + string(x.trouble.label)}
	if e.Status == http.StatusUnauthorized && x.settings().Is(latitude.UnauthorisedEmptyBody) || x.plainly(refusal) {
		return
	}
	problem := wire.NewProblem(refusal, e.Status, x.Instance(), x.Trace())
	problem.Type, problem.Title = "urn:paysandbox:problem:fault", statusText(e.Status)
	x.Say(wire.ProblemType, wire.Append(x.Out, problem, wire.Shape{}))
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
		return len(x.Out) == 0 || x.Req.Method == http.MethodHead
	default:
		return false
	}
}

// Send sends the answer as the fault has it. Where only the server can cut the
// connection, it is left to the server. A call that is played again is neither
// held up nor cut.
func (x *exchange) Send(flush bool) {
	w, e := x.Writer, x.trouble.effect
	x.Cut = e.Cuts()
	plain := x.trouble.label == "" || x.Again != nil
	if !plain && e.Latency > 0 {
		x.pause(w, e.Latency)
	}
	x.giveUpKey()
	switch {
	case plain && x.Cut:
	case plain:
		x.Write(w, flush)
	case e.Drops():
		x.Abort = fault.Sever(w, x.Req, nil)
	case x.cutsHead():
		x.Abort = fault.Sever(w, x.Req, x.halfHead())
	default:
		x.Write(&fault.Writer{
			ResponseWriter: w, Slow: e.SlowBody, Half: e.Cut != "", Pause: func(d time.Duration) { x.pause(w, d) },
		}, flush)
		x.Abort = e.Cut != "" && fault.Sever(w, x.Req, nil)
	}
}

// halfHead is the first half of the answer's status line and headers.
func (x *exchange) halfHead() []byte {
	head := "HTTP/1.1 " + strconv.Itoa(x.Status) + " " + statusText(x.Status) + "\r\n"
	for _, h := range x.Header {
		head += h.Name + ": " + h.Value + "\r\n"
	}
	return []byte(head[:len(head)/2])
}

// pause holds the answer back, until the client goes away, which is noted once,
// or the API stops, which closes connections without anybody hanging up. The
// server's deadline for reading is lifted: it would pass for the client's end.
func (x *exchange) pause(w http.ResponseWriter, d time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	ctx, cancel := x.api.life.During(x.Req.Context())
	defer cancel()
	x.api.opts.Pause(ctx, d)
	if x.Req.Context().Err() == nil || x.gone || x.api.life.Over() {
		return
	}
	x.gone = true
	x.On.HungUp(&x.Call, x.api.opts.Wall().Sub(x.Began))
}

// Stop ends every answer's delay: what is held back leaves at once, and later
// calls are not held back. It may be called more than once.
func (a *API) Stop() { a.life.End() }
