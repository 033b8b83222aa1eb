package writeout

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// plainly is the case with plain words for the tokens that its calls were granted, and for ids that a script could not replace
// wherever they stand, such as {{token}}: what answers show is put in the place of these. Moves that were not possible, for what
// they bring came by itself, are none, and so are later pages of a report whose rows the sandbox's own pages have before.
func (c *Case) plainly() *Case {
	w, p := c.plainWords(), *c
	p.Script = c.Script.Clone()
	answers, paged := map[int][]byte{}, map[int]bool{}
	for i := range c.Run.Answers {
		a := &c.Run.Answers[i]
		answers[a.Step], paged[a.Step] = a.Body, a.Paged
	}
	for i := range p.Script.Steps {
		s := &p.Script.Steps[i]
		if paged[i] {
			*s = play.Step{At: s.At}
		} else if s.Call != nil {
			call := *s.Call
			call.Exchange, call.Stands = w.call(&call.Exchange), spelled(w.values(call.Stands), answers[i])
			s.Call = &call
		} else if _, vain := c.Run.Moved[i]; vain {
			*s = play.Step{At: s.At}
		} else if s.Move != nil {
			move := *s.Move
			move.Path, move.Body, move.Stands = w.text(move.Path), []byte(w.text(string(move.Body))), w.values(move.Stands)
			s.Move = &move
		}
	}
	return &p
}

// spelled are values, where an answer has them: a service may write the names of members otherwise.
func spelled(list []correlate.Value, answer []byte) []correlate.Value {
	at := map[string]string{}
	correlate.Walk(answer, func(path []string, _ any) {
		where := correlate.Pointer(path)
		at[where], at[strings.ToLower(where)] = where, cmp.Or(at[strings.ToLower(where)], where)
	})
	for i := range list {
		list[i].Where = cmp.Or(at[list[i].Where], at[strings.ToLower(list[i].Where)], list[i].Where)
	}
	return list
}

// plainWords are words for values: for tokens, which stand as such alone, and for others wherever they stand.
type plainWords struct {
	tokens map[string]string
	odd    map[string]string
	fill   *strings.Replacer
}

func (w *plainWords) text(s string) string { return w.fill.Replace(s) }

func (w *plainWords) values(list []correlate.Value) []correlate.Value {
	list = slices.Clone(list)
	for i := range list {
		if word := w.tokens[list[i].Text]; word != "" && list[i].Type == correlate.Token {
			list[i].Text = word
		} else {
			list[i].Text = w.text(list[i].Text)
		}
	}
	return list
}

// call is a call with other words.
func (w *plainWords) call(x *recording.Exchange) recording.Exchange {
	y := *x
	y.Path, y.Query, y.Body = w.text(x.Path), w.text(x.Query), []byte(w.text(string(x.Body)))
	y.Header = slices.Clone(x.Header)
	for i := range y.Header {
		h := &y.Header[i]
		if word := w.tokens[correlate.Bearer([]tape.Header{*h})]; word != "" {
			h.Value = "Bearer " + word
		} else {
			h.Value = w.text(h.Value)
		}
	}
	answer := []byte(w.text(string(x.Answer.Body)))
	for token, word := range w.tokens {
		answer = bytes.ReplaceAll(answer, []byte(`"`+token+`"`), []byte(`"`+word+`"`))
	}
	if y.Answer.Body = answer; !bytes.Equal(answer, x.Answer.Body) {
		y.Answer.Header = slices.DeleteFunc(slices.Clone(x.Answer.Header), func(h tape.Header) bool { return strings.EqualFold(h.Name, "Content-Length") })
	}
	return y
}

// plainWords are those for the values that the answers of the case show.
func (c *Case) plainWords() *plainWords {
	w := &plainWords{tokens: map[string]string{}, odd: map[string]string{}}
	n := map[correlate.Type]int{}
	word := func(t correlate.Type) string {
		n[t]++
		return fmt.Sprintf("%s-%d-of-the-recording", t, n[t])
	}
	for i := range c.Script.Steps {
		for _, v := range c.shown(&c.Script.Steps[i]) {
			switch {
			case v.Text == "" || w.tokens[v.Text]+w.odd[v.Text] != "":
			case v.Type == correlate.Token:
				w.tokens[v.Text] = word(v.Type)
			case odd().MatchString(v.Text):
				w.odd[v.Text] = word(v.Type)
				w.odd[url.PathEscape(v.Text)] = w.odd[v.Text]
			}
		}
	}
	var pairs []string
	longest := func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) } // one may begin with another
	for _, text := range slices.SortedFunc(maps.Keys(w.odd), longest) {
		pairs = append(pairs, text, w.odd[text])
	}
	w.fill = strings.NewReplacer(pairs...)
	return w
}

// shown are the values that the answer to a step shows.
func (c *Case) shown(s *play.Step) []correlate.Value {
	switch {
	case s.Call != nil:
		return c.kept(&s.Call.Exchange, s.Call.Stands)
	case s.Move != nil:
		return s.Move.Stands
	default:
		return nil
	}
}

// odd is a value that is no word by itself, so that it stands nowhere by chance.
var odd = trail.Pattern(`^.*[^A-Za-z0-9._~-].*$`)

// effect is what the sandbox is to do in the place of answering a call, as Sandbox-Fault says it: a call whose answer never
// came is cut off.
func effect(call *play.Call) string {
	if call.Fault == "status=503" && call.Exchange.Answer.Known == recording.NeverArrived && call.Exchange.Answer.Status == 0 {
		return "cut-connection"
	}
	return call.Fault
}

// lost says whether a call was carried out, and its answer never came.
func lost(call *play.Call) bool {
	return call.Fault == "" && call.N != play.Prelude && call.Exchange.Answer.Known == recording.NeverArrived
}

// head are the headers that a call is written with.
func head(call *play.Call) []tape.Header {
	list := headers(&call.Exchange)
	if fault := effect(call); fault != "" {
		list = append(list, tape.Header{Name: "Sandbox-Fault", Value: fault})
	}
	return list
}
