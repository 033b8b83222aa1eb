package console

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/console/sheet"
	"paysandbox/mockserver/integration"
)

// visit is one request on its way to a page.
type visit struct {
	console *Console
	w       http.ResponseWriter
	r       *http.Request
	// on is the integration, nil for a file; from is its tape, or the file's, and since
	// is where that stood before anything of the page was read.
	on    *integration.Integration
	from  feed.Tape
	since uint64
	id    string
	frame frame
}

// frame is what every page has around it.
type frame struct {
	// Title is the page's, Screen names it, ID is the integration's or the file's.
	Title, Screen, ID string
	// Root begins the addresses of the integration's pages; Name is what it is called.
	Root, Name string
	// Label is the person, branch or job that is looked at alone, Tag what it is shown
	// as, and Unlabelled leads to the same page of everybody.
	Label, Tag, Unlabelled string
	// File says that a file is shown; Acts that what is shown can be acted on; Looks that
	// who has signed in moves nothing.
	File, Acts, Looks bool
	// Gap says what a file does not tell.
	Gap          string
	SignedIn     bool
	Nonce, CSRF  string
	Menu         []menu
	Clock        *clock
	Flash        *call.Outcome
	Stream, Kind string
	Back         string
	// Again leads to the page whose form was too old to be taken; "" where there is none.
	Again string
	Data  any
}

// menu is one way to a screen.
type menu struct {
	Name, Address, Key string
	Here               bool
}

// screens are the ways in the frame, in their order; key follows g.
var screens = []struct{ name, path, key string }{
	{"Live", "live", "l"},
	{"Problems", "problems", "p"},
	{"Entities", "entities", "e"},
	{"Deliveries", "deliveries", "d"},
	{"Inbox", "inbox", "i"},
	{"Clock", "clock", "c"},
	{"Trouble", "trouble", "t"},
	{"Journeys", "journeys", "j"},
	{"Readiness", "readiness", "r"},
	{"Settings", "settings", "s"},
}

func (c *Console) visit(w http.ResponseWriter, r *http.Request) *visit {
	return &visit{console: c, w: w, r: r}
}

// find finds the integration or the file that the address names.
func (v *visit) find() bool {
	v.id = v.r.PathValue("i")
	if f := v.console.files.get(v.id); f != nil {
		v.from = f
		return true
	}
	if v.on = v.console.opts.Registry.Find(v.id); v.on == nil {
		v.nowhere()
		return false
	}
	v.from = running{v.on}
	if v.r.URL.Path != v.root()+"/stream" {
		v.settle()
	}
	_, v.since = v.from.Bounds()
	return true
}

// moment is how long a page waits for what is under way.
const moment = 200 * time.Millisecond

// settle takes in what has come back where the clock is manual, but waits for no
// receiver that hangs.
func (v *visit) settle() {
	t := time.NewTimer(moment)
	defer t.Stop()
	select {
	case <-v.console.hub.Settle(v.on):
	case <-t.C:
	case <-v.r.Context().Done():
	}
}

// root begins the addresses of what is visited.
func (v *visit) root() string { return Prefix + "/" + url.PathEscape(v.id) }

// open fills in the frame of a screen.
func (v *visit) open(screen, title string) {
	f := &v.frame
	f.CSRF = v.console.guard.csrf(v.r)
	f.Title, f.Screen, f.ID, f.Root, f.File = title, screen, v.id, v.root(), v.on == nil
	f.Name = v.id
	f.Label = v.r.URL.Query().Get("label")
	only := ""
	if f.Label != "" {
		only = "?" + url.Values{"label": {f.Label}}.Encode()
		f.Unlabelled, f.Tag = v.r.URL.Path, feed.Tag(f.Label)
		if f.Tag == f.Label {
			f.Tag = "label " + f.Label
		}
	}
	for _, s := range screens {
		f.Menu = append(f.Menu, menu{s.name, f.Root + "/" + s.path + only, s.key, s.path == screen})
	}
	f.Menu = append(f.Menu, menu{Name: "Open a file", Address: common + "file"})
	if o, ok := v.from.(*opened); ok {
		f.Name = o.name
		if gap := v.from.Meta().Gap(); gap.To > 0 {
			f.Gap = "The tape had dropped entries #" + strconv.FormatUint(gap.From, 10) + " to #" + strconv.FormatUint(gap.To, 10) + " when it was saved: nothing is said here about what they told."
		}
		return
	}
	f.Acts = !v.console.guard.looksOnly(v.r)
	if name := v.on.Options().Name; name != "" {
		f.Name = name
	}
	f.Clock = v.readClock()
	f.Back = v.r.URL.Path
	if q := v.r.URL.Query(); len(q) > 0 {
		q.Del("did")
		if f.Back += "?" + q.Encode(); len(q) == 0 {
			f.Back = v.r.URL.Path
		}
	}
	f.Flash = v.console.outcomes.Get(v.r.URL.Query().Get("did"))
	if f.Stream == "" {
		f.Kind, f.Stream = "news", f.Root+"/stream?screen="+url.QueryEscape(screen)+"&since="+strconv.FormatUint(v.since, 10)+"&of="+v.of()
	}
}

// ask calls the control API with the token that the visitor has shown.
func (v *visit) ask() call.Caller {
	return call.Caller{Handler: v.console.opts.Control, Token: v.console.guard.tokenOf(v.r)}
}

// get reads something of the integration from the control API.
func (v *visit) get(path string, into any) error {
	c := v.ask()
	return c.Get(v.r, "/integrations/"+url.PathEscape(v.id)+path, into)
}

// act is a button that makes a control call.
type act struct {
	Action, CSRF, Method, Path, Back, Label, Class, TestID string
	Fields                                                 []feed.Fact
	// Refused says that this very form was sent and refused; typed is what it had brought.
	Refused bool
	typed   url.Values
}

// Was is what a field held when the form was refused, or else what is given.
func (a act) Was(field, unless string) string {
	if a.typed.Has(field) {
		return a.typed.Get(field)
	}
	return unless
}

// Act makes a button of a control call below the integration; the body's members are
// given as name and value in turn.
func (f *frame) Act(method, path, label, class string, body ...string) act {
	a := f.Form(method, path)
	a.Label, a.Class = label, class
	for n := 0; n+1 < len(body); n += 2 {
		a.Fields = append(a.Fields, feed.Fact{Name: body[n], Value: body[n+1]})
	}
	return a
}

// Form is what the form of a control call holds besides its fields; nothing for those
// who look and move nothing.
func (f *frame) Form(method, path string) act {
	if !f.Acts {
		return act{}
	}
	a := act{Action: f.Root + "/do", CSRF: f.CSRF, Method: method, Path: path, Back: f.Back}
	if f.Flash != nil && f.Flash.Refused == path {
		a.Refused, a.typed = true, f.Flash.Typed
	}
	return a
}

// show writes a page.
func (v *visit) show(status int, name string, data any) {
	f := &v.frame
	g := &v.console.guard
	f.Nonce, f.CSRF, f.Data = rand.Text(), g.csrf(v.r), data
	signedIn, _ := g.sessions.Of(v.r)
	f.SignedIn = signedIn != ""
	f.Looks = f.SignedIn && g.looksOnly(v.r)
	body, err := sheet.Page(name, f)
	if err != nil {
		v.console.opts.Log.ErrorContext(v.r.Context(), "a page could not be written", slog.String("page", name), slog.Any("error", err))
		status, body = http.StatusInternalServerError, []byte("the sandbox has made a mistake; its log says more\n")
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", sheet.Policy(f.Nonce))
	v.write(status, body)
}

// longPage is from how many bytes on a page is counted while nobody has read it.
const longPage = 16 << 10

// write sends an answer with the headers that guard a browser.
func (v *visit) write(status int, body []byte) {
	h := v.w.Header()
	if n := int64(len(body)); n > longPage {
		b := v.console.opts.Registry.Budget()
		if !b.Answer(n) {
			h.Set("Retry-After", "10")
			h.Set("Content-Type", "text/plain; charset=utf-8")
			status, body, n = http.StatusServiceUnavailable, []byte("too many pages are sent that nobody reads; load this one again later\n"), 0
		}
		defer b.Answered(n)
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(body)
	}
}

// goTo leads to another address of the console.
func (v *visit) goTo(address string) {
	v.w.Header().Set("Location", address)
	v.write(http.StatusSeeOther, nil)
}

// refuse says why there is no page.
func (v *visit) refuse(status int, title string, text ...string) {
	v.frame.Title, v.frame.Screen, v.frame.Stream = title, "notice", ""
	v.show(status, "notice", text)
}

func (v *visit) nowhere() {
	v.refuse(http.StatusNotFound, "There is no such page", "Nothing in this sandbox has this address.",
		"A sandbox that was started again or reset forgets what it had, unless it keeps its data.")
}

// failed shows why the control API has not told something.
func (v *visit) failed(err error) {
	e := &call.Error{Status: http.StatusInternalServerError, Detail: err.Error()}
	if refused, ok := err.(*call.Error); ok { //nolint:errorlint // it comes unwrapped
		e = refused
	}
	said := append([]string{e.Detail}, e.Problems()...)
	for n, s := range said {
		said[n] = strings.ToUpper(s[:min(1, len(s))]) + strings.TrimSuffix(s[min(1, len(s)):], ".") + "."
	}
	v.refuse(e.Status, "This cannot be shown", said...)
}

// home leads to the integration that every sandbox has.
func (v *visit) home() { v.goTo(Prefix + "/" + integration.DefaultID + "/live") }

func (v *visit) toLive() { v.goTo(v.root() + "/live") }
