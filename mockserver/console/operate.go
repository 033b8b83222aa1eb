package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/console/archive"
	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
)

// do makes the control call that a form asks for, and leads back.
func (v *visit) do() {
	if !v.readForm() {
		return
	}
	form, method, path := v.r.PostForm, v.r.PostForm.Get("method"), v.r.PostForm.Get("path")
	if v.on == nil || !callable(method, path) {
		v.refuse(http.StatusBadRequest, "This cannot be done here", "The form names no control call of this integration. Nothing was changed.")
		return
	}
	body, err := call.Body(form)
	if err != nil {
		v.refuse(http.StatusBadRequest, "This form could not be read", "A field is not what it should be: "+err.Error()+". Nothing was changed.")
		return
	}
	answer := v.ask().Do(v.r, method, "/integrations/"+url.PathEscape(v.id)+path, body)
	out := call.OutcomeOf(method, path, answer)
	if answer.OK() && method == http.MethodPost && path == "/faults" {
		out.Text = archive.Armed(answer.Body)
	}
	if out.Tone == "bad" && len(form.Encode()) <= maxTyped {
		out.Refused, out.Typed = path, form
	}
	v.warned(&out)
	v.back(form.Get("back"), &out)
}

// back leads to the page that an action came from, which tells what came of it.
func (v *visit) back(address string, out *call.Outcome) {
	u, err := url.Parse(local(address))
	if err != nil {
		u = &url.URL{Path: Prefix}
	}
	q := u.Query()
	q.Set("did", v.console.outcomes.Put(out))
	u.RawQuery = q.Encode()
	v.goTo(u.RequestURI())
}

// callable says whether a form may ask for a call: one below the integration's own.
func callable(method, path string) bool {
	u, err := url.Parse(path)
	return err == nil && slices.Contains([]string{http.MethodPost, http.MethodDelete}, method) && strings.HasPrefix(path, "/") &&
		u.Host == "" && u.Scheme == "" && !strings.Contains(u.Path, "..") && !strings.Contains(path, "//") && !strings.ContainsAny(path, "#\\ \r\n")
}

// duePage is what the screen Clock shows.
type duePage struct {
	Text  string
	Due   []due
	Moves []feed.Row
	// Total is how much is waited for, Looked how much of it was searched.
	Total, Looked int
	// By is the move whose preview is shown, Preview what it would bring.
	By      string
	Preview []feed.Row
	Wrong   string
	// Then is where the clock of a file stood.
	Then *archive.Clock
	// Playing says that a file is still being played to its end.
	Playing bool
}

// due is something that will happen by itself.
type due struct {
	At, Timer, Says, Entity, Kind, Status, Summary string
}

// When is its time for people.
func (d due) When() string { return shown(d.At) }

// The bounds of the screen Clock: what is listed of what is due, and of the moves.
const (
	maxDue   = 50
	maxMoves = 20
)

// clock shows what will happen by itself, and moves the time. Of a file it shows what was
// waited for at its end, where the file can be played.
func (v *visit) clock() {
	v.open("clock", "Clock")
	asked := v.r.URL.Query()
	p := duePage{Text: v.query(asked).Text, By: strings.TrimSpace(asked.Get("by"))}
	var list dueList
	var err error
	if o, ok := v.from.(*opened); ok {
		p.Then = &v.archive().Clock
		list, p.Playing, err = v.dueAtEnd(o)
	} else {
		err = v.get("/clock/due?limit=500", &list)
	}
	if err != nil {
		p.Wrong = err.Error()
	}
	p.Looked, p.Total = len(list.Due), list.Total
	for _, d := range v.labelled(list.Due) {
		if len(p.Due) < maxDue && feed.Has(p.Text, d.Timer, d.Says, d.Entity, d.Kind, d.Status, d.Summary, d.At) {
			p.Due = append(p.Due, d)
		}
	}
	if v.on != nil && p.By != "" {
		p.preview(v)
	}
	moves := feed.Read(v.from, v.query(url.Values{"kind": {"clock"}, "q": {p.Text}})).Rows
	p.Moves = moves[:min(len(moves), maxMoves)]
	v.show(http.StatusOK, "clock", &p)
}

// preview asks what a move would bring. Nothing is moved.
func (p *duePage) preview(v *visit) {
	var would struct{ Fired []tape.Entry }
	if err := v.get("/clock/preview?by="+url.QueryEscape(p.By), &would); err != nil {
		p.Wrong = err.Error()
		return
	}
	says := map[string]string{}
	for _, d := range p.Due {
		says[d.Timer] = d.Says
	}
	for n := range would.Fired {
		row := feed.RowOf(&would.Fired[n])
		if t := would.Fired[n].Timer; t != nil {
			row.Text = cmp.Or(says[t.Name], row.Text)
		} else {
			row.Entity = "" // it may not be there yet
		}
		p.Preview = append(p.Preview, row)
	}
}

// recipe is trouble that one press arms.
type recipe struct {
	Name, Says string
	Button     act
}

// troublePage is what the screen Trouble shows.
type troublePage struct {
	Text    string
	Recipes []recipe
	// Lists are the faults that are armed, or were in a file, and those that are over.
	Lists [2][]archive.Fault
	// Now is where the clock stands, or stood at the end of a file.
	Now time.Time
	// All counts them, shown or not.
	All int
}

// trouble arms faults and shows what they have hit.
func (v *visit) trouble() {
	v.open("trouble", "Trouble")
	p := troublePage{Text: v.query(v.r.URL.Query()).Text}
	list, err := v.faults()
	if err != nil {
		v.failed(err)
		return
	}
	p.Now = v.now()
	p.All = len(list)
	for _, f := range slices.Backward(list) {
		if feed.Has(p.Text, f.ID, f.Effect, f.Meets()) {
			n := 0
			if v.on != nil && f.Over(p.Now) {
				n = 1
			}
			p.Lists[n] = append(p.Lists[n], f)
		}
	}
	if v.frame.Acts {
		p.recipes(&v.frame)
	}
	v.show(http.StatusOK, "trouble", &p)
}

// faults are those that are or were armed, oldest first.
func (v *visit) faults() ([]archive.Fault, error) {
	if v.on == nil {
		return v.archive().Faults, nil
	}
	var told struct{ Faults archive.Faults }
	err := v.get("/faults", &told)
	return told.Faults, err
}

// recipes are trouble that one press arms.
func (p *troublePage) recipes(f *frame) {
	arm := func(name, says string, body ...string) {
		a := f.Act(http.MethodPost, "/faults", "Arm", "small", body...)
		a.TestID = "arm-" + strings.ReplaceAll(strings.ToLower(name), " ", "-")
		p.Recipes = append(p.Recipes, recipe{name, says, a})
	}
	arm("A lost answer", "The next payment is created, and its answer is lost: does the partner ask again with the same key?",
		"match.operation", "createPayment", "effect.commitThenDrop:bool", "true")
	arm("Too many requests", "The next three calls are answered 429 with Retry-After: 2.", "effect.status:int", "429", "effect.retryAfter:int", "2", "count:int", "3")
	arm("A revoked token", "The next caller’s token is refused from then on: does the partner get a new one?", "effect.tokenRevoked", "token")
	arm("An outage of an hour", "Every call is answered 503 for an hour of the sandbox’s clock, with what is left of it as Retry-After. Moving the clock ends it sooner for you.",
		"effect.status:int", "503", "for", "1h")
	arm("Slow answers", "The next five answers take three seconds.", "effect.latency", "3s", "count:int", "5")
	arm("A cut answer", "The next answer ends in the middle of its body.", "effect.cutConnection", "body")
}

// settingsPage is what the screen Settings shows.
type settingsPage struct {
	ID, Name, ClientID, ClientSecret, WebhookSecret, Environment, BaseURL, ControlURL string
	Seed                                                                              uint64
	Strict                                                                            bool
	Latitude                                                                          map[string]string
	TapeEntries, Entities                                                             int
	TapeBytes                                                                         int64

	// Text is what is searched for among the choices.
	Text      string
	Knobs     []archive.Choice
	Snapshots []snapshot
	// CanSave says that the control API keeps snapshots.
	CanSave bool
	// Tape says what a file is of.
	Tape []feed.Fact
}

// snapshot is a saved state, as the control API tells it.
type snapshot struct {
	Name, Time      string
	Entry           uint64
	Entities, Bytes int
}

// When is its time for people.
func (s snapshot) When() string { return shown(s.Time) }

// Size is how large its file is.
func (s snapshot) Size() string { return strconv.Itoa((s.Bytes+1023)>>10) + " KiB" }

// settings shows what the integration was made from.
func (v *visit) settings() {
	v.open("settings", "Settings")
	p := settingsPage{Text: v.query(v.r.URL.Query()).Text}
	if v.on == nil {
		p.ofTape(v.frame.Name, v.from)
	} else if err := v.get("", &p); err != nil {
		v.failed(err)
		return
	}
	for _, c := range archive.Choices(p.Latitude) {
		if feed.Has(p.Text, append(c.Evidence, c.Name, c.About, c.Value, c.Meaning, c.Fixed)...) {
			p.Knobs = append(p.Knobs, c)
		}
	}
	var list struct{ Snapshots []snapshot }
	if v.on != nil && v.get("/snapshots", &list) == nil {
		p.CanSave, p.Snapshots = true, list.Snapshots
	}
	v.show(http.StatusOK, "settings", &p)
}

// ofTape says what a file is of.
func (p *settingsPage) ofTape(name string, t feed.Tape) {
	m := t.Meta()
	first, last := t.Bounds()
	yes := map[bool]string{true: "yes: advisory findings refused", false: "no: advisory findings warned"}
	p.Latitude = m.Latitude
	p.Tape = feed.Given(
		feed.Fact{Name: "File", Value: name}, feed.Fact{Name: "Written by", Value: m.ToolVersion}, feed.Fact{Name: "Integration", Value: cmp.Or(m.Integration, integration.DefaultID)},
		feed.Fact{Name: "Environment", Value: m.Environment}, feed.Fact{Name: "Seed", Value: strconv.FormatUint(m.Seed, 10)},
		feed.Fact{Name: "Strict", Value: yes[m.Strict]}, feed.Fact{Name: "Surface", Value: m.Surface},
		feed.Fact{Name: "Began", Value: time.Unix(0, m.Start).UTC().Format(time.DateTime) + " UTC, clock " + cmp.Or(m.Clock, "not told")},
		feed.Fact{Name: "Webhook endpoint from the start", Value: secret.Address(m.WebhookURL)},
		feed.Fact{Name: "Entries", Value: "#" + strconv.FormatUint(first, 10) + " to #" + strconv.FormatUint(last, 10)},
	)
}
