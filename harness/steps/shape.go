package steps

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cucumber/godog"
)

func shapeSteps() []Step {
	const area = "shape"
	return []Step{
		step(area, `the answer has exactly the members:`, bind1((*story).hasExactly)),
		staged(area, `the last delivery is:`, bind1((*story).deliveryReads)),
		staged(area, `the last delivery comes with the headers "([^"]*)"`, bind1((*story).deliveryComesWith)),
		staged(area, `the sandbox shows "([^"]*)" as:`, bind2((*story).shows)),
		step(area, `the answer has ([0-9]+) members`, bind1((*story).hasMembers)),
		step(area, `every entry of `+memberName+` has exactly the members:`, bind2((*story).entriesHave)),
		step(area, `the answer comes as "([^"]*)"`, bind1((*story).comesAs)),
		step(area, `the answer's header "([^"]*)" is "([^"]*)"`, bind2((*story).headerIs)),
		step(area, `the answer has no header "([^"]*)"`, bind1((*story).headerAbsent)),
	}
}

func (s *story) hasExactly(_ context.Context, t *godog.Table) error {
	body, err := s.ok()
	if err != nil {
		return err
	}
	var v any
	if err := decodeJSON(body, &v); err != nil {
		return err
	}
	return s.sameMembers(v, t)
}

func (s *story) hasMembers(_ context.Context, n int) error {
	body, err := s.ok()
	if err != nil {
		return err
	}
	var object map[string]any
	if err := decodeJSON(body, &object); err != nil {
		return err
	}
	if len(object) != n && (len(object) < n || !s.world.MayAdd) {
		return fmt.Errorf("expected %d members, received %s", n, body)
	}
	return nil
}

func (s *story) entriesHave(_ context.Context, name string, t *godog.Table) error {
	v, err := s.member(name)
	if err != nil {
		return err
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return fmt.Errorf("expected entries in %s, received %s", name, shown(v))
	}
	for _, entry := range list {
		if err := s.sameMembers(entry, t); err != nil {
			return err
		}
	}
	return nil
}

// kinds tell the kinds of values that a table of members can name.
var kinds = map[string]func(any) bool{
	"id":     func(v any) bool { text, ok := v.(string); return ok && uuidForm().MatchString(text) },
	"text":   func(v any) bool { _, ok := v.(string); return ok },
	"moment": func(v any) bool { text, ok := v.(string); return ok && momentForm().MatchString(text) },
	"null":   func(v any) bool { return v == nil },
	"object": func(v any) bool { _, ok := v.(map[string]any); return ok },
	"list":   func(v any) bool { _, ok := v.([]any); return ok },
	"truth":  func(v any) bool { _, ok := v.(bool); return ok },
	"number": func(v any) bool {
		text := shown(v)
		_, isText := v.(string)
		return !isText && bigNumber().MatchString(text)
	},
}

// sameMembers compares the members of an object with a table of names and
// kinds of values: no more, no fewer.
func (s *story) sameMembers(v any, t *godog.Table) error {
	object, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("expected an object, received %s", shown(v))
	}
	rows, err := pairsOf(t)
	if err != nil {
		return err
	}
	for _, row := range rows {
		found, ok := object[row[0]]
		is := kinds[row[1]]
		if is == nil {
			return fmt.Errorf("no kind of value is called %q", row[1])
		}
		if !ok || !is(found) {
			return fmt.Errorf("expected %s to be a %s, received %s in %s", row[0], row[1], shown(found), shown(v))
		}
	}
	for name := range object {
		if !s.world.MayAdd && !slices.ContainsFunc(rows, func(row [2]string) bool { return row[0] == name }) {
			return fmt.Errorf("expected no member %s in %s", name, shown(v))
		}
	}
	return nil
}

func (s *story) comesAs(ctx context.Context, media string) error {
	return s.headerIs(ctx, "Content-Type", media)
}

func (s *story) headerIs(_ context.Context, name, value string) error {
	if s.answer == nil {
		return errNoAnswer
	}
	if received := s.answer.Header.Get(name); received != value {
		return fmt.Errorf("expected the header %s to be %q, received %q", name, value, received)
	}
	return nil
}

func (s *story) headerAbsent(_ context.Context, name string) error {
	if s.answer == nil {
		return errNoAnswer
	}
	if received, ok := s.answer.Header[name]; ok {
		return fmt.Errorf("expected no header %s, received %q", name, received)
	}
	return nil
}

// opaque are the ids and tokens that no story knows: they differ from page to page.
var opaque = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{20,}`)
})

// pageIs compares the whole page; what is opaque and not expected stands as {opaque}.
func (s *story) pageIs(_ context.Context, t *godog.DocString) error {
	if s.page == nil {
		return errNoPage
	}
	expected := strings.Join(strings.Fields(s.inText(t.Content)), " ")
	received := opaque().ReplaceAllStringFunc(s.page.Outline(), func(found string) string {
		if strings.Contains(expected, found) || !strings.ContainsAny(found, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			return found
		}
		return "{opaque}"
	})
	if received != expected {
		return fmt.Errorf("expected the page %q, received %q", expected, received)
	}
	return nil
}

// looksAgain opens what the page opens by itself, until there is nothing.
func (s *story) looksAgain(ctx context.Context, seconds string) error {
	if s.page == nil {
		return errNoPage
	}
	var waits []string
	for address, after, ok := s.page.Again(); ok; address, after, ok = s.page.Again() {
		waits = append(waits, strconv.Itoa(after))
		var err error
		if s.page, err = s.visitor().Open(ctx, address); err != nil {
			return err
		}
	}
	if received := strings.Join(waits, ", "); received != seconds {
		return fmt.Errorf("expected the page to look again after %s seconds, received %s", seconds, received)
	}
	return nil
}

// deliveryReads compares the bytes of the last delivery, blanks at their ends apart.
func (s *story) deliveryReads(ctx context.Context, t *godog.DocString) error {
	d, err := s.last(ctx)
	if expected := strings.TrimSpace(s.inText(t.Content)); err == nil && string(d.Body) != expected {
		err = fmt.Errorf("expected the delivery %s, received %s", expected, d.Body)
	}
	return err
}

func (s *story) deliveryComesWith(ctx context.Context, expected string) error {
	d, err := s.last(ctx)
	if received := strings.Join(slices.Sorted(maps.Keys(d.Header)), ", "); err == nil && received != expected {
		err = fmt.Errorf("expected the headers %s, received %s", expected, received)
	}
	return err
}

// oneDigit compares the last delivery with the last event, byte by byte.
func (s *story) oneDigit(ctx context.Context) error {
	got, err := s.delivered(ctx)
	if err != nil {
		return err
	}
	list, err := s.entries(ctx, "event")
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNoTrace
	}
	event := list[len(list)-1].Event.Body
	for _, d := range got {
		if !digitApart(event, d.Body) {
			return fmt.Errorf("expected %s but for one digit, received %s", event, d.Body)
		}
	}
	return nil
}

// digitApart says whether two texts are the same but for one digit.
func digitApart(one, other []byte) bool {
	if len(one) != len(other) {
		return false
	}
	apart := 0
	for i := range one {
		switch {
		case one[i] == other[i]:
		case isDigit(one[i]) && isDigit(other[i]):
			apart++
		default:
			return false
		}
	}
	return apart == 1
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
