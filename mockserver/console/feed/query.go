package feed

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// Query says which entries are shown. It stands in an address, so that a filtered
// list can be sent to somebody.
type Query struct {
	// Kinds are the kinds wanted; none means all.
	Kinds []tape.Kind
	// Outcome, Operation, Entity, Client and Label must be these; "" for any.
	Outcome                          Outcome
	Operation, Entity, Client, Label string
	// Answer must be what the entry was answered, as its row says it: a status, or a state.
	Answer string
	// Clause must be among the findings.
	Clause string
	// Text must stand in a path, a body, a header, an id or a reason, in any case.
	Text string
	// Reads gives other texts of an entry in which Text may stand; nil for none.
	Reads func(*tape.Entry) []string
	// Before leaves out entries from this number on; 0 for none.
	Before uint64
}

// NoOperation is the operation of a call of a path that has none.
const NoOperation = "none"

// maxText bounds what is searched for.
const maxText = 200

// ParseQuery reads the parameters of an address. What it does not know is left out.
func ParseQuery(v url.Values) Query {
	q := Query{
		Outcome: Outcome(v.Get("outcome")), Operation: v.Get("operation"), Entity: v.Get("entity"), Client: v.Get("client"),
		Label: v.Get("label"), Clause: v.Get("clause"), Answer: v.Get("answer"), Text: strings.TrimSpace(v.Get("q")),
	}
	if len(q.Text) > maxText {
		q.Text = strings.TrimSpace(strings.ToValidUTF8(q.Text[:maxText], ""))
	}
	if !slices.Contains([]Outcome{Good, Warned, Bad, Plain}, q.Outcome) {
		q.Outcome = ""
	}
	for _, name := range v["kind"] {
		var k tape.Kind
		if k.UnmarshalText([]byte(name)) == nil && !slices.Contains(q.Kinds, k) {
			q.Kinds = append(q.Kinds, k)
		}
	}
	q.Before, _ = strconv.ParseUint(v.Get("before"), 10, 63)
	return q
}

// Values writes the query as the parameters of an address, without Before.
func (q Query) Values() url.Values {
	v := url.Values{}
	for _, k := range q.Kinds {
		v.Add("kind", k.String())
	}
	for name, value := range map[string]string{
		"outcome": string(q.Outcome), "operation": q.Operation, "entity": q.Entity, "client": q.Client, "label": q.Label, "clause": q.Clause, "answer": q.Answer, "q": q.Text,
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return v
}

// Empty says whether the query lets everything through.
func (q Query) Empty() bool { return len(q.Values()) == 0 }

// Given are the facts that have a value.
func Given(all ...Fact) []Fact {
	return slices.DeleteFunc(all, func(f Fact) bool { return f.Value == "" })
}

// HasKind says whether entries of a kind are asked for by name.
func (q Query) HasKind(name string) bool {
	return slices.ContainsFunc(q.Kinds, func(k tape.Kind) bool { return k.String() == name })
}

// Match says whether an entry, told as a row, is shown.
func (q Query) Match(e *tape.Entry, r *Row) bool {
	return (len(q.Kinds) == 0 || slices.Contains(q.Kinds, e.Kind)) && q.names(r) &&
		(q.Entity == "" || slices.Contains(e.Entities, q.Entity)) &&
		(q.Clause == "" || breaks(e, q.Clause)) &&
		(q.Text == "" || contains(e, r, q.Text) || q.Reads != nil && slices.ContainsFunc(q.Reads(e), func(s string) bool { return tape.Holds(s, q.Text) }))
}

// names says whether a row has the words that it must have.
func (q Query) names(r *Row) bool {
	is := func(wanted, given string) bool { return wanted == "" || wanted == given }
	return is(string(q.Outcome), string(r.Outcome)) && is(q.Operation, cmp.Or(r.Operation, NoOperation)) &&
		is(q.Client, r.Client) && is(q.Label, r.Label) && is(q.Answer, r.Badge)
}

// matches says whether an entry passes.
func (q Query) matches(e *tape.Entry) bool {
	r := RowOf(e)
	return q.Match(e, &r)
}

// breaks says whether an entry has a finding of a clause.
func breaks(e *tape.Entry, clause string) bool {
	return slices.ContainsFunc(FindingsOf(e), func(f tape.Finding) bool { return f.Clause == clause })
}

// FindingsOf are the findings that an entry tells of itself.
func FindingsOf(e *tape.Entry) []tape.Finding {
	switch {
	case len(e.Findings) > 0:
		return e.Findings
	case e.Exchange != nil && e.Exchange.Response.Status >= 400:
		return ProblemOf(e.Exchange.Response.Body).Findings
	default:
		return nil
	}
}

// contains says whether a text stands anywhere in an entry, or in the row that tells it.
func contains(e *tape.Entry, r *Row, text string) bool {
	return slices.ContainsFunc([]string{r.Text, r.Note, r.Badge, r.Kind, "#" + strconv.FormatUint(e.Seq, 10)}, func(s string) bool { return tape.Holds(s, text) }) ||
		e.Mentions(text)
}

// Has says whether a text stands in one of some, in any case of ASCII letters.
func Has(text string, in ...string) bool {
	return text == "" || slices.ContainsFunc(in, func(s string) bool { return tape.Holds(s, text) })
}
