package console

import (
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/console/sheet"
	"paysandbox/mockserver/console/stream"
	"paysandbox/mockserver/tape"
)

// shownRow is a row with the address that its links begin with.
type shownRow struct {
	feed.Row
	Root string
}

func shownRows(root string, rows []feed.Row) []shownRow {
	list := make([]shownRow, len(rows))
	for n := range rows {
		list[n] = shownRow{rows[n], root}
	}
	return list
}

// livePage is what the screen Live shows.
type livePage struct {
	Query    feed.Query
	List     feed.List
	Rows     []shownRow
	Kinds    []string
	Outcomes []choice
	// Only are the filters of which an address was made, and Kept those without a field.
	Only, Kept []feed.Fact
	// Waiting says that nobody has called yet; Try is what to run then.
	Waiting bool
	// Begin says that there is no payment yet, and that the first one can be made here.
	Begin bool
	Try   string
	// Further is the address of the older entries.
	Further string
	Dropped uint64
	World   *slider
}

// choice is one option of a list.
type choice struct {
	Value feed.Outcome
	Name  string
}

// live shows what happens.
func (v *visit) live() {
	q := v.query(v.r.URL.Query())
	p := livePage{Query: q, List: feed.Read(v.from, q), Outcomes: []choice{
		{feed.Bad, "failed or refused"}, {feed.Warned, "with a warning"}, {feed.Good, "well"}, {feed.Plain, "neither"},
	}}
	p.Rows = shownRows(v.root(), p.List.Rows)
	for _, k := range tape.Kinds() {
		p.Kinds = append(p.Kinds, k.String())
	}
	p.Kept = feed.Given(feed.Fact{Name: "client", Value: q.Client}, feed.Fact{Name: "clause", Value: q.Clause}, feed.Fact{Name: "answer", Value: q.Answer})
	p.Only = append(feed.Given(feed.Fact{Name: "operation", Value: q.Operation}, feed.Fact{Name: "entity", Value: q.Entity}), p.Kept...)
	p.Waiting = v.on != nil && q.Empty() && p.List.Last < beginners && // an endpoint or a control call is no first call
		len(v.from.Read(tape.Filter{Kinds: []tape.Kind{tape.KindExchange}, Limit: 1})) == 0
	further := q.Values()
	further.Set("before", strconv.FormatUint(p.List.Reached, 10))
	p.Further = v.root() + "/live?" + further.Encode()
	if p.List.First > 1 {
		p.Dropped = p.List.First - 1
	}
	if v.on != nil {
		p.Try = v.try()
		if q.Before == 0 {
			values := q.Values()
			values.Set("screen", "live")
			values.Set("since", strconv.FormatUint(p.List.Last, 10))
			values.Set("of", v.of())
			v.frame.Kind, v.frame.Stream = "live", v.root()+"/stream?"+values.Encode()
		}
	}
	v.open("live", "Live")
	p.Begin = v.on != nil && v.frame.Acts && p.List.Last < beginners && v.console.opts.Partner != nil && !v.hasPayment()
	p.World = v.slide()
	v.show(http.StatusOK, "live", &p)
}

// beginners have fewer entries than this.
const beginners = 40

// hasPayment says whether there is any payment.
func (v *visit) hasPayment() bool {
	var list struct{ Entities []entityRow }
	return v.get("/entities?kind=payment&limit=1", &list) != nil || len(list.Entities) > 0
}

// try are commands that work when they are pasted: a token for this integration, and a
// first call with it.
func (v *visit) try() string {
	return v.fetchToken("T") + "\ncurl -s " + call.Base(v.r) + `/Company/List -H "Authorization: Bearer $T"`
}

// fetchToken is the command that fetches an access token into a variable of a shell.
func (v *visit) fetchToken(variable string) string {
	o := v.on.Options()
	if v.console.guard.looksOnly(v.r) {
		o.ClientSecret = "the client secret"
	}
	return variable + "=$(curl -s " + call.Base(v.r) + "/Authentication/Token -H 'Content-Type: application/json' \\\n  -d " +
		feed.Quote(`{"clientId":"`+o.ClientID+`","clientSecret":"`+o.ClientSecret+`"}`) + ` | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')`
}

// beat is how often a stream shows that it is there.
const beat = 15 * time.Second

// stream tells a page what is new, until it is closed.
func (v *visit) stream() {
	if v.on == nil {
		v.nowhere()
		return
	}
	s := &streaming{v: v, screen: v.r.URL.Query().Get("screen")}
	q := v.query(v.r.URL.Query())
	write := func(rows []feed.Row) []byte { return writeRows(v.root(), rows) }
	if s.screen != "live" {
		q, write = feed.Query{}, func([]feed.Row) []byte { return nil }
	}
	s.listener = v.console.hub.Listen(v.on, q, s.screen, write)
	if s.listener == nil {
		v.w.Header().Set("Retry-After", "10")
		v.refuse(http.StatusServiceUnavailable, "Too many pages are open", "This page shows what is new when you reload it.")
		return
	}
	defer v.console.hub.Leave(v.on, s.listener)
	s.query = q
	s.run()
}

// writeRows writes rows for a list.
func writeRows(root string, rows []feed.Row) (out []byte) {
	for n := range rows {
		text, err := sheet.Part("row", shownRow{rows[n], root})
		if err != nil {
			return nil
		}
		out = append(out, text...)
	}
	return out
}

// streaming is one stream of server-sent events.
type streaming struct {
	v        *visit
	to       stream.Sender
	screen   string
	query    feed.Query
	listener *stream.Listener
	// told is the number up to which the page knows the tape.
	told uint64
}

// run sends until the browser or the console ends.
func (s *streaming) run() {
	ctx, cancel := s.v.console.life.During(s.v.r.Context())
	defer cancel()
	s.to = stream.NewSender(s.v.w)
	s.v.write(http.StatusOK, []byte("retry: 500\n\n"))
	if !s.catchUp() {
		return
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		ok := true
		select {
		case n, open := <-s.listener.C:
			if !open {
				return
			}
			ok = s.news(&n)
		case <-tick.C:
			ok = s.to.Beat()
		case <-ctx.Done():
			return
		}
		if !ok {
			return
		}
	}
}

// catchUp tells what has happened since the page was written, or since it was last
// told something.
func (s *streaming) catchUp() bool {
	again := s.v.r.Header.Get("Last-Event-ID")
	since := again
	if since == "" {
		since = s.v.r.URL.Query().Get("since")
	}
	_, last := s.v.from.Bounds()
	given, err := strconv.ParseUint(since, 10, 63)
	switch {
	case err != nil:
		s.told = last
		return s.to.Event("", nil, last)
	case given > last, s.v.r.URL.Query().Get("of") != s.v.of() && s.v.r.URL.Query().Has("of"):
		return s.anew("The tape was emptied, or the sandbox was started again: it begins anew.", last)
	case given < last && again != "":
		s.told = given
		return s.rows(given, last) && s.line(strconv.FormatUint(last-given, 10)+" while you were away")
	default:
		s.told = given
		return s.rows(given, last)
	}
}

// caughtUp bounds how many entries a page is told of at once.
const caughtUp = 40

// rows tells the newest entries between two numbers, and how many there were before.
func (s *streaming) rows(since, last uint64) bool {
	if since >= last {
		return s.to.Event("", nil, last)
	}
	from := since
	if last-since > caughtUp {
		from = last - caughtUp
		if !s.tooMany(since+1, from) {
			return false
		}
	}
	var passed []feed.Row
	entries := s.v.from.Read(tape.Filter{Since: from, Limit: caughtUp})
	for n := len(entries) - 1; n >= 0; n-- {
		if r := feed.RowOf(&entries[n]); s.query.Match(&entries[n], &r) && entries[n].Seq <= last {
			passed = append(passed, r)
		}
	}
	s.told = last
	if s.screen != "live" {
		return s.isNews(last)
	}
	return s.to.Event("", writeRows(s.v.root(), passed), last) && s.to.Send(stream.Stands(entries, last))
}

// tooMany tells of entries that are not told one by one.
func (s *streaming) tooMany(from, to uint64) bool {
	return s.line("#" + strconv.FormatUint(from, 10) + " to #" + strconv.FormatUint(to, 10) + " came faster than they can be read: reload to see them")
}

// news passes on what the hub has found.
func (s *streaming) news(n *stream.News) bool {
	switch {
	case n.Anew:
		return s.anew("The tape was emptied, or went back to a snapshot: it begins anew.", n.To)
	case n.To <= s.told:
		return true
	case n.From <= s.told: // the page knows a part of it
		return s.rows(s.told, n.To)
	case n.From > s.told+1 && !s.tooMany(s.told+1, n.From-1):
		return false
	}
	s.told = n.To
	if s.screen != "live" {
		return s.isNews(n.To)
	}
	return s.to.Send(n.Event)
}

// anew tells that the tape is another one, and what stands on it.
func (s *streaming) anew(text string, last uint64) bool {
	s.told = 0
	if s.screen != "live" {
		s.told = last
		return s.isNews(last)
	}
	return s.remark("anew", text) && s.rows(0, last)
}

// isNews tells a screen that what it shows may have changed.
func (s *streaming) isNews(last uint64) bool {
	return s.to.Event("news", strconv.AppendUint(nil, last, 10), last)
}

// line puts a remark into the list.
func (s *streaming) line(text string) bool {
	return s.screen != "live" || s.remark("gap", text)
}

func (s *streaming) remark(part, text string) bool {
	row, err := sheet.Part(part, text)
	return err == nil && s.to.Event("", row, s.told)
}
