package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

var errNoAnswer = errors.New("nothing has been answered yet")

// memberName is how a step names a member of an answer.
const memberName = `([a-zA-Z0-9.\[\]]+)`

func answerSteps() []Step {
	const area = "answer"
	return []Step{
		step(area, `the call succeeds`, bind((*story).succeeds)),
		step(area, `the answer's `+memberName+` is "([^"]*)"`, bind2((*story).memberIs)),
		step(area, `the answer's `+memberName+` is an id`, bind1((*story).memberIsID)),
		staged(area, `the answer's `+memberName+` is a random id`, bind1((*story).memberIsRandomID)),
		step(area, `the answer's `+memberName+` is a web address`, bind1((*story).memberIsAddress)),
		step(area, `the answer's `+memberName+` is a moment`, bind1((*story).memberIsMoment)),
		step(area, `the answer's `+memberName+` is null`, bind1((*story).memberIsNull)),
		step(area, `the answer lists ([0-9]+) ([a-zA-Z.]+)`, bind2((*story).lists)),
		step(area, `one of the answer's ([a-zA-Z]+) has ([a-zA-Z]+) "([^"]*)"`, bind3((*story).oneHas)),
		step(area, `the answer is empty`, bind((*story).isEmpty)),
		step(area, `both answers are the same`, bind((*story).isSame)),
		step(area, `the answers (differ|agree) in `+memberName, bind2((*story).compare)),
	}
}

// ok gives the last answer, which must be a success.
func (s *story) ok() ([]byte, error) {
	if s.answer == nil {
		return nil, errNoAnswer
	}
	if s.answer.Status != http.StatusOK {
		return nil, fmt.Errorf("expected status 200, received %d: %s", s.answer.Status, s.answer.Body)
	}
	if s.unexpected != nil {
		return nil, fmt.Errorf("an earlier call was refused with %d: %s", s.unexpected.Status, s.unexpected.Body)
	}
	return s.answer.Body, nil
}

func (s *story) succeeds(context.Context) error {
	_, err := s.ok()
	return err
}

// member reads a member of the last answer, which must be a success.
func (s *story) member(name string) (any, error) {
	body, err := s.ok()
	if err != nil {
		return nil, err
	}
	v, err := reach(body, name)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, body)
	}
	return v, nil
}

func (s *story) memberIs(_ context.Context, name, words string) error {
	v, err := s.member(name)
	if err != nil {
		return err
	}
	if expected := s.expand(words); shown(v) != expected && shown(v) != unescaped.Replace(expected) {
		return fmt.Errorf("expected %s to be %q, received %q", name, expected, shown(v))
	}
	return nil
}

// oneHas expects an entry of a list with a member of that value: others may have made
// entries, too.
func (s *story) oneHas(_ context.Context, list, name, words string) error {
	v, err := s.member(list)
	if err != nil {
		return err
	}
	expected := s.expand(words)
	entries, _ := v.([]any)
	for _, entry := range entries {
		if o, ok := entry.(map[string]any); ok && shown(o[name]) == expected {
			return nil
		}
	}
	return fmt.Errorf("expected one of the %s to have %s %q, received %s", list, name, expected, s.answer.Body)
}

// expand turns words into the text that they stand for.
func (s *story) expand(words string) string {
	if text, ok := s.text(words); ok {
		return text
	}
	return words
}

var uuidForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})

func (s *story) memberIsID(_ context.Context, name string) error {
	return s.matches(name, uuidForm(), "a uuid")
}

// randomForm is a UUID of RFC 9562 of version 4, which is what the sandbox makes; the
// specification asks for a UUID alone.
var randomForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
})

func (s *story) memberIsRandomID(_ context.Context, name string) error {
	return s.matches(name, randomForm(), "a uuid of version 4")
}

var momentForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`) })

func (s *story) memberIsMoment(_ context.Context, name string) error {
	return s.matches(name, momentForm(), "an ISO 8601 moment in UTC")
}

var addressForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^https?://[^/ ]+/\S+$`) })

func (s *story) memberIsAddress(_ context.Context, name string) error {
	return s.matches(name, addressForm(), "a web address")
}

func (s *story) matches(name string, form *regexp.Regexp, what string) error {
	v, err := s.member(name)
	if err != nil {
		return err
	}
	if text, ok := v.(string); !ok || !form.MatchString(text) {
		return fmt.Errorf("expected %s to be %s, received %q", name, what, shown(v))
	}
	return nil
}

func (s *story) memberIsNull(_ context.Context, name string) error {
	v, err := s.member(name)
	if err != nil {
		return err
	}
	if v != nil {
		return fmt.Errorf("expected %s to be null, received %q", name, shown(v))
	}
	return nil
}

func (s *story) lists(_ context.Context, n int, name string) error {
	v, err := s.member(name)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok || len(list) != n {
		return fmt.Errorf("expected %d %s, received %s", n, name, shown(v))
	}
	return nil
}

func (s *story) isEmpty(context.Context) error {
	body, err := s.ok()
	if err == nil && len(body) != 0 {
		return fmt.Errorf("expected no body, received %s", body)
	}
	return err
}

func (s *story) isSame(context.Context) error {
	if s.before == nil {
		return errNoAnswer
	}
	if s.before.Status != s.answer.Status || string(s.before.Body) != string(s.answer.Body) {
		return fmt.Errorf("expected the same answer twice, received %d %s and %d %s",
			s.before.Status, s.before.Body, s.answer.Status, s.answer.Body)
	}
	return nil
}

// compare holds a member of the last two answers to be the same, or another.
func (s *story) compare(_ context.Context, how, name string) error {
	now, err := s.member(name)
	if err != nil {
		return err
	}
	then, err := reach(s.before.Body, name)
	if err == nil && (shown(then) == shown(now)) != (how == "agree") {
		return fmt.Errorf("expected the answers to %s in %s, received %q and %q", how, name, shown(then), shown(now))
	}
	return err
}

// reach finds a member of a JSON text, named as in employees[0].name.
func reach(raw []byte, name string) (any, error) {
	var at any
	if err := decodeJSON(raw, &at); err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(name, "[", ".["), ".") {
		if part == "" {
			continue
		}
		var ok bool
		if at, ok = below(at, part); !ok {
			return nil, fmt.Errorf("there is no %s", name)
		}
	}
	return at, nil
}

// below takes one step down, to a member or to an element.
func below(at any, part string) (any, bool) {
	switch v := at.(type) {
	case map[string]any:
		found, ok := v[part]
		return found, ok
	case []any:
		m := index().FindStringSubmatch(part)
		if m == nil {
			return nil, false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || n >= len(v) {
			return nil, false
		}
		return v[n], true
	default:
		return nil, false
	}
}

// shown writes a JSON value as a step would.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return v
	case json.Number:
		return v.String()
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(raw)
	}
}

// unverified says whether an advice is that the company is not Verified yet, which is none
// of the scenario's: without control nobody can end a verification of 24 hours.
func (s *story) unverified(clause string) bool {
	return s.world.ControlURL == "" && strings.HasSuffix(clause, ".company-verified") && !slices.Contains(s.clauses, clause)
}
