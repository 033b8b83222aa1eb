package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/console/archive"
	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	ledger "paysandbox/mockserver/delivery"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
)

// delivery is one event on its way to one endpoint, as the control API tells it.
type delivery struct {
	ID, Endpoint, Event, EventID, Entity, State, Why string
	Next                                             *string
	Attempts                                         []struct {
		Seq    uint64
		Number int
		At     string
		Status int
		Error  string
	}
	// Tells is the state that the event tells.
	Tells string
}

// endpoint is a webhook endpoint, as the control API or a file tells it.
type endpoint struct {
	archive.Endpoint
	Secret  string
	Pending int
}

// Shown is the address without its tokens: a screen is looked at by others, too.
func (e endpoint) Shown() string { return secret.Address(e.URL) }

// endpoints asks for the webhook endpoints.
func (v *visit) endpoints() []endpoint {
	var list struct{ Webhooks []endpoint }
	if v.on == nil {
		for _, e := range v.archive().Endpoints {
			list.Webhooks = append(list.Webhooks, endpoint{Endpoint: e})
		}
		return list.Webhooks
	}
	_ = v.get("/webhooks", &list) // the screen says that there are none
	return list.Webhooks
}

// sent is one event with its attempts, as the tape tells them.
type sent struct {
	Delivery, Endpoint, URL, Event, EventID, Entity, Status, Label string
	// First is the number of the event, or of the oldest attempt that is known.
	First uint64
	Dots  []dot
	// State is delivered, failing, given up or waiting for its first attempt; Note says why.
	State, Note string
	Tone        feed.Outcome
	// found says that an attempt has the text that is searched for.
	found bool
}

// dot is one attempt in the grid.
type dot struct {
	Seq     uint64
	Label   string
	Outcome feed.Outcome
}

// deliveriesPage is what the screen Deliveries shows.
type deliveriesPage struct {
	Endpoints []endpoint
	Sent      []sent
	State, Of string
	States    []string
	// Shown is how many the filter lets through, in view or not: what an action on all
	// acts on; Filter are the members of its form.
	Shown  int
	Filter []feed.Fact
	all    []sent
	Label  string
	// Text is what is searched for in events and attempts.
	Text string
	// From is the oldest entry that was looked at; Older leads further back.
	From     uint64
	More     bool
	Older    string
	Profiles []string
}

// The bounds of the grid.
const (
	maxSent       = 100
	maxAttempts   = 3_000
	stateFailing  = "failing"
	stateGivenUp  = "given-up"
	stateArrived  = "delivered"
	stateWaiting  = "waiting"
	headerAtPlace = "Sandbox-Exchange"
)

// deliveries shows what was sent to receivers.
func (v *visit) deliveries() {
	v.open("deliveries", "Deliveries")
	p := deliveriesPage{Profiles: ledger.ProfileNames(), States: []string{stateArrived, stateWaiting, stateFailing, stateGivenUp}, Endpoints: v.endpoints()}
	p.read(v, v.r.URL.Query())
	v.show(http.StatusOK, "deliveries", &p)
}

// read puts the grid together from the newest entries.
func (p *deliveriesPage) read(v *visit, q url.Values) {
	p.State, p.Of, p.Label = q.Get("state"), q.Get("endpoint"), q.Get("label")
	text := feed.ParseQuery(url.Values{"q": q["q"]})
	p.Text = text.Text
	first, last := v.from.Bounds()
	if last == 0 {
		return
	}
	upTo := last + 1
	if before, err := strconv.ParseUint(q.Get("before"), 10, 63); err == nil && before < upTo {
		upTo = before
	}
	g := grid{text: text, byID: map[string]int{}, events: map[string]*tape.Entry{}}
	low := upTo
	for low > first && g.attempts < maxAttempts && len(g.order) < 3*maxSent {
		next := max(first, low-min(low-1, 500))
		entries := v.between(tape.Filter{Kinds: []tape.Kind{tape.KindEvent, tape.KindAttempt}, Label: p.Label}, next, low)
		for n := len(entries) - 1; n >= 0; n-- {
			if entries[n].Seq < low {
				g.take(&entries[n])
			}
		}
		low = next
	}
	if upTo > last {
		g.wait(v, p.Label)
	}
	for _, s := range g.finish() {
		if p.passes(&s) {
			p.all = append(p.all, s)
		}
	}
	p.Sent = p.all[:min(len(p.all), maxSent)]
	p.Shown, p.From, p.More = len(p.all), low, low > first
	p.Filter = []feed.Fact{{Name: "state", Value: p.State}, {Name: "endpoint", Value: p.Of}, {Name: "label", Value: p.Label}, {Name: "q", Value: p.Text}, {Name: "before", Value: strconv.FormatUint(upTo, 10)}}
	q.Set("before", strconv.FormatUint(low, 10))
	q.Del("did")
	p.Older = v.root() + "/deliveries?" + q.Encode()
}

// between gives the entries from one up to another that pass. Of a file, which has no list of
// kinds, nothing is looked at behind them.
func (v *visit) between(f tape.Filter, from, upTo uint64) []tape.Entry {
	f.Since, f.Limit = from-1, int(upTo-from) //nolint:gosec // G115: at most 500
	o, ok := v.from.(*opened)
	if !ok {
		return v.from.Read(f)
	}
	end, _ := o.find(upTo)
	return (&opened{entries: o.entries[:end]}).Read(f)
}

// passes says whether a delivery is asked for.
func (p *deliveriesPage) passes(s *sent) bool {
	return s.found && (p.State == "" || p.State == s.State) && (p.Of == "" || p.Of == s.Endpoint)
}

// grid groups attempts by delivery, newest first.
type grid struct {
	order    []*sent
	byID     map[string]int
	events   map[string]*tape.Entry
	attempts int
	text     feed.Query
}

func (g *grid) take(e *tape.Entry) {
	if e.Event != nil {
		g.events[e.Event.ID] = e
		return
	}
	a := e.Attempt
	if a == nil {
		return
	}
	g.attempts++
	n, ok := g.byID[a.Delivery]
	row := feed.RowOf(e)
	if !ok {
		n = len(g.order)
		g.byID[a.Delivery] = n
		s := &sent{Delivery: a.Delivery, Endpoint: a.Endpoint, URL: a.URL, EventID: a.Event, Label: e.Label, State: stateGivenUp, Tone: feed.Bad, Note: row.Note}
		if a.Next > 0 {
			s.State, s.Tone = stateFailing, feed.Warned
		}
		g.order = append(g.order, s)
	}
	s := g.order[n]
	s.First = e.Seq
	s.found = s.found || g.text.Match(e, &row)
	if row.Outcome == feed.Good {
		s.State, s.Tone, s.Note = stateArrived, feed.Good, ""
	}
	s.Dots = append([]dot{{e.Seq, row.Badge, row.Outcome}}, s.Dots...)
}

// wait puts first what no attempt is known of: the tape has nothing of it but its event. The
// control API is asked only where endpoints have more before them than fails.
func (g *grid) wait(v *visit, label string) {
	if v.on == nil {
		return
	}
	pending, address := 0, map[string]string{}
	for _, e := range v.endpoints() {
		pending += e.Pending
		address[e.ID] = e.Shown()
	}
	for _, s := range g.order {
		if s.State == stateFailing {
			pending--
		}
	}
	for _, state := range []string{"queued", "held"} {
		var list struct{ Deliveries []delivery }
		if pending <= 0 || v.get("/deliveries?"+url.Values{"state": {state}, "label": {label}}.Encode(), &list) != nil {
			continue
		}
		for _, d := range list.Deliveries {
			if len(d.Attempts) == 0 {
				g.order = slices.Insert(g.order, 0, &sent{
					Delivery: d.ID, Endpoint: d.Endpoint, URL: address[d.Endpoint], Event: d.Event, EventID: d.EventID, Entity: d.Entity,
					State: stateWaiting, Tone: feed.Warned, Note: d.Why, found: g.text.Empty(),
				})
			}
		}
	}
}

// finish adds what the events tell.
func (g *grid) finish() []sent {
	list := make([]sent, 0, len(g.order))
	for _, s := range g.order {
		if e := g.events[s.EventID]; e != nil {
			s.Event, s.First, s.Label = e.Event.Name, e.Seq, e.Label
			row := feed.RowOf(e)
			s.Status, s.found = row.Note, s.found || g.text.Match(e, &row)
			if len(e.Entities) > 0 {
				s.Entity = e.Entities[0]
			}
		}
		list = append(list, *s)
	}
	return list
}

// resend sends everything that the filter shows once more, in view or not, and tells
// what came of each. The form says how many that were when its page was written: where
// it is another number by now, nothing is sent.
func (v *visit) resend() {
	if !v.readForm() {
		return
	}
	form := v.r.PostForm
	if v.on == nil || v.console.guard.looksOnly(v.r) {
		v.refuse(http.StatusForbidden, "You may look here, and send nothing", "Nothing was sent.")
		return
	}
	var p deliveriesPage
	p.read(v, form)
	if told := form.Get("number"); len(p.all) == 0 || told != strconv.Itoa(len(p.all)) {
		v.refuse(http.StatusConflict, "Nothing was sent", "The page would have sent "+told+" again, and the filter lets "+strconv.Itoa(len(p.all))+" through by now. Open the page again.")
		return
	}
	out := call.Outcome{Tone: "good"}
	good := 0
	for n := range p.all {
		one := call.Single{Tone: "good", Name: "sent", Text: p.all[n].name()}
		a := v.ask().Do(v.r, http.MethodPost, "/integrations/"+url.PathEscape(v.id)+"/deliveries/"+url.PathEscape(p.all[n].Delivery)+"/resend", nil)
		if err := a.Err(); err != nil {
			one.Tone, one.Name, one.Text, out.Tone = "bad", "not sent", one.Text+": "+err.Error(), "bad"
		} else {
			good++
			out.Curl, out.Entry = a.Curl, a.Header.Get(headerAtPlace)
		}
		out.Each = append(out.Each, one)
	}
	out.Title = strconv.Itoa(good) + " of " + strconv.Itoa(len(p.all)) + " were sent again; how each comes out stands below."
	v.back(form.Get("back"), &out)
}

// name is what a delivery is known by.
func (s *sent) name() string {
	return strings.TrimSpace(s.Event + " " + s.Status + " #" + strconv.FormatUint(s.First, 10) + " to " + s.URL)
}
