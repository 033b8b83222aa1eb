package steps

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

// action is one thing that a partner can do: an operation of the partner API in
// the partner's words.
type action struct {
	// phrase follows "the partner".
	phrase string
	// method and path make the call; {name} in the path is what the story knows
	// under that name.
	method, path string
	// body names the canonical body; empty for none.
	body string
	// fill puts what the story knows into members of the body; a member whose
	// value is not known is left out.
	fill []pair
	// keep notes members of a successful answer; one that begins with ? may be
	// missing.
	keep []pair
	// after notes what the answer does not tell.
	after func(s *story, as string, b body)
}

// pair is a member's name and the name of what the story knows.
type pair struct{ member, known string }

// actions are all of them, area by area.
func actions() []action {
	return slices.Concat(
		tokenActions(), companyActions(), payerActions(), paymentActions(), cardActions(),
		terminalActions(), planActions(), transactionActions(), accountActions(),
	)
}

// actionSteps are the three ways in which an action is written.
func actionSteps() []Step {
	phrases := make([]string, 0, len(actions()))
	for _, a := range actions() {
		phrases = append(phrases, regexp.QuoteMeta(a.phrase))
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
	if i := slices.IndexFunc(all, func(a action) bool { return a.phrase == phrase }); i >= 0 {
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
	if a.body != "" {
		var err error
		if b, err = canonical(a.body); err != nil {
			return nil, err
		}
	}
	for _, f := range a.fill {
		var v any = absent{}
		if known, ok := s.known[as+f.known]; ok {
			v = known
		} else if known, ok := s.known[f.known]; ok {
			v = known
		}
		if err := b.set(f.member, v); err != nil {
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
	path, err := s.path(a.path)
	if err != nil {
		return err
	}
	s.sent = sent
	b, _ := sent.(body)
	out := sent
	if a.body == "" {
		path, out = withQuery(path, b), nil
	}
	answer, err := s.send(ctx, actor, a, path, out)
	if err != nil {
		return err
	}
	s.heard(answer)
	if answer.Status != http.StatusOK {
		return nil
	}
	return s.keep(a, as, b, answer)
}

// send makes the call with a token, unless it is the call for one.
func (s *story) send(ctx context.Context, actor *actor, a action, path string, out any) (*partner.Answer, error) {
	header := s.header
	s.header = nil
	if strings.HasPrefix(a.path, "/Authentication") || strings.HasPrefix(a.path, "/auth/") {
		return actor.client.Send(ctx, a.method, path, out, header...)
	}
	return actor.client.Call(ctx, a.method, path, out, header...)
}

// keep notes what a successful answer names.
func (s *story) keep(a action, as string, b body, answer *partner.Answer) error {
	for _, k := range a.keep {
		member, optional := strings.CutPrefix(k.member, "?")
		found, err := reach(answer.Body, member)
		if err != nil && !optional {
			return fmt.Errorf("%s: the answer %s has no %s: %w", a.phrase, answer.Body, member, err)
		}
		if text, ok := found.(string); ok {
			s.known[as+k.known] = text
		}
	}
	if a.after != nil {
		a.after(s, as, b)
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{[^}]+\}`)

// path puts what the story knows into a path.
func (s *story) path(template string) (string, error) {
	var missing error
	path := placeholder.ReplaceAllStringFunc(template, func(m string) string {
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
