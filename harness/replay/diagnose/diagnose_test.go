package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/taped"
	"paysandbox/mockserver/tape"
)

// input is a recording and its replay, call by call.
type input struct{ diagnose.Input }

func newInput() *input {
	return &input{diagnose.Input{Recording: &recording.Recording{}, Run: &play.Run{}, Same: true}} // without the checks of answers, which need a world
}

// call adds a call, as it was answered and as the replay answers it.
func (in *input) call(operation, line string, was recording.Answer, status int, body string) *input {
	method, path, _ := strings.Cut(line, " ")
	n := len(in.Recording.Exchanges)
	x := recording.Exchange{Method: method, Path: path, Answer: was, Body: []byte("{}"), Place: recording.Place{Source: "a.har", Entry: n + 1}}
	in.Recording.Exchanges = append(in.Recording.Exchanges, x)
	in.Run.Script.Steps = append(in.Run.Script.Steps, play.Step{Call: &play.Call{N: n, Exchange: x}})
	in.Run.Answers = append(in.Run.Answers, play.Answered{Step: n, N: n, Operation: operation, Status: status, Body: []byte(body)})
	return in
}

func (in *input) differs(d ...compare.Difference) *input {
	in.Differences = append(in.Differences, d...)
	return in
}

// last changes the last call.
func (in *input) last(change func(x *recording.Exchange)) *input {
	change(&in.Recording.Exchanges[len(in.Recording.Exchanges)-1])
	return in
}

// forced says that the replay answers the last call as it was told to.
func (in *input) forced() *input {
	in.Run.Script.Steps[len(in.Run.Script.Steps)-1].Call.Fault = "status=401"
	return in
}

// watched says that the recording is a tape, with a note on it.
func (in *input) watched(note string) *input {
	x := &tape.Exchange{Operation: "addNote", Request: tape.Request{Body: []byte(`{"kind":"` + note + `"}`)}, Response: tape.Response{Status: 201}}
	in.Saved = &taped.Tape{Entries: []tape.Entry{{Seq: 1, Kind: tape.KindControl, Exchange: x}}}
	return in
}

func whole(status int, body string) recording.Answer {
	return recording.Answer{Known: recording.Whole, Status: status, Body: []byte(body)}
}

const (
	amount = `{"findings":[{"advisory":true,"clause":"payment.create.reference"},{"pointer":"/amount","clause":"payment.create.amount","source":"spec","expected":"cents","received":"-1","fix":"send cents"}]}`
	state  = `{"findings":[{"pointer":"/amount","clause":"payment.refund.amount-left","source":"spec"}]}`
)

// TestWhoseFaultItIs: the side and the clause of the first fault, or that there is none.
func TestWhoseFaultItIs(t *testing.T) {
	t.Parallel()
	unexplained := func(n int) compare.Difference {
		return compare.Difference{N: n, Class: compare.Unexplained, Where: "/a", Recorded: "1", Replayed: "2"}
	}
	broken := compare.Difference{Class: compare.Service, Clause: "company.list", Where: "/0"}
	chosen := compare.Difference{Class: compare.Choice, Choice: "idempotency=honoured", Where: "status", Recorded: "400", Replayed: "200"}
	lenient := compare.Difference{Class: compare.Service, Clause: "request.integer", Where: "status", Recorded: "200", Replayed: "400"}
	late := compare.Difference{Class: compare.TimeOrID, Where: "/at"}
	nothing, lost := recording.Answer{Known: recording.NotRecorded}, recording.Answer{Known: recording.NeverArrived, Status: 504}
	one := func(operation, line string, was recording.Answer, status int, body string) *input {
		return newInput().call(operation, line, was, status, body)
	}
	authorised := func(x *recording.Exchange) { x.Header = []tape.Header{{Name: "authorization", Value: "Bearer x"}} }
	opaque := func(x *recording.Exchange) {
		x.Header = []tape.Header{{Name: "authorization", Value: "Bearer op-7f3kd93jfk39"}}
	}
	plain := func(x *recording.Exchange) { x.Header = []tape.Header{{Name: "accept", Value: "*/*"}} }
	for name, c := range map[string]struct {
		in     *input
		side   diagnose.Side
		clause string
	}{
		"the answer says that it had expired":     {one("listCompanies", "GET /Company/List", whole(401, `{"detail":"The access token expired."}`), 401, "{}"), diagnose.Partner, "auth.unauthorised"},
		"the answer says it, replaced":            {one("listCompanies", "GET /Company/List", whole(401, `{"detail":"The access token expired."}`), 401, "{}").call("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]"), diagnose.Nobody, ""},
		"the answer says something else":          {one("listCompanies", "GET /Company/List", whole(401, `{"detail":"call us; one lasts until it has expired"}`), 401, "{}"), diagnose.Undecidable, ""},
		"the answer says that none came":          {one("listCompanies", "GET /Company/List", whole(401, `{"detail":"No token came; one lasts until it has expired"}`), 401, "{}"), diagnose.Partner, "auth.bearer"},
		"no token, as of what was served":         {one("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]").last(plain).call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(plain), diagnose.Undecidable, ""},
		"no token, beside others":                 {one("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]").last(authorised).call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(plain), diagnose.Partner, "auth.bearer"},
		"no headers, beside others":               {one("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]").last(authorised).call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}"), diagnose.Undecidable, ""},
		"a token that was older than it could be": {one("createToken", "POST /Authentication/Token", whole(200, `{"expiresInSeconds":60}`), 200, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9, 0) }).call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9+61, 0) }), diagnose.Partner, "auth.unauthorised"},
		"a token that was young":                  {one("createToken", "POST /Authentication/Token", whole(200, `{"expiresInSeconds":60}`), 200, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9, 0) }).call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(func(x *recording.Exchange) { x.Begin = time.Unix(1e9+59, 0) }), diagnose.Undecidable, ""},
		"lost, and another one":                   {one("createPayment", "POST /Payment/Create", lost, 200, "{}").call("createPayment", "POST /Payment/Create", whole(200, "{}"), 200, "{}"), diagnose.Undecidable, ""},
		"dollars for cents":                       {one("createPayment", "POST /Payment/Create", whole(200, "{}"), 200, "{}").last(func(x *recording.Exchange) { x.Body, x.Dollars = []byte(`{"amount":85}`), "reference says $85.00" }), diagnose.Partner, "partner.amount.cents"},
		"dollars that were taken":                 {one("createPayment", "POST /Payment/Create", whole(200, "{}"), 400, amount).last(func(x *recording.Exchange) { x.Body, x.Dollars = []byte(`{"amount":85}`), "reference says $85.00" }).differs(lenient), diagnose.Partner, "partner.amount.cents"},
		"what was to be refused":                  {one("createPayment", "POST /Payment/Create", whole(200, "{}"), 400, amount).differs(lenient), diagnose.Service, "request.integer"},
		"served":                                  {one("createPayment", "POST /Payment/Create", whole(200, "{}"), 200, "{}").differs(late), diagnose.Nobody, ""},
		"refused for its form":                    {one("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount), diagnose.Partner, "payment.create.amount"},
		"refused here alone":                      {one("createPayment", "POST /Payment/Create", whole(200, "{}"), 400, amount), diagnose.Nobody, ""},
		"its answer is not known":                 {one("createPayment", "POST /Payment/Create", nothing, 400, amount), diagnose.Partner, "payment.create.amount"},
		"a token that was taken before":           {one("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]").last(authorised).call("getCompanyStatus", "GET /Company/Status", whole(401, ""), 401, "{}").last(authorised).forced(), diagnose.Partner, "auth.unauthorised"},
		"a state that is not known":               {one("refundPayment", "POST /Payment/Refund/1", nothing, 400, state), diagnose.Undecidable, ""},
		"a media type without its body": {one("createPayment", "POST /Payment/Create", whole(415, "{}"), 200, "{}").last(func(x *recording.Exchange) {
			x.BodyMissing, x.Header = true, []tape.Header{{Name: "Content-Type", Value: "text/xml"}}
		}), diagnose.Partner, "request.media-type"},
		"a state that is known":                 {one("refundPayment", "POST /Payment/Refund/1", whole(400, "{}"), 400, state), diagnose.Partner, "payment.refund.amount-left"},
		"credentials":                           {one("createToken", "POST /Authentication/Token", whole(401, "{}"), 401, "{}"), diagnose.Partner, "auth.token.refused"},
		"no token":                              {one("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(plain), diagnose.Partner, "auth.bearer"},
		"headers that are not shown":            {one("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}"), diagnose.Undecidable, ""},
		"a token that is none":                  {one("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(authorised), diagnose.Partner, "auth.bearer.broken"},
		"a token of no known form":              {one("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(opaque), diagnose.Undecidable, ""},
		"a token of no known form, later":       {one("createToken", "POST /Authentication/Token", whole(200, `{"accessToken":"op-7f3kd93jfk38"}`), 200, "{}").call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}").last(opaque), diagnose.Partner, "auth.bearer.broken"},
		"a path that is none":                   {one("", "GET /Payments", whole(404, "{}"), 404, "{}"), diagnose.Partner, "error.unknown-path"},
		"what browsers ask for":                 {one("", "GET /favicon.ico", whole(404, "{}"), 404, "{}"), diagnose.Nobody, ""},
		"an id that is none":                    {one("getPaymentStatus", "GET /Payment/1/Status", whole(404, "{}"), 404, "{}"), diagnose.Partner, "payment.status.unknown"},
		"a method":                              {one("", "PUT /Company/Create", whole(405, "{}"), 405, "{}"), diagnose.Partner, "error.method"},
		"a media type":                          {one("createPayment", "POST /Payment/Create", whole(415, "{}"), 415, "{}"), diagnose.Partner, "request.media-type"},
		"a size":                                {one("createPayment", "POST /Payment/Create", whole(413, "{}"), 413, "{}"), diagnose.Partner, "request.size"},
		"what a state does not admit":           {one("cancelPayment", "POST /Payment/1/Cancel", whole(409, "{}"), 409, "{}"), diagnose.Nobody, ""},
		"what was sent is missing":              {one("createPayment", "POST /Payment/Create", whole(400, "{}"), 200, "{}").last(func(x *recording.Exchange) { x.BodyMissing = true }), diagnose.Undecidable, ""},
		"a state, and what was sent is missing": {one("refundPayment", "POST /Payment/Refund/1", recording.Answer{Known: recording.WithoutBody, Status: 409}, 409, "{}").last(func(x *recording.Exchange) { x.BodyMissing = true }).forced(), diagnose.Undecidable, ""},
		"a refund of what is not shown":         {one("refundPayment", "POST /Payment/Refund/9b2f6a1c-4a1e-4a0e-8e55-0d6c1f3a7b21", whole(400, "{}"), 404, "{}").differs(compare.Difference{Class: compare.Unexplained, Where: "status", Recorded: "400", Replayed: "404"}), diagnose.Undecidable, ""},
		"an answer that never came":             {one("createPayment", "POST /Payment/Create", lost, 503, "{}").forced(), diagnose.Undecidable, ""},
		"a lost answer that was found":          {one("createPayment", "POST /Payment/Create", lost, 503, "{}").forced().call("reportTransactions", "GET /Transaction/Report", whole(200, "[]"), 200, "[]"), diagnose.Nobody, ""},
		"a lost answer, then a refusal":         {one("createPayment", "POST /Payment/Create", lost, 503, "{}").forced().call("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount), diagnose.Partner, "payment.create.amount"},
		"a lost answer of what is a read":       {one("listCompanies", "GET /Company/List", lost, 503, "{}").forced(), diagnose.Nobody, ""},
		"a lost call, perhaps made again":       {one("createPayment", "POST /Payment/Create", lost, 503, "{}").forced().call("createPayment", "POST /Payment/Create", whole(200, "{}"), 200, "{}").last(func(x *recording.Exchange) { x.Body = nil }), diagnose.Undecidable, ""},
		"the service broke a clause":            {one("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[1]").differs(broken), diagnose.Service, "company.list"},
		"nothing explains it":                   {one("listCompanies", "GET /Company/List", whole(200, "1"), 200, "2").differs(unexplained(0)), diagnose.Undecidable, ""},
		"a choice":                              {one("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount).differs(chosen), diagnose.Choice, ""},
		"the service before the partner":        {one("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount).differs(broken), diagnose.Service, "company.list"},
		"the earlier one":                       {one("createToken", "POST /Authentication/Token", whole(401, "{}"), 401, "{}").call("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount), diagnose.Partner, "auth.token.refused"},
		"what is known before what is not":      {one("listCompanies", "GET /Company/List", whole(200, "1"), 200, "2").differs(unexplained(0)).call("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount), diagnose.Partner, "payment.create.amount"},
		"an expired token that was renewed":     {expired().call("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]"), diagnose.Nobody, ""},
		"an expired token that was kept":        {expired().call("listCompanies", "GET /Company/List", whole(401, "{}"), 200, "[]"), diagnose.Partner, "auth.unauthorised"},
		"an expired token that was not":         {expired(), diagnose.Partner, "auth.unauthorised"},
		"states that cannot follow":             {contradicted(), diagnose.Service, "payment.status.machine"},
		"what a watched session tries":          {one("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount).watched("trouble"), diagnose.Nobody, ""},
		"a tape that nobody watched":            {one("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount).watched("deliberate"), diagnose.Partner, "payment.create.amount"},
	} {
		d := diagnose.Of(&c.in.Input)
		require.Equal(t, c.side, d.Side, name)
		require.Len(t, d.Lines, 5, name)
		if c.side == diagnose.Nobody {
			require.Nil(t, d.Fault, name)
			require.Contains(t, d.Lines[2], "nobody", name)
			continue
		}
		require.Equal(t, c.clause, d.Fault.Clause, name)
		require.Contains(t, d.Lines[1], "call ", name)
		if c.side == diagnose.Undecidable {
			require.NotEmpty(t, d.Ask, name)
			require.Contains(t, d.Lines[4], "Ask for: ", name)
		}
	}
}

// expired is a call with a token whose time was over.
func expired() *input {
	in := newInput().call("listCompanies", "GET /Company/List", whole(401, "{}"), 401, "{}")
	in.Run.Answers[0].Seq = 1
	in.Run.Entries = []tape.Entry{{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "listCompanies", Auth: tape.AuthExpired}}}
	return in
}

func contradicted() *input {
	in := newInput().call("getPaymentStatus", "GET /Payment/1/Status", whole(200, "{}"), 200, "{}")
	in.Contradictions = []infer.Contradiction{{Sight: infer.Sight{ID: "1", Status: "Pending"}, Machine: "payment", Before: "Paid"}}
	return in
}

// TestWhatALogLeavesOut: a log that shows no signature of a webhook does not record them,
// which is asked for; one that shows some does.
func TestWhatALogLeavesOut(t *testing.T) {
	t.Parallel()
	for header, asked := range map[string]bool{"Content-Type": true, "x-hmac-signature": false} {
		in := newInput().call("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]")
		in.Recording.Received = []recording.Received{{Header: []tape.Header{{Name: header, Value: "x"}}}}
		d := diagnose.Of(&in.Input)
		require.Equal(t, asked, strings.Contains(strings.Join(d.Ask, "\n"), "the headers of the webhooks"), header)
	}
}

// TestOneCauseHasOneSignature: places in lists and calls do not count; the side, clause,
// knob, operation and member do.
func TestOneCauseHasOneSignature(t *testing.T) {
	t.Parallel()
	f := diagnose.Fault{Side: diagnose.Partner, Clause: "a", Operation: "b", Pointer: "/list/0/amount"}
	same := f
	same.N, same.Pointer = 7, "/list/12/amount"
	require.Equal(t, f.Signature(), same.Signature())
	for _, change := range []func(*diagnose.Fault){
		func(f *diagnose.Fault) { f.Side = diagnose.Service },
		func(f *diagnose.Fault) { f.Clause = "c" },
		func(f *diagnose.Fault) { f.Knob = "c" },
		func(f *diagnose.Fault) { f.Operation = "c" },
		func(f *diagnose.Fault) { f.Pointer = "/list/0/name" },
	} {
		other := f
		change(&other)
		require.NotEqual(t, f.Signature(), other.Signature())
	}
	in := newInput().call("createPayment", "POST /Payment/Create", whole(400, "{}"), 400, amount)
	fault := diagnose.Of(&in.Input).Fault
	require.True(t, fault.Shown(&in.Input, nil))
	for _, change := range []func(*diagnose.Fault){
		func(f *diagnose.Fault) { f.Clause = "payment.create.phone" },
		func(f *diagnose.Fault) { f.Pointer = "/phone" },
		func(f *diagnose.Fault) { f.Operation = "createPlan" },
	} {
		other := *fault
		change(&other)
		require.False(t, other.Shown(&in.Input, nil), "another fault is not this one")
	}
}

// TestWhatHurtsStandsAboveAdvice: a webhook that its receiver refused is what is written about, and no name that calls lack.
func TestWhatHurtsStandsAboveAdvice(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		w      recording.Received
		side   diagnose.Side
		clause string
	}{
		"unchecked": {recording.Received{Log: []recording.Deed{{Kind: recording.Refused, Line: "signature mismatch"}}}, diagnose.Undecidable, ""},
		"wrong":     {recording.Received{Signature: recording.Wrong}, diagnose.Undecidable, ""},
		"right":     {recording.Received{Signature: recording.Valid, Log: []recording.Deed{{Kind: recording.Refused, Line: "signature mismatch"}}}, diagnose.Partner, "partner.webhook.raw-bytes"},
		"taken":     {recording.Received{Signature: recording.Valid}, diagnose.Nobody, ""},
	} {
		in := newInput().call("listCompanies", "GET /Company/List", whole(200, "[]"), 200, "[]")
		in.last(func(x *recording.Exchange) {
			x.Header = []tape.Header{{Name: "User-Agent", Value: "Go-http-client/1.1"}}
		})
		in.Run.Entries = []tape.Entry{{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{Operation: "listCompanies", Method: "GET", Path: "/Company/List", Request: tape.Request{Header: in.Recording.Exchanges[0].Header}, Response: tape.Response{Status: 200}}}}
		in.Run.Answers[0].Seq = 1
		c.w.Header, c.w.Body = []tape.Header{{Name: "X-HMAC-Signature", Value: "sha256=00"}}, []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{}}`)
		in.Recording.Received = []recording.Received{c.w}
		in.Run.Script.Steps = append(in.Run.Script.Steps, play.Step{Heard: 1})
		d := diagnose.Of(&in.Input)
		require.Equal(t, c.side, d.Side, "%s: %v", name, d.Lines)
		if c.side == diagnose.Nobody {
			require.Contains(t, d.Lines[4], "Advice that is not kept: ", name)
			continue
		}
		require.Equal(t, c.clause, d.Fault.Clause, name)
	}
}
