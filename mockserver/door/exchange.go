package door

import (
	"bytes"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
)

// Exchange is what every surface keeps of one request and its answer.
type Exchange struct {
	door *Door
	// Writer and Req are the connection's.
	Writer http.ResponseWriter
	Req    *http.Request
	// Again is set when the request is played from a tape.
	Again *integration.Again
	// Began is when the request came in, by the wall clock.
	Began time.Time

	// On is the integration that is called; nil when there is none.
	On *integration.Integration
	// Untaped calls leave no trace.
	Untaped bool
	// Vars are the parameters of the path.
	Vars Vars
	// Call is what goes on the tape.
	Call integration.Call
	// Body is what was read of the request's body, and Unread why it was not read
	// to its end.
	Body   bytes.Buffer
	Unread Unread
	// drawn is what reading the body has taken from the budget.
	drawn int64
	// work is what is made of a large body, in bytes, while that goes on.
	work int64
	// held is how many bytes of the answer are held until it is read.
	held int64

	// Status, Header and Out are the answer, Header in the order of the tape.
	Status int
	Header []tape.Header
	Out    []byte
	// Cut answers are not seen by the caller as they were meant; Abort leaves it to
	// the server to cut the connection.
	Cut, Abort bool
	// unlabelled is true for a call whose label cannot be used.
	unlabelled bool
}

// begin fills in what the request line and headers tell.
func (x *Exchange) begin(d *Door, w http.ResponseWriter, r *http.Request) {
	x.door, x.Writer, x.Req, x.Began = d, w, r, d.now()
	x.Again = integration.AgainFrom(r.Context())
	header := captured(r, d.Headers, x.Call.Exchange.Request.Header)
	x.Call = integration.Call{Kind: d.Kind, Exchange: tape.Exchange{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: secret.Query(r.URL.RawQuery), Request: tape.Request{Header: header},
	}}
	x.Call.Advice = advice(r)
	if x.Again != nil {
		x.Call.At, x.Call.As = x.Again.At, x.Again.As
	}
	x.label(header)
}

// Reset gives the exchange back as it was before its request, with the memory
// that it has; false when that has grown too large to be kept.
func (x *Exchange) Reset() bool {
	const keep = 64 << 10
	if x.Body.Cap() > keep || cap(x.Out) > keep {
		return false
	}
	x.Body.Reset()
	headers, sent, out, body := x.Header[:0], x.Call.Exchange.Request.Header[:0], x.Out[:0], x.Body
	*x = Exchange{Header: headers, Out: out, Body: body}
	x.Call.Exchange.Request.Header = sent
	return true
}

// Param gives a parameter of the path.
func (x *Exchange) Param(name string) string { return x.Vars.Get(name) }

// Put adds a header to the answer.
func (x *Exchange) Put(name, value string) {
	x.Header = append(x.Header, tape.Header{Name: name, Value: value})
}

// Number begins the answer's headers with the call's place on the tape and its
// time. A call that leaves no trace has neither.
func (x *Exchange) Number() {
	x.Header = x.Header[:0]
	if !x.Call.Time.IsZero() {
		x.place()
		x.Put("Sandbox-Time", x.door.times.at(x.Call.Time).iso)
	}
	if x.unlabelled {
		x.Put("Sandbox-Label-Refused", "a label has 1 to 100 printable characters")
	}
}

// place says where the call stands. A stranger's call stands on a tape that its caller
// cannot know: the answer names it.
func (x *Exchange) place() {
	if !x.placed() {
		return
	}
	x.Put("Sandbox-Exchange", strconv.FormatUint(x.Call.Seq, 10))
	if x.nobody() {
		x.Put("Sandbox-Integration", x.On.ID)
	}
}

// placed says whether the caller may know where the call stands: a stranger's has no place
// where others than the owner can call, and none has one where there was no room.
func (x *Exchange) placed() bool {
	return x.Call.Seq != 0 && (!x.nobody() && !x.Call.Stranger || !x.On.Outside())
}

// Instance is where a refusal can be looked at: the console's page of its entry, without
// the integration's id, so that the same calls give the same bytes. It is the path of a
// call that has no place.
func (x *Exchange) Instance() string {
	if x.Call.Time.IsZero() || !x.placed() {
		return x.Call.Exchange.Path
	}
	return "/console/-/entries/" + strconv.FormatUint(x.Call.Seq, 10)
}

// nobody says that nobody knows who calls, by the verdict that stands on the tape: a
// replay must come to the same.
func (x *Exchange) nobody() bool {
	switch x.Call.Exchange.Auth {
	case tape.AuthMissing, tape.AuthMalformed, tape.AuthForeign, tape.AuthWrongSignature, tape.AuthAlgNone, tape.AuthCredentialsWrong:
		return true
	default:
		return false
	}
}

// Trace names the call in an answer: it follows from the seed and the tape, so
// that the same calls give the same bytes. A call that leaves no trace has none.
func (x *Exchange) Trace() string {
	if x.On == nil || x.Call.Time.IsZero() {
		return ""
	}
	b := x.On.Trace(x.Call.Seq)
	return hex.EncodeToString(b[:])
}

// Refusal is an error as the caller may see it. Anything but a refusal is a
// mistake of the sandbox: its text goes to the log.
func (x *Exchange) Refusal(err error) *kernel.Error {
	var e *kernel.Error
	if errors.As(err, &e) {
		return e
	}
	x.door.Log.Error("a call failed", slog.String("operation", x.Call.Exchange.Operation), slog.Any("error", err))
	return mistake()
}

// mistake is what a caller is told of a mistake of the sandbox.
func mistake() *kernel.Error {
	return &kernel.Error{Code: kernel.Internal, Detail: "the sandbox has made a mistake; its log says more"}
}

// Problem answers with problem details.
func (x *Exchange) Problem(e *kernel.Error, status int) {
	x.Status = status
	x.Say(wire.ProblemType, wire.Append(x.Out[:0], wire.NewProblem(e, status, x.Instance(), x.Trace()), wire.Shape{}))
}

// Say answers with a body.
func (x *Exchange) Say(media string, body []byte) {
	x.Out = body
	x.Put("Content-Type", media)
}

// Write sends the answer: headers, status and body once.
func (x *Exchange) Write(w http.ResponseWriter, flush bool) {
	h := w.Header()
	values := make([]string, 0, len(x.Header)+2) // one allocation for all of them
	set := func(name, value string) {
		values = append(values, value)
		h[name] = values[len(values)-1 : len(values) : len(values)]
	}
	for i := range x.Header {
		set(x.Header[i].Name, x.Header[i].Value)
	}
	h["Date"] = nil // the wall clock has no place in an answer
	if x.door.Dated {
		set("Date", x.door.times.at(x.Call.Time).date)
	}
	set("Content-Length", strconv.Itoa(len(x.Out)))
	w.WriteHeader(x.Status)
	if x.Req.Method != http.MethodHead {
		if !x.sendOut(w) {
			return
		}
	}
	if flush {
		_ = http.NewResponseController(w).Flush()
	}
}

// What a reader takes at a time of a large answer, and how long that may take.
const (
	readBytes = 1 << 20
	readTime  = 10 * time.Second
)

// sendOut sends the body, and says whether all of it could be handed over. Who does not
// read a large one is let go.
func (x *Exchange) sendOut(w http.ResponseWriter) bool {
	rest := x.Out
	for len(rest) > readBytes {
		_ = http.NewResponseController(w).SetWriteDeadline(integration.Wall().Add(readTime))
		if _, err := w.Write(rest[:readBytes]); err != nil {
			return false
		}
		rest = rest[readBytes:]
	}
	_, err := w.Write(rest)
	return err == nil
}

// seen is the status that the caller has seen; 0 when the answer was cut.
func (x *Exchange) seen() int {
	if x.Cut {
		return 0
	}
	return x.Status
}
