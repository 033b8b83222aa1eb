package service

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// What gives a secret away. What a partner sends in such a member stands on the
// tape masked: its letters as x, its digits as 1.
var (
	tokenForm  = trail.Pattern(`eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{8,}`)
	ssnMember  = trail.Pattern(`(?i)"ssn"\s*:\s*"?([0-9]{4})`)
	hiddenText = trail.Pattern(`(?i)"client_?secret"\s*:\s*"((?:[^"\\]|\\.)*)"`)
)

// masked says whether a text is masked: no letter and no digit of it is another
// one than a mask's.
func masked(s string) bool {
	var read string
	if json.Unmarshal([]byte(`"`+s+`"`), &read) == nil { // an escape has letters that nobody sent
		s = read
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsNumber(r)) && !strings.ContainsRune("x1•ø١字１𠀀𝟏", r)
	})
}

// shortest is how long a secret has to be to be looked for.
const shortest = 6

// place is a text of an entry; sent is true when the service has sent it, false
// when it came in.
type place struct {
	name string
	text string
	sent bool
}

// hiddenSecrets looks for secrets in every text of the tape.
func (o *Options) hiddenSecrets(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for i := range t.Entries {
		e := &t.Entries[i]
		clean := true
		for _, p := range places(e) {
			if clause, leak := o.leak(e, p); leak != "" {
				clean = false
				y.Breach(clause, "no secret in the "+p.name, leak, "", e.Seq)
			}
		}
		if clean && e.Omitted == 0 {
			y.Holds(e.Seq)
		}
	}
	for _, kind := range tape.Kinds() {
		t.Omitted(&y, kind)
	}
	return y.Judgements("no text")
}

// leak says what a text gives away, without saying it again, and which clause
// that breaks; "" for nothing.
func (o *Options) leak(e *tape.Entry, p place) (clause, leak string) {
	for i, s := range o.Secrets {
		if len(s) >= shortest && strings.Contains(p.text, s) {
			return "auth.token.secret-hidden", "the secret number " + strconv.Itoa(i+1) + " of those handed in"
		}
	}
	if tokenForm().MatchString(p.text) && !p.grants(e) {
		return "auth.token.secret-hidden", "a token"
	}
	return p.member(e.Kind)
}

// grants says whether a text is the answer that grants a token.
func (p *place) grants(e *tape.Entry) bool {
	return e.Exchange != nil && trail.OperationOf(e.Exchange).Token && p.name == "answer"
}

// member says which member of a text gives a secret away, and which clause that
// breaks. The control API shows people their own client secret, masked on the
// tape.
func (p *place) member(kind tape.Kind) (clause, leak string) {
	for _, m := range ssnMember().FindAllStringSubmatch(p.text, -1) {
		if p.sent || m[1] != "1111" {
			return "error.secrets", "a member ssn with four digits"
		}
	}
	for _, m := range hiddenText().FindAllStringSubmatch(p.text, -1) {
		if kind != tape.KindControl && p.sent && m[1] != "" || !masked(m[1]) {
			return "auth.token.secret-hidden", "a client secret"
		}
	}
	return "", ""
}

// places lists the texts of an entry.
func places(e *tape.Entry) []place {
	switch {
	case e.Exchange != nil:
		x := e.Exchange
		return []place{
			{"path and query", x.Path + "?" + x.Query, false},
			{"request's headers", lines(x.Request.Header), false},
			{"request", string(x.Request.Body), false},
			{"answer's headers", lines(x.Response.Header), true},
			{"answer", string(x.Response.Body), true},
		}
	case e.Event != nil:
		return []place{{"event", string(e.Event.Body), true}}
	case e.Attempt != nil:
		a := e.Attempt
		return []place{
			{"delivery's address", a.URL, true},
			{"delivery's headers", lines(a.Header), true},
			{"delivery", string(a.Body), true},
			{"receiver's answer", string(a.ResponseBody), false},
		}
	case e.Message != nil:
		m := e.Message
		return []place{{"message", strings.Join(append([]string{m.Subject, m.Text, m.HTML, lines(m.Params)}, m.Links...), "\n"), true}}
	case e.Transition != nil:
		return []place{{"reason of a change", e.Transition.Reason, true}}
	case e.Findings != nil:
		var b strings.Builder
		for i := range e.Findings {
			b.WriteString(e.Findings[i].Received + "\n")
		}
		return []place{{"finding", b.String(), true}}
	}
	return nil
}

// lines writes headers one a line.
func lines(list []tape.Header) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].Name + ": " + list[i].Value + "\n")
	}
	return b.String()
}
