package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

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

// archive is what a file tells of its integration.
func (v *visit) archive() *archive.Archive {
	o, _ := v.from.(*opened)
	o.once.Do(func() { o.told = archive.Of(&o.meta, o.entries) })
	return o.told
}

// now is where the clock stands, or stood at the end of a file.
func (v *visit) now() time.Time {
	if v.on == nil {
		return time.Unix(0, v.archive().Clock.Stood)
	}
	_, now, _ := v.on.Clock()
	return now
}

// deliveriesPage is what the screen Deliveries shows.
type deliveriesPage struct {
	Endpoints []endpoint
	Sent      []feed.Sent
	State, Of string
	States    []string
	// Shown is how many the filter lets through, in view or not: what an action on all
	// acts on; Filter are the members of its form.
	Shown  int
	Filter []feed.Fact
	all    []feed.Sent
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
	headerAtPlace = "Sandbox-Exchange"
)

// deliveries shows what was sent to receivers.
func (v *visit) deliveries() {
	v.open("deliveries", "Deliveries")
	p := deliveriesPage{Profiles: ledger.ProfileNames(), States: []string{feed.StateArrived, feed.StateWaiting, feed.StateFailing, feed.StateGivenUp}, Endpoints: v.endpoints()}
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
	g := feed.Grid{Text: text}
	low := upTo
	for low > first && g.Attempts < maxAttempts && len(g.Order) < 3*maxSent {
		next := max(first, low-min(low-1, 500))
		entries := v.between(tape.Filter{Kinds: []tape.Kind{tape.KindEvent, tape.KindAttempt}, Label: p.Label}, next, low)
		for n := len(entries) - 1; n >= 0; n-- {
			if entries[n].Seq < low {
				g.Take(&entries[n])
			}
		}
		low = next
	}
	if upTo > last {
		v.waiting(&g, p.Label)
	}
	for _, s := range g.List() {
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
func (p *deliveriesPage) passes(s *feed.Sent) bool {
	return s.Found && (p.State == "" || p.State == s.State) && (p.Of == "" || p.Of == s.Endpoint)
}

// waiting puts first what no attempt is known of: the tape has nothing of it but its event. The
// control API is asked only where endpoints have more before them than fails.
func (v *visit) waiting(g *feed.Grid, label string) {
	if v.on == nil {
		return
	}
	pending, address := 0, map[string]string{}
	for _, e := range v.endpoints() {
		pending += e.Pending
		address[e.ID] = e.Shown()
	}
	for _, s := range g.Order {
		if s.State == feed.StateFailing {
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
				g.Order = slices.Insert(g.Order, 0, &feed.Sent{
					Delivery: d.ID, Endpoint: d.Endpoint, URL: address[d.Endpoint], Event: d.Event, EventID: d.EventID, Entity: d.Entity,
					State: feed.StateWaiting, Tone: feed.Warned, Note: d.Why, Found: g.Text.Empty(),
				})
			}
		}
	}
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
		one := call.Single{Tone: "good", Name: "sent", Text: p.all[n].Name()}
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
