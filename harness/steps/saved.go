package steps

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

// deed is a call that was made since the sandbox was saved, and its answer.
type deed struct {
	what   string
	again  func(ctx context.Context) (*partner.Answer, error)
	answer string
}

// done notes a call that was made since the sandbox was saved.
func (s *story) done(what string, a *partner.Answer, again func(ctx context.Context) (*partner.Answer, error)) {
	if s.saved != nil && a != nil {
		s.deeds = append(s.deeds, deed{what, again, told(a)})
	}
}

// told is what is compared of an answer: all but the numbers of calls and tape entries.
func told(a *partner.Answer) string {
	return fmt.Sprintf("status %d: %s", a.Status, numbered().ReplaceAllString(string(a.Body), `"$1":0`))
}

var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(traceId|instance|seq|cause|scheduled)":(?:"[^"]*"|[0-9]+)`)
})

// savedAs is the name of a scenario's snapshot.
const savedAs = "before"

// saves makes a snapshot, which goes back by its file if it is in one.
func (s *story) saves(ctx context.Context, in string) error {
	s.inFile = in != ""
	if _, err := s.control(ctx, "/snapshots", map[string]string{"name": savedAs}); err != nil {
		return err
	}
	s.saved = map[string]string{}
	for _, a := range actions() {
		path, reading := strings.CutPrefix(a.Call, "GET ")
		path, err := s.path(path)
		if !reading || err != nil || strings.Contains(a.Call, "{unknown}") {
			continue
		}
		sent, err := s.shape(a, "", nil)
		if err != nil {
			return err
		}
		query, _ := sent.(body)
		path = withQuery(path, query)
		if s.saved[path], err = s.reads(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// goesBack restores, after which all that can be read is as it was. The tape goes back,
// too: a token that was granted since is good, but nobody can see why.
func (s *story) goesBack(ctx context.Context) error {
	me, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	me.client.ForgetToken()
	if err := s.restores(ctx); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(s.saved)) {
		now, err := s.reads(ctx, path)
		if err != nil {
			return err
		}
		if now != s.saved[path] {
			return fmt.Errorf("expected GET %s to be answered as before, with %s, received %s", path, s.saved[path], now)
		}
	}
	return nil
}

// restores goes back to the snapshot: where it was saved in a file, by that file, which is
// tried before, and then changes nothing.
func (s *story) restores(ctx context.Context) error {
	if !s.inFile {
		_, err := s.control(ctx, "/snapshots/"+savedAs+"/restore", nil)
		return err
	}
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	file, err := stage.Ask(ctx, http.MethodPost, "/snapshots/"+savedAs+"/download", nil)
	if err != nil {
		return err
	}
	now, err := stage.Get(ctx, "/entities")
	if err != nil {
		return err
	}
	tried, err := stage.Ask(ctx, http.MethodPost, "/load?dryRun=true", file.Body)
	if err != nil {
		return err
	}
	then, err := stage.Get(ctx, "/entities")
	if err != nil {
		return err
	}
	if tried.Status != http.StatusOK || string(then.Body) != string(now.Body) {
		return fmt.Errorf("expected a file that is only tried to be taken and to change nothing of %s, received %d %s and %s",
			now.Body, tried.Status, tried.Body, then.Body)
	}
	loaded, err := stage.Ask(ctx, http.MethodPost, "/load", file.Body)
	if err != nil {
		return err
	}
	if dry, load := string(tried.Body), string(loaded.Body); strings.Replace(dry, `"dryRun":true`, `"dryRun":false`, 1) != load {
		return fmt.Errorf("expected a file to be taken as it was when it was tried, with %s, received %s", dry, load)
	}
	return nil
}

// reads makes a call that only reads.
func (s *story) reads(ctx context.Context, path string) (string, error) {
	me, err := s.me(ctx, partnerName)
	if err != nil {
		return "", err
	}
	answer, err := s.send(ctx, me, http.MethodGet, path, nil)
	if err != nil {
		return "", err
	}
	return told(answer), nil
}

var errNothingDone = errors.New("nothing was done since the sandbox was saved")

// doesAgain restores, and makes each call again that was made since: what was kept is
// all that an answer follows from, so each is answered as before.
func (s *story) doesAgain(ctx context.Context) error {
	deeds := s.deeds
	if len(deeds) == 0 {
		return errNothingDone
	}
	if err := s.goesBack(ctx); err != nil {
		return err
	}
	for _, d := range deeds {
		s.partners[partnerName].client.ForgetToken() // the clock may have gone beyond it
		a, err := d.again(ctx)
		if err != nil {
			return err
		}
		if now := told(a); now != d.answer {
			return fmt.Errorf("expected %s to be answered as before, with %s, received %s", d.what, d.answer, now)
		}
	}
	return nil
}

//go:embed views.yaml
var viewText []byte

// view is an answer of the control API.
type view struct{ Name, At string }

// views are all that a step can look at.
var views = sync.OnceValue(func() []view { return load[view](viewText) })

// shows compares a whole answer of the control API; {names} are what the story knows.
func (s *story) shows(ctx context.Context, name string, text *godog.DocString) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	n := slices.IndexFunc(views(), func(v view) bool { return v.Name == name })
	if n < 0 {
		return fmt.Errorf("no view is called %q", name)
	}
	a, err := stage.Get(ctx, s.inText(views()[n].At))
	var refused *partner.Refused
	if errors.As(err, &refused) {
		a, err = refused.Answer, nil
	}
	if err != nil {
		return err
	}
	expected := ""
	for line := range strings.Lines(text.Content) { // which are broken for whoever reads them
		expected += strings.TrimSpace(line)
	}
	if received := s.named(string(a.Body), stage.Integration); received != expected {
		return fmt.Errorf("expected %s to be shown as\n%s\nreceived\n%s", name, expected, received)
	}
	return nil
}

// kept expects what the last action has made to show each member as it was sent, where
// there is somebody to look. What an advice is about may be kept otherwise, or not at all.
func (s *story) kept(ctx context.Context, advised string) error {
	if s.act.Kind == "" || s.world.ControlURL == "" {
		return nil
	}
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	list, err := stage.Get(ctx, "/entities?limit=1&kind="+s.act.Kind)
	if err != nil {
		return err
	}
	id, err := reach(list.Body, "entities[0].id")
	if err != nil {
		return fmt.Errorf("expected a %s to be kept, received %s: %w", s.act.Kind, list.Body, err)
	}
	one, err := stage.Get(ctx, "/entities/"+shown(id))
	if err != nil {
		return err
	}
	var e struct {
		Amount  *json.Number
		Summary string
		Facts   []struct{ Name, Value string }
	}
	if err := one.Read(&e); err != nil {
		return err
	}
	facts := map[string]string{"summary": e.Summary, "amount": "0"}
	if e.Amount != nil {
		facts["amount"] = e.Amount.String()
	}
	for _, f := range e.Facts {
		facts[f.Name] = f.Value
	}
	sent, _ := s.sent.(body)
	for member, at := range s.act.Shown {
		v, isSent := sent[member]
		if member != advised && isSent && v != nil && facts[at] != shown(v) {
			return fmt.Errorf("expected the %s to show %q as its %s, as was sent, received %s", s.act.Kind, shown(v), at, one.Body)
		}
	}
	return nil
}

// named is a text with the names of what the story knows, instead of their ids.
func (s *story) named(text, integration string) string {
	text = strings.NewReplacer("\n", "", s.world.BaseURL, "{service}", integration, "{integration}").Replace(text)
	for _, name := range slices.Sorted(maps.Keys(s.known)) {
		if id := s.known[name]; name != "token" && (uuidForm().MatchString(id) || strings.Contains(name, "client") || name == "card") {
			text = strings.ReplaceAll(text, id, "{"+name+"}")
		}
	}
	text = chosen().ReplaceAllString(receiver().ReplaceAllString(text, `"$1":"{receiver}"`), "")
	return anyCount().ReplaceAllString(anyID().ReplaceAllString(text, "{id}"), `"$1":0`)
}

var (
	// anyID is an id of what the story has no name for, or something else of the run.
	anyID = trail.Pattern(`[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{32,64}\b|127\.0\.0\.1:[0-9]+|paysandbox(?:-harness)?/[a-z0-9.+-]+`)
	// receiver is where events go, which may be somebody between.
	receiver = trail.Pattern(`"(url|summary)":"(?:http://|\{service\}/)[^"]*"`)
	// chosen are the choices of the service, which a tape tells.
	chosen = trail.Pattern(`"latitude":\{[^}]*\},`)
	// anyCount is a number of the run.
	anyCount = trail.Pattern(`"(latencyMillis|bytes|seed|toolVersion)":(?:[0-9]+|"[^"]*")`)
)
