package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"paysandbox/fixtures"
)

// body is a request's body while a scenario shapes it.
type body map[string]any

// small are the bodies that are too small to be kept in a file.
var small = map[string]string{
	"plan-payer":   `{}`,
	"link-token":   `{}`,
	"account-link": `{"publicToken":"public-good","linkAccountsMetadata":{"linkSessionId":"session-1","institutionId":"ins_1","accountIds":[]}}`,
}

// canonical gives a fresh copy of a canonical body.
func canonical(name string) (body, error) {
	if text, ok := small[name]; ok {
		b := body{}
		return b, decodeJSON([]byte(text), &b)
	}
	raw, err := fixtures.Payload(name)
	if err != nil {
		return nil, err
	}
	b := body{}
	return b, decodeJSON(raw, &b)
}

// decodeJSON reads JSON and keeps numbers as they are written.
func decodeJSON(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// absent takes the place of a value that is to be left out.
type absent struct{}

// set changes one member, named as in owner.ssn or employees[0].emailAddress.
// An index one behind the end adds an element.
func (b body) set(member string, value any) error {
	var at any = map[string]any(b)
	names := strings.FieldsFunc(strings.ReplaceAll(member, "[", ".["), func(r rune) bool { return r == '.' })
	for _, name := range names[:len(names)-1] {
		next, err := into(at, name)
		if err != nil {
			return fmt.Errorf("change %s: %w", member, err)
		}
		at = next
	}
	holder, ok := at.(map[string]any)
	if !ok {
		return fmt.Errorf("change %s: what holds it is no object", member)
	}
	last := names[len(names)-1]
	if _, gone := value.(absent); gone {
		delete(holder, last)
		return nil
	}
	holder[last] = value
	return nil
}

var index = regexp.MustCompile(`^\[([0-9]+)\]$`)

// into takes one step down, to a member or to an element of a list. A list that
// is too short by one grows by a copy of its first element.
func into(at any, name string) (any, error) {
	m := index.FindStringSubmatch(name)
	if m == nil {
		holder, ok := at.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("there is no object with %s", name)
		}
		if list, ok := holder[name].([]any); ok {
			return &slot{holder, name, list}, nil
		}
		return holder[name], nil
	}
	s, ok := at.(*slot)
	n, err := strconv.Atoi(m[1])
	if !ok || err != nil || n > len(s.list) || len(s.list) == 0 {
		return nil, fmt.Errorf("there is no element %s", name)
	}
	if n == len(s.list) {
		s.list = append(s.list, copied(s.list[0]))
		s.holder[s.name] = s.list
	}
	return s.list[n], nil
}

// slot is a list together with where it is kept.
type slot struct {
	holder map[string]any
	name   string
	list   []any
}

// copied copies an object one level deep.
func copied(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	c := map[string]any{}
	for k, v := range m {
		c[k] = v
	}
	return c
}
