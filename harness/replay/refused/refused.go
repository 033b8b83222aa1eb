// Package refused finds what a recording shows to be there although the call that was to make it was refused, and says what
// keeps one from telling that it came of that call. It judges nobody.
package refused

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Thing is something that is there although its call was refused. Exchanges are counted from 0.
type Thing struct {
	// Call is the refused call, Before the last that shows that the thing was not there, which may be the refused one, -1 for none,
	// and Seen those that show it.
	Call, Before int
	Seen         []int
	// Again are later calls that were refused because it is there.
	Again []int
	// Kind is what it is, What names it in words, and Name is what it is called, in lower case, "" where it has no name.
	Kind, What, Name string
	// Doubt is why it may have come of something else, "" where nothing speaks for that.
	Doubt string
}

// kind is a kind of things that lists show under a name which their makers have given.
type kind struct {
	word string
	// made are the resources that its makers make, as machines are named, and lister is the operation that lists them.
	made   []string
	lister string
	// sent and row are the name's member in what was sent and in a row; same are members that both have, and that are equal for one
	// thing.
	sent, row string
	same      []string
}

var kinds = []kind{
	{"company", []string{"company"}, "listCompanies", "companyReferenceId", "referenceId", []string{"name"}},
	{"location", []string{"location"}, "listLocations", "name", "name", nil},
	{"plan", []string{"plan"}, "listPlans", "name", "name", []string{"amount"}},
	{"payment", []string{"payment", "card-authorisation"}, "reportTransactions", "reference", "reference", []string{"amount"}},
}

// rows is the list's member in the lister's answer.
func (k *kind) rows() string { return trail.OperationNamed(k.lister).Lists }

// madeBy says whether an operation makes things of a kind.
func (k *kind) madeBy(operation string) bool {
	return slices.ContainsFunc(k.made, trail.OperationNamed(operation).MakesA)
}

// within is how long after the look before a thing may be seen: in more time others may have made it.
const within = 15 * time.Minute

// search looks through a recording; operation names that of an exchange.
type search struct {
	*recording.Recording
	operation func(n int) string
}

// There are the things that are there although their calls were refused, each once, in the order of the calls.
func There(r *recording.Recording, operation func(n int) string) []Thing {
	s := search{r, operation}
	var list []Thing
	told := map[string]bool{}
	for n := range r.Exchanges {
		if t, found := s.refunded(n); found {
			list = append(list, t)
		}
		for i := range kinds {
			k := &kinds[i]
			if !refused(&r.Exchanges[n]) || k.taken(&r.Exchanges[n]) {
				continue
			}
			name := s.named(k, n)
			if name == "" || told[k.word+name] {
				continue
			}
			if t, found := s.find(k, n, name); found {
				told[k.word+name] = true
				list = append(list, t)
			}
		}
	}
	return list
}

// refused says whether a service has refused a call for what it sent.
func refused(x *recording.Exchange) bool {
	return (x.Answer.Status == 400 || x.Answer.Status == 422) && !x.BodyMissing && (x.Answer.Known == recording.Whole || x.Answer.Known == recording.WithoutBody)
}

// taken says whether a call was refused because the name that it gives is another's already, as far as its answer tells.
func (k *kind) taken(x *recording.Exchange) bool {
	said := bytes.ToLower(x.Answer.Body)
	return len(said) == 0 || bytes.Contains(said, []byte(strings.ToLower(k.sent))) || bytes.Contains(said, []byte("exist")) || bytes.Contains(said, []byte("already"))
}

// named is the name that a call gives to what it makes, "" for none.
func (s *search) named(k *kind, n int) string {
	if !k.madeBy(s.operation(n)) {
		return ""
	}
	name := trail.ReadBody(s.Exchanges[n].Body).Text(k.sent)
	if len(name) < 3 || recording.Struck(name) {
		return ""
	}
	return strings.ToLower(name)
}

// find is the thing of a name whose call was refused, where the recording shows it afterwards and nothing that made it.
func (s *search) find(k *kind, n int, name string) (Thing, bool) {
	t := Thing{Call: n, Before: -1, Kind: k.word, Name: name, What: "the " + k.word + " " + trail.ReadBody(s.Exchanges[n].Body).Text(k.sent)}
	for m := n + 1; m < len(s.Exchanges); m++ {
		if s.shows(k, m, name) {
			t.Seen = append(t.Seen, m)
		}
		if s.named(k, m) == name && refused(&s.Exchanges[m]) && k.taken(&s.Exchanges[m]) {
			t.Again = append(t.Again, m)
		}
	}
	if len(t.Seen) == 0 {
		return t, false
	}
	for m := range t.Seen[0] {
		switch {
		case s.makes(k, m, name) && s.Exchanges[m].Answer.Status/100 == 2, m < n && s.shows(k, m, name):
			return t, false // a call has made it, or it was there before
		case m < n && s.lacks(k, m, name):
			t.Before = m
		}
	}
	if t.Before < 0 && s.wouldTell(&t) {
		t.Before = n
	}
	t.Doubt = s.doubt(k, &t, name)
	return t, true
}

// wouldTell says whether the refusal itself shows that the thing was not there: it names more than the first that was wrong, every
// member is looked at before anything is made, and a later refusal of the same name says that it is taken.
func (s *search) wouldTell(t *Thing) bool {
	return len(trail.ReadBody(s.Exchanges[t.Call].Answer.Body).Object("errors")) > 1 && len(t.Again) > 0 && len(s.Exchanges[t.Again[0]].Answer.Body) > 0
}

// makes says whether a call is to make the thing of a name, or may be: what it sent is not shown.
func (s *search) makes(k *kind, m int, name string) bool {
	return k.madeBy(s.operation(m)) && (s.named(k, m) == name || s.Exchanges[m].BodyMissing)
}

// lacks says whether an answer that does not show the thing of a name shows that it is not there.
func (s *search) lacks(k *kind, m int, name string) bool {
	return s.lists(k, m) || s.asksFor(m, name) && s.Exchanges[m].Answer.Status == 404
}

// lists says whether an exchange shows all things of a kind.
func (s *search) lists(k *kind, m int) bool {
	x := &s.Exchanges[m]
	more, _ := trail.ReadBody(x.Answer.Body).Get("hasMore").(bool)
	return s.operation(m) == k.lister && x.Answer.Status == 200 && x.Answer.Known == recording.Whole && trail.ReadBody(x.Answer.Body).Get(k.rows()) != nil && !more
}

// rowOf is the row of a name in a list, nil for none.
func (s *search) rowOf(k *kind, m int, name string) trail.Body {
	if s.operation(m) != k.lister || s.Exchanges[m].Answer.Status != 200 {
		return nil
	}
	for _, row := range trail.ReadBody(s.Exchanges[m].Answer.Body).List(k.rows()) {
		if strings.EqualFold(row.Text(k.row), name) {
			return row
		}
	}
	return nil
}

// shows says whether an answer shows that the thing of a name is there.
func (s *search) shows(k *kind, m int, name string) bool {
	return s.rowOf(k, m, name) != nil || k.word == "company" && s.asksFor(m, name) && s.Exchanges[m].Answer.Status == 200
}

// asksFor says whether a call asks for something by its name.
func (s *search) asksFor(m int, name string) bool {
	x := &s.Exchanges[m]
	return x.Method == "GET" && slices.Contains(strings.Split(strings.ToLower(x.Path), "/"), name)
}

// doubt is why a thing may have come of something else.
func (s *search) doubt(k *kind, t *Thing, name string) string {
	call := &s.Exchanges[t.Call]
	row := s.rowOf(k, t.Seen[0], name)
	if t.Before < 0 {
		return fmt.Sprintf("no call before call %d shows that it was not there", t.Call+1)
	}
	for _, member := range k.same {
		sent := trail.ReadBody(call.Body)
		if row != nil && fmt.Sprint(row.Get(member)) != fmt.Sprint(sent.Get(member)) {
			return fmt.Sprintf("its %s is another than call %d has sent", member, t.Call+1)
		}
	}
	if at := source.Time(row.Text("creationDate")); !at.IsZero() && !call.Begin.IsZero() && at.Sub(call.Begin).Abs() > time.Minute {
		return fmt.Sprintf("it was created at %s, and call %d was made at %s", at.UTC().Format(time.RFC3339), t.Call+1, call.Begin.UTC().Format(time.RFC3339))
	}
	if other := s.unknown(k, t.Before, t.Seen[0], name); other != "" {
		return fmt.Sprintf("%s has come into being meanwhile, too, by no call that is shown", other)
	}
	return s.gap(t.Before, t.Seen[0], func(m int) bool { return s.makes(k, m, name) })
}

// gap is what may be missing between two exchanges: of calls that may have done it, or of the file.
func (s *search) gap(before, seen int, may func(m int) bool) string {
	a, b := &s.Exchanges[before], &s.Exchanges[seen]
	for m := range seen {
		if may(m) && unanswered(&s.Exchanges[m].Answer) {
			return fmt.Sprintf("what call %d was answered is not shown", m+1)
		}
	}
	token := func(x *recording.Exchange) string { return source.Header(x.Header, "Authorization") }
	switch {
	case a.Place.Source != b.Place.Source:
		return fmt.Sprintf("calls %d and %d stand in two files", before+1, seen+1)
	case !strings.EqualFold(a.Host, b.Host) || token(a) != token(b) || a.Path+a.Query != b.Path+b.Query && s.operation(before) == s.operation(seen):
		return fmt.Sprintf("calls %d and %d may have been made for two integrations", before+1, seen+1)
	case a.Begin.IsZero() || b.Begin.IsZero():
		return fmt.Sprintf("how long after call %d call %d was made is not shown", before+1, seen+1)
	case b.Begin.Sub(a.Begin) > within:
		return fmt.Sprintf("%s lie between calls %d and %d", b.Begin.Sub(a.Begin).Round(time.Minute), before+1, seen+1)
	case slices.ContainsFunc(s.Skipped, func(k recording.Skipped) bool { return k.Place.Source == a.Place.Source && k.Lost() }):
		return "a part of " + a.Place.Source + " could not be read"
	default:
		return ""
	}
}

// unanswered says whether what became of a call is not known.
func unanswered(a *recording.Answer) bool {
	return a.Known == recording.NeverArrived || a.Known == recording.NotRecorded || a.Status == 0 || a.Status >= 500
}

// unknown is another thing that a list shows first, and that no call in between has made, "" for none.
func (s *search) unknown(k *kind, before, seen int, name string) string {
	if s.operation(before) != k.lister || s.operation(seen) != k.lister {
		return ""
	}
	for _, row := range trail.ReadBody(s.Exchanges[seen].Answer.Body).List(k.rows()) {
		other := strings.ToLower(row.Text(k.row))
		made := false
		for m := before; m < seen; m++ {
			made = made || s.Exchanges[m].Answer.Status/100 == 2 && s.makes(k, m, other)
		}
		if other != name && !made && s.rowOf(k, before, other) == nil {
			return row.Text(k.row)
		}
	}
	return ""
}
