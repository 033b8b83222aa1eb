package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

// do makes the control call that a form asks for, and leads back.
func (v *visit) do() {
	if !v.readForm() {
		return
	}
	form := v.r.PostForm
	method, path := form.Get("method"), form.Get("path")
	if v.on == nil || !callable(method, path) {
		v.refuse(http.StatusBadRequest, "This cannot be done here", "The form names no control call of this integration. Nothing was changed.")
		return
	}
	body, err := call.Body(form)
	if err != nil {
		v.refuse(http.StatusBadRequest, "This form could not be read", "A field is not what it should be: "+err.Error()+". Nothing was changed.")
		return
	}
	out := call.OutcomeOf(method, path, v.ask().Do(v.r, method, "/integrations/"+url.PathEscape(v.id)+path, body))
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
	Due   []due
	Moves []feed.Row
	More  int
	// By is the move whose preview is shown, Preview what it would bring.
	By      string
	Preview []feed.Row
	Wrong   string
}

// due is something that will happen by itself.
type due struct {
	At, Timer, Says, Entity, Kind, Status, Summary string
}

// When is its time for people.
func (d due) When() string { return shown(d.At) }

// clock shows what will happen by itself, and moves the time.
func (v *visit) clock() {
	if v.on == nil {
		v.nowhere()
		return
	}
	v.open("clock", "Clock")
	p := duePage{}
	var list struct {
		Due   []due
		Total int
	}
	if v.get("/clock/due", &list) == nil {
		p.Due, p.More = list.Due, list.Total-len(list.Due)
	}
	if p.By = strings.TrimSpace(v.r.URL.Query().Get("by")); p.By != "" {
		p.preview(v)
	}
	p.Moves = feed.Read(v.from, feed.ParseQuery(map[string][]string{"kind": {"clock"}})).Rows
	p.Moves = p.Moves[:min(len(p.Moves), 20)]
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

// faultView is an armed fault, as the control API tells it.
type faultView struct {
	ID    string
	Match struct {
		Operation, Method, Entity string
		Nth                       int
	}
	Effect            string
	Count, Seen, Hits int
	Remaining         *int
	Log               []struct {
		Exchange uint64
		At       string
	}
}

// recipe is trouble that one press arms.
type recipe struct {
	Name, Says string
	Button     act
}

// troublePage is what the screen Trouble shows.
type troublePage struct {
	Recipes []recipe
	Faults  []faultView
}

// trouble arms faults and shows what they have hit.
func (v *visit) trouble() {
	if v.on == nil {
		v.nowhere()
		return
	}
	v.open("trouble", "Trouble")
	p := troublePage{}
	var list struct{ Faults []faultView }
	if err := v.get("/faults", &list); err != nil {
		v.failed(err)
		return
	}
	slices.Reverse(list.Faults)
	p.Faults = list.Faults
	arm := func(name, says string, body ...string) {
		a := v.frame.Act(http.MethodPost, "/faults", "Arm", "small", body...)
		a.TestID = "arm-" + strings.ReplaceAll(strings.ToLower(name), " ", "-")
		p.Recipes = append(p.Recipes, recipe{name, says, a})
	}
	arm("A lost answer", "The next payment is created, and its answer is lost: does the partner ask again with the same key?",
		"match.operation", "createPayment", "effect.commitThenDrop:bool", "true")
	arm("Too many requests", "The next three calls are answered 429 with Retry-After: 2.", "effect.status:int", "429", "effect.retryAfter:int", "2", "count:int", "3")
	arm("A revoked token", "The next caller’s token is refused from then on: does the partner get a new one?", "effect.tokenRevoked", "token")
	arm("Down for a while", "Every call is answered 503 until the fault is removed.", "effect.status:int", "503", "effect.retryAfter:int", "30", "count:int", "0")
	arm("Slow answers", "The next five answers take three seconds.", "effect.latency", "3s", "count:int", "5")
	arm("A cut answer", "The next answer ends in the middle of its body.", "effect.cutConnection", "body")
	v.show(http.StatusOK, "trouble", &p)
}

// settingsPage is what the screen Settings shows.
type settingsPage struct {
	ID, Name, ClientID, ClientSecret, WebhookSecret, Environment, BaseURL, ControlURL string
	Seed                                                                              uint64
	Strict                                                                            bool
	Latitude                                                                          map[string]string
	TapeEntries, Entities                                                             int
	TapeBytes                                                                         int64

	Knobs     []knob
	Snapshots []snapshot
	// CanSave says that the control API keeps snapshots.
	CanSave bool
}

// knob is one choice of the ledger.
type knob struct {
	Name, About, Value, Meaning, Default, Fixed string
	Values, Evidence                            []string
	Differs                                     bool
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
	if v.on == nil {
		v.nowhere()
		return
	}
	v.open("settings", "Settings")
	p := settingsPage{}
	if err := v.get("", &p); err != nil {
		v.failed(err)
		return
	}
	settings := v.on.Settings()
	for _, e := range latitude.Ledger() {
		one := knob{Name: e.Name, About: e.Question, Value: e.Default, Default: e.Default, Fixed: e.Fixed}
		for _, c := range e.Choices {
			if settings.Is(c.Choice) {
				one.Value, one.Meaning = c.Name, c.Meaning
			}
			one.Values = append(one.Values, c.Name)
		}
		for _, ev := range e.Evidence {
			one.Evidence = append(one.Evidence, string(ev))
		}
		one.Differs = one.Value != one.Default
		p.Knobs = append(p.Knobs, one)
	}
	var list struct{ Snapshots []snapshot }
	if v.get("/snapshots", &list) == nil {
		p.CanSave, p.Snapshots = true, list.Snapshots
	}
	v.show(http.StatusOK, "settings", &p)
}

// integrationView is an integration in the list of them.
type integrationView struct {
	ID, Name, ClientID, Environment string
	Clock                           struct{ Mode, Now string }
	TapeEntries, Entities           int
}

// Address leads to its screens.
func (i integrationView) Address() string { return Prefix + "/" + i.ID + "/live" }

// maxListed bounds the integrations that are listed.
const maxListed = 200

// integrations lists the integrations.
func (v *visit) integrations() {
	var list struct{ Integrations []integrationView }
	if err := v.ask().Get(v.r, "/integrations", &list); err != nil {
		v.failed(err)
		return
	}
	q := strings.ToLower(strings.TrimSpace(v.r.URL.Query().Get("q")))
	page := struct {
		Query string
		Total int
		List  []integrationView
		More  bool
	}{Query: q, Total: len(list.Integrations)}
	for _, i := range slices.Backward(list.Integrations) {
		if q != "" && !strings.Contains(strings.ToLower(i.ID+" "+i.Name+" "+i.ClientID), q) {
			continue
		}
		if len(page.List) == maxListed {
			page.More = true
			break
		}
		page.List = append(page.List, i)
	}
	v.common("integrations", "Integrations")
	v.show(http.StatusOK, "integrations", &page)
}
