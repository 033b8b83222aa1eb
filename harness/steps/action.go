package steps

import (
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cucumber/godog"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/partner"
)

// action is one thing that a partner can do: an operation of the partner API in
// the partner's words. What its members mean is told in the file.
type action struct {
	Phrase, Call, Body string
	// Fill is by member, Keep and Sent are by what the story knows then.
	Fill, Keep, Sent map[string]string
	// Kind is what it makes, as the control API's lists name it, and Shown where such a
	// thing shows the members that were sent, by their names.
	Kind  string
	Shown map[string]string
}

//go:embed actions.yaml
var actionText []byte

// actions are all of them, area by area.
var actions = sync.OnceValue(func() []action { return load[action](actionText) })

// load reads an embedded list; one that does not hold is a programmer's mistake.
func load[T any](text []byte) []T {
	var list []T
	if err := yaml.Load(text, &list, yaml.WithKnownFields()); err != nil {
		panic(fmt.Sprintf("steps: %v", err))
	}
	return list
}

// actionSteps are the three ways in which an action is written.
func actionSteps() []Step {
	phrases := make([]string, 0, len(actions()))
	for _, a := range actions() {
		phrases = append(phrases, regexp.QuoteMeta(a.Phrase))
	}
	who := "the (partner|other partner) (" + strings.Join(phrases, "|") + ")"
	return []Step{
		step("action", who, bind2((*story).acts)),
		step("action", who+` with ([a-zA-Z.\[\]0-9]+) "([^"]*)"`, bind4((*story).actsWith)),
		step("action", who+" with:", bind3((*story).actsWithTable)),
		step("action", who+` again`, bind2((*story).actsAgain)),
		step("action", who+` ([0-9]+) times`, bind3((*story).actsOften)),
		step("action", who+` with an attachment of ([0-9]+) bytes`, bind3((*story).actsWithFile)),
	}
}

// named finds an action by its phrase.
func named(phrase string) (action, error) {
	all := actions()
	if i := slices.IndexFunc(all, func(a action) bool { return a.Phrase == phrase }); i >= 0 {
		return all[i], nil
	}
	return action{}, fmt.Errorf("no action is called %q", phrase)
}

func (s *story) acts(ctx context.Context, who, phrase string) error {
	return s.perform(ctx, who, phrase, "", nil)
}

func (s *story) actsWith(ctx context.Context, who, phrase, member, words string) error {
	return s.perform(ctx, who, phrase, "", [][2]string{{member, words}})
}

func (s *story) actsWithTable(ctx context.Context, who, phrase string, t *godog.Table) error {
	changes, err := pairsOf(t)
	if err != nil {
		return err
	}
	return s.perform(ctx, who, phrase, "", changes)
}

// actsAgain repeats the last body of the story, byte for byte.
func (s *story) actsAgain(ctx context.Context, who, phrase string) error {
	a, err := named(phrase)
	if err != nil {
		return err
	}
	return s.call(ctx, who, a, "", s.sent)
}

// actsOften repeats an action; the last answer counts, unless one before it was
// a refusal.
func (s *story) actsOften(ctx context.Context, who, phrase string, n int) error {
	for range n {
		if err := s.acts(ctx, who, phrase); err != nil {
			return err
		}
		if _, err := s.ok(); err != nil {
			return nil //nolint:nilerr // a Then step judges the refusal.
		}
	}
	return nil
}

// actsWithFile sends an attachment of zeros.
func (s *story) actsWithFile(ctx context.Context, who, phrase string, n int) error {
	s.known["large file"] = base64.StdEncoding.EncodeToString(make([]byte, n))
	return s.perform(ctx, who, phrase, "", [][2]string{{"attachment", "the large file"}})
}

// pairsOf reads a table of two columns.
func pairsOf(t *godog.Table) ([][2]string, error) {
	list := make([][2]string, 0, len(t.Rows))
	for _, row := range t.Rows {
		if len(row.Cells) != 2 {
			return nil, fmt.Errorf("a row of the table has %d cells instead of a name and a value", len(row.Cells))
		}
		list = append(list, [2]string{row.Cells[0].Value, row.Cells[1].Value})
	}
	return list, nil
}

// perform makes the call of an action with changes to its canonical body. as is
// put before the names of what is kept: "other " for a second payer.
func (s *story) perform(ctx context.Context, who, phrase, as string, changes [][2]string) error {
	a, err := named(phrase)
	if err != nil {
		return err
	}
	if _, err := s.me(ctx, who); err != nil {
		return err
	}
	b, err := s.shape(a, as, changes)
	if err != nil {
		return err
	}
	return s.call(ctx, who, a, as, b)
}

// shape makes the body of an action, or nil when it has none. Changes of an
// action without a body go into the query.
func (s *story) shape(a action, as string, changes [][2]string) (any, error) {
	b := body{}
	if a.Body != "" {
		var err error
		if b, err = canonical(a.Body); err != nil {
			return nil, err
		}
	}
	for member, name := range a.Fill {
		var v any = absent{}
		if known, ok := s.known[as+name]; ok {
			v = known
		} else if known, ok := s.known[name]; ok {
			v = known
		}
		if err := b.set(member, v); err != nil {
			return nil, err
		}
	}
	for _, change := range changes {
		v, err := s.value(change[0], change[1])
		if err != nil {
			return nil, err
		}
		if err := b.set(change[0], v); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// call sends an action and notes what was answered.
func (s *story) call(ctx context.Context, who string, a action, as string, sent any) error {
	actor, err := s.me(ctx, who)
	if err != nil {
		return err
	}
	method, path, _ := strings.Cut(a.Call, " ")
	path, err = s.path(path)
	if err != nil {
		return err
	}
	s.sent, s.act = sent, a
	b, _ := sent.(body)
	out := sent
	if a.Body == "" {
		path, out = withQuery(path, b), nil
	}
	answer, err := s.send(ctx, actor, method, path, out)
	if err != nil {
		return err
	}
	s.done(a.Call, answer, func(ctx context.Context) (*partner.Answer, error) { return s.send(ctx, actor, method, path, out) })
	if err := s.heard(ctx, answer); err != nil {
		return err
	}
	if answer.Status != http.StatusOK {
		return nil
	}
	return s.keep(a, as, b, answer)
}

// send makes the call with a token, unless it is the call for one.
func (s *story) send(ctx context.Context, actor *actor, method, path string, out any) (*partner.Answer, error) {
	header := s.header
	s.header = nil
	if strings.HasPrefix(path, "/Authentication") || strings.HasPrefix(path, "/auth/") {
		return actor.client.Send(ctx, method, path, out, header...)
	}
	return actor.client.Call(ctx, method, path, out, header...)
}

// keep notes what a successful answer names.
func (s *story) keep(a action, as string, b body, answer *partner.Answer) error {
	for _, name := range slices.Sorted(maps.Keys(a.Keep)) {
		member, optional := strings.CutPrefix(a.Keep[name], "?")
		found, err := reach(answer.Body, member)
		if err != nil && !optional {
			return fmt.Errorf("%s: the answer %s has no %s: %w", a.Phrase, answer.Body, member, err)
		}
		if text, ok := found.(string); ok {
			s.known[as+name] = text
		}
	}
	for name, member := range a.Sent {
		if text, ok := b[member].(string); ok {
			s.known[as+name] = text
		}
	}
	return nil
}

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^}]+\}`) })

// path puts what the story knows into a path.
func (s *story) path(template string) (string, error) {
	var missing error
	path := placeholder().ReplaceAllStringFunc(template, func(m string) string {
		id, ok := s.known[m[1:len(m)-1]]
		if !ok {
			missing = fmt.Errorf("the scenario has no %s yet", m[1:len(m)-1])
		}
		return url.PathEscape(id)
	})
	return path, missing
}

// withQuery puts members into the query of a call without a body.
func withQuery(path string, b body) string {
	q := url.Values{}
	for name, v := range b {
		q.Set(name, fmt.Sprint(v))
	}
	switch {
	case len(q) == 0:
		return path
	case strings.Contains(path, "?"):
		return path + "&" + q.Encode()
	default:
		return path + "?" + q.Encode()
	}
}
