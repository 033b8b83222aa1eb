package feed

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"paysandbox/mockserver/tape"
)

// Fact is one named value.
type Fact struct{ Name, Value string }

// Body is bytes for people.
type Body struct {
	// Text is the body, JSON indented; Exact is it as it was sent, when that differs.
	Text, Exact string
	// Size is the whole length in bytes; Cut says that Text is only its beginning.
	Size   int
	Cut    bool
	Binary bool
}

// maxBody bounds what is shown of a body.
const maxBody = 64 << 10

// BodyOf makes a body readable.
func BodyOf(raw []byte) Body {
	b := Body{Size: len(raw)}
	if len(raw) > maxBody {
		raw, b.Cut = raw[:maxBody], true
	}
	if !utf8.Valid(bytes.TrimRight(raw, "\x80\x81\x82\x83")) && !b.Cut {
		b.Binary, b.Text = true, base64.StdEncoding.EncodeToString(raw)
		return b
	}
	b.Text = strings.ToValidUTF8(string(raw), "\uFFFD")
	var out bytes.Buffer
	if !b.Cut && json.Indent(&out, raw, "", "  ") == nil && out.String() != b.Text {
		b.Text, b.Exact = out.String(), b.Text
	}
	return b
}

// Message is one half of an exchange: what came in, or what went out.
type Message struct {
	// Title is the request line or the status.
	Title  string
	Header []tape.Header
	Body   Body
}

// Detail is one entry in full.
type Detail struct {
	Row
	// Facts are what else is known of it.
	Facts []Fact
	// In and Out are request and answer, as they were on the wire; nil when there
	// are none.
	In, Out  *Message
	Findings []tape.Finding
	Entities []string
	// Causes lead back to what came from outside; Dropped says that the chain ends in
	// what the tape has dropped.
	Causes  []Row
	Dropped bool
	// Effects are what followed from it.
	Effects     []Row
	MoreEffects bool
	// Curl repeats the call.
	Curl string
	// Attempt is set for a delivery.
	Attempt *tape.Attempt
	// Links and Codes are those of a message.
	Links, Codes []string
}

// DetailOf tells an entry in full. base is where the sandbox answers.
func DetailOf(t Tape, e tape.Entry, base string) Detail {
	d := Detail{Row: RowOf(&e), Findings: FindingsOf(&e), Entities: e.Entities, Attempt: e.Attempt}
	if d.Entity != "" {
		d.Entities = slices.DeleteFunc(slices.Clone(d.Entities), func(id string) bool { return id == d.Entity })
		d.Entities = slices.Insert(d.Entities, 0, d.Entity)
	}
	d.Causes = Causes(t, e)
	if from := e.Cause; from != 0 {
		if n := len(d.Causes); n > 0 {
			from = d.Causes[n-1].Cause
		}
		d.Dropped = from != 0 && len(d.Causes) < maxCauses
	}
	d.effects(t, e.Seq)
	switch {
	case e.Exchange != nil:
		d.exchange(e.Exchange, base)
	case e.Attempt != nil:
		d.attempt(e.Attempt)
	case e.Event != nil:
		d.Facts = []Fact{{"Event", e.Event.Name}, {"Event id", e.Event.ID}}
		d.Out = &Message{Title: "Body that receivers are sent", Body: BodyOf(e.Event.Body)}
	case e.Transition != nil:
		d.transition(e.Transition)
	case e.Message != nil:
		d.message(e.Message)
	case e.Timer != nil:
		d.Facts = []Fact{{"Timer", e.Timer.Name}, {"Due", moment(e.Timer.Due)}, {"Set by entry", strconv.FormatUint(e.Timer.Scheduled, 10)}}
	case e.Clock != nil:
		d.Facts = []Fact{{"From", moment(e.Clock.From)}, {"To", moment(e.Clock.To)}, {"Mode", e.Clock.Mode}}
	case e.Fetch != nil:
		d.Facts = []Fact{{"Address", e.Fetch.URL}, {"Media type", e.Fetch.ContentType}, {"Bytes", strconv.FormatInt(e.Fetch.Size, 10)}, {"SHA-256", e.Fetch.SHA256}, {"Error", e.Fetch.Error}}
	}
	return d
}

// effects are what followed from an entry; findings of its own are told with it.
func (d *Detail) effects(t Tape, seq uint64) {
	d.Effects, d.MoreEffects = Effects(t, seq)
	for n := range d.Effects {
		if d.Effects[n].Kind != tape.KindFinding.String() {
			continue
		}
		if f, ok := t.Entry(d.Effects[n].Seq); ok && d.Effects[n].Cause == seq {
			d.Findings = append(d.Findings, f.Findings...)
		}
	}
}

func moment(t int64) string { return time.Unix(0, t).UTC().Format(time.RFC3339Nano) }

func (d *Detail) exchange(x *tape.Exchange, base string) {
	address := x.Path
	if x.Query != "" {
		address += "?" + x.Query
	}
	d.Facts = []Fact{{"Operation", x.Operation}, {"Caller", x.Auth}, {"Token id", x.Token}, {"Client", d.Client}, {"Label", d.Label}, {"Fault", string(x.Fault)}}
	d.In = &Message{Title: x.Method + " " + address, Header: x.Request.Header, Body: BodyOf(x.Request.Body)}
	title := "HTTP " + strconv.Itoa(x.Response.Status)
	if x.Response.Status == 0 {
		title = "No answer: the connection was cut"
	}
	d.Out = &Message{Title: title, Header: x.Response.Header, Body: BodyOf(x.Response.Body)}
	d.Curl = Curl(x, base, false)
}

func (d *Detail) attempt(a *tape.Attempt) {
	d.Facts = []Fact{
		{"Delivery", a.Delivery}, {"Endpoint", a.Endpoint}, {"Event id", a.Event}, {"Attempt", strconv.Itoa(a.Number)}, {"Profile", string(a.Profile)}, {"Why", a.Reason},
	}
	if a.Next > 0 {
		d.Facts = append(d.Facts, Fact{"Next attempt", moment(a.Next)})
	}
	if a.Took > 0 {
		d.Facts = append(d.Facts, Fact{"Took", time.Duration(a.Took).Round(time.Millisecond).String()})
	}
	d.In = &Message{Title: "POST " + a.URL, Header: a.Header, Body: BodyOf(a.Body)}
	title := "HTTP " + strconv.Itoa(a.Status)
	if a.Status == 0 {
		title = "No answer: " + a.Error
	}
	d.Out = &Message{Title: title, Header: a.ResponseHeader, Body: BodyOf(a.ResponseBody)}
}

func (d *Detail) transition(t *tape.Transition) {
	from := t.From
	if from == "" {
		from = "(did not exist)"
	}
	d.Facts = []Fact{{"Machine", t.Machine}, {"Entity", t.Entity}, {"From", from}, {"To", t.To}, {"By", t.Event}, {"Why", t.Reason}}
}

func (d *Detail) message(m *tape.Message) {
	d.Facts = []Fact{{"Channel", m.Channel}, {"To", m.To}, {"Text", m.Template}}
	for _, p := range m.Params {
		d.Facts = append(d.Facts, Fact{p.Name, p.Value})
	}
	d.Links, d.Codes = m.Links, m.Codes
}

// Curl writes a call as a command for a shell, which is answered in the same way. A token
// stands in $TOKEN: where the caller showed one, or where one is wanted.
func Curl(x *tape.Exchange, base string, wanted bool) string {
	var b strings.Builder
	address := base + x.Path
	if x.Query != "" {
		address += "?" + x.Query
	}
	b.WriteString("curl -i -X " + Quote(x.Method) + " " + Quote(address))
	switch x.Auth {
	case "", tape.AuthMissing, tape.AuthNoneNeeded, tape.AuthCredentialsOK, tape.AuthCredentialsWrong:
	case tape.AuthMalformed:
		b.WriteString(" \\\n  -H 'Authorization: malformed'")
	default:
		wanted = true
	}
	if wanted {
		b.WriteString(" \\\n  -H \"Authorization: Bearer $TOKEN\"")
	}
	for _, h := range x.Request.Header {
		switch strings.ToLower(h.Name) {
		case "authorization", "content-length", "user-agent", "x-request-id", "x-forwarded-proto", "x-forwarded-host", "accept-encoding", "host":
			continue
		}
		b.WriteString(" \\\n  -H " + Quote(h.Name+": "+h.Value))
	}
	if len(x.Request.Body) > 0 {
		b.WriteString(" \\\n  --data-raw " + Quote(string(x.Request.Body)))
	}
	return b.String()
}

// Quote writes a word so that a shell takes it as it is.
func Quote(s string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./:", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// mainOf is what a call is about: of all that it touched what its path names, or what
// its answer names first, or without an answer what came last. A call that makes a
// payer on its way is about the payment.
func mainOf(list []string, x *tape.Exchange) string {
	main, at := list[len(list)-1], len(x.Response.Body)
	for _, id := range list {
		if strings.Contains(x.Path, id) {
			return id
		}
		if n := bytes.Index(x.Response.Body, []byte(id)); n >= 0 && n < at {
			main, at = id, n
		}
	}
	return main
}
