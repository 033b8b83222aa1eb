package feed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/tape"
)

// Group is what has gone wrong in the same way.
type Group struct {
	// Kind is finding, warning, answer, delivery or stuck.
	Kind string
	// Title names it: the clause, the status, the receiver.
	Title string
	// Why is why a receiver did not answer, empty for other groups.
	Why string
	// Clause, Operation and Client are what its members have in common.
	Clause, Operation, Client string
	// Expected and Fix are those of the newest finding.
	Expected, Fix string
	// Labels are those under which it has happened, the latest first; Others says that
	// there are more.
	Labels      []string
	Others      bool
	Count       int
	First, Last Row
	// Goes says that it has happened since the operation last went well.
	Goes    bool
	Outcome Outcome
	// Waits is how many of what is stuck still are.
	Waits int
}

// Problems are the groups, worst and newest first.
type Problems struct {
	Groups []Group
	// Entries is how many were looked at, From the oldest of them, and Dropped how
	// many older ones the tape has dropped.
	Entries int
	From    uint64
	Dropped uint64
	// Ahead is how many newer ones have not been looked at yet.
	Ahead uint64
	// More says that there are more groups than are shown.
	More bool
}

// maxGroups bounds the groups that are shown and those that are kept.
const (
	maxGroups = 200
	keptMost  = 2_000
)

// Sorter groups what has gone wrong. It is fed entries in their order.
type Sorter struct {
	groups  map[string]*Group
	good    map[string]uint64
	entries int
	from    uint64
	more    bool
	// clients are the callers of the newest exchanges, by their numbers.
	clients map[uint64]call
	titles  Titles
	// text is what an entry has to hold, or what its group is called by, to count.
	text Query
	// waits are the groups of what is stuck, by the ids of that; address is the endpoint of
	// the newest attempt, and where it is.
	waits   map[string]*Group
	address [2]string
	// pairs say of deliveries whether the first of two attempts of the same moment has
	// arrived, until the other is told.
	pairs map[string]bool
}

type call struct{ operation, client string }

// Titles gives the title of a clause for people, "" where it has none. Nil knows none.
type Titles func(clause string) string

// Of is the title of a clause, or its id.
func (t Titles) Of(clause string) string {
	if t == nil {
		return clause
	}
	return cmp.Or(t(clause), clause)
}

// NewSorter begins. Of what has gone wrong only that counts in which the text stands,
// "" for all; clauses are called by their titles.
func NewSorter(text string, titles Titles) *Sorter {
	return &Sorter{titles: titles, text: Query{Text: text}, groups: map[string]*Group{}, good: map[string]uint64{}, clients: map[uint64]call{}, waits: map[string]*Group{}, pairs: map[string]bool{}}
}

// Add takes in the next entry.
func (s *Sorter) Add(e *tape.Entry) {
	s.entries++
	if s.from == 0 {
		s.from = e.Seq
	}
	switch {
	case e.Exchange != nil && e.Kind != tape.KindControl:
		s.exchange(e)
	case e.Attempt != nil:
		s.attempt(e)
		s.wait(e)
	case e.Transition != nil:
		s.endpoint(e)
	case len(e.Findings) > 0:
		s.findings(e)
	case e.Fetch != nil && e.Fetch.Error != "":
		s.put(e, Group{Kind: "file", Title: "A file could not be fetched: " + e.Fetch.Error, Outcome: Bad})
	}
}

func (s *Sorter) exchange(e *tape.Entry) {
	x := e.Exchange
	client := tape.HeaderOf(x.Request.Header, "User-Agent")
	if len(s.clients) > keptMost {
		clear(s.clients)
	}
	s.clients[e.Seq] = call{x.Operation, client}
	if x.Response.Status > 0 && x.Response.Status < 400 {
		s.well(x.Operation, client, e.Seq)
		return
	}
	findings := ProblemOf(x.Response.Body).Findings
	for _, f := range findings {
		s.put(e, Group{Kind: "finding", Title: s.titles.Of(f.Clause), Clause: f.Clause, Operation: x.Operation, Client: client, Expected: at(f), Fix: f.Fix, Outcome: Bad})
	}
	if len(findings) == 0 {
		title := "Answered " + strconv.Itoa(x.Response.Status)
		if x.Response.Status == 0 {
			title = "No answer: the connection was cut"
		}
		s.put(e, Group{Kind: "answer", Title: title, Operation: x.Operation, Client: client, Expected: Refusal(x.Response.Body), Outcome: Bad})
	}
}

// at is what a finding expects, and where.
func at(f tape.Finding) string { return strings.TrimPrefix(f.Pointer+": "+f.Expected, ": ") }

func (s *Sorter) findings(e *tape.Entry) {
	from := s.clients[e.Cause]
	for _, f := range e.Findings {
		g := Group{Kind: "finding", Title: s.titles.Of(f.Clause), Clause: f.Clause, Operation: from.operation, Client: from.client, Expected: at(f), Fix: f.Fix, Outcome: Bad}
		if f.Advisory {
			g.Kind, g.Outcome = "warning", Warned
		}
		s.put(e, g)
	}
}

func (s *Sorter) attempt(e *tape.Entry) {
	a := e.Attempt
	if arrived(a) {
		s.well("POST "+a.URL, "", e.Seq)
		return
	}
	title, why := "The receiver answered "+strconv.Itoa(a.Status), ""
	if a.Status == 0 {
		title, why = "The receiver did not answer: "+a.Error, a.Error
	}
	s.put(e, Group{Kind: "delivery", Title: title, Why: why, Operation: "POST " + a.URL, Expected: "a status from 200 to 299", Fix: a.Reason, Outcome: Bad})
}

// well notes that an operation went well.
func (s *Sorter) well(operation, client string, seq uint64) {
	if len(s.good) < keptMost {
		s.good[operation+"\x00"+client] = seq
	}
}

// put counts one more of a group, and gives it; nil where it does not count.
func (s *Sorter) put(e *tape.Entry, g Group) *Group {
	key := g.Kind + "\x00" + g.Title + "\x00" + g.Clause + "\x00" + g.Operation + "\x00" + g.Client
	known := s.groups[key]
	row := RowOf(e)
	switch {
	case !s.text.Match(e, &row) && !g.says(s.text.Text):
		return nil
	case known == nil && len(s.groups) >= keptMost:
		s.more = true
		return nil
	case known == nil:
		g.First = row
		known = &g
		s.groups[key] = known
	}
	if known.Count == 0 || known.Last.Seq != e.Seq { // several of a kind in one call are one
		known.Count++
	}
	known.under(e.Label)
	known.Last, known.Expected, known.Fix = row, g.Expected, g.Fix
	return known
}

// maxLabels bounds the labels that a group names.
const maxLabels = 4

// under notes a label under which it has happened.
func (g *Group) under(label string) {
	if label == "" || len(g.Labels) > 0 && g.Labels[0] == label {
		return
	}
	g.Labels = append([]string{label}, slices.DeleteFunc(slices.Clone(g.Labels), func(known string) bool { return known == label })...)
	if len(g.Labels) > maxLabels {
		g.Labels, g.Others = g.Labels[:maxLabels], true
	}
}

// says whether a text stands in what names the group.
func (g *Group) says(text string) bool {
	return slices.ContainsFunc([]string{g.Title, g.Clause, g.Operation, g.Client, g.Expected, g.Fix}, func(s string) bool { return tape.Holds(s, text) })
}

// Problems gives the groups.
func (s *Sorter) Problems() Problems {
	p := Problems{Entries: s.entries, From: s.from, More: s.more}
	for _, g := range s.groups {
		one := *g
		if one.Goes = s.good[g.Operation+"\x00"+g.Client] < g.Last.Seq; g.Kind == Stuck {
			one.Goes = g.Waits > 0
		}
		p.Groups = append(p.Groups, one)
	}
	slices.SortStableFunc(p.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(rank(&b), rank(&a)), cmp.Compare(b.Last.Seq, a.Last.Seq), cmp.Compare(a.Title, b.Title), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Client, b.Client))
	})
	if len(p.Groups) > maxGroups {
		p.Groups, p.More = p.Groups[:maxGroups], true
	}
	return p
}

// rank puts first what still goes on, and refusals before warnings.
func rank(g *Group) int {
	n := 0
	if g.Goes {
		n += 2
	}
	if g.Outcome == Bad {
		n++
	}
	return n
}

// Problem is what a refusal says.
type Problem struct {
	Title, Detail string
	Findings      []tape.Finding
}

// ProblemOf reads a refusal's body; it is empty when that is something else.
func ProblemOf(body []byte) (p Problem) {
	if json.Unmarshal(body, &p) != nil {
		return Problem{}
	}
	return p
}

// Refusal is what a refusal says, in a few words: its first finding.
func Refusal(body []byte) string {
	p := ProblemOf(body)
	switch {
	case len(p.Findings) > 0:
		note := strings.TrimPrefix(strings.TrimPrefix(p.Findings[0].Pointer, "/")+": "+p.Findings[0].Expected, ": ")
		if more := len(p.Findings) - 1; more > 0 {
			note += fmt.Sprintf(" (and %d more)", more)
		}
		return note
	case p.Detail != "":
		return p.Detail
	default:
		return p.Title
	}
}
