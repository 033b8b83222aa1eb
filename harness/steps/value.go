package steps

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/fixtures"
)

// pdfFile and textFile are small files.
const (
	pdfFile  = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n"
	textFile = "no document at all"
)

// calledSteps give what there is several of names of its own.
func calledSteps() []Step {
	const nouns = `(?:other )?(?:company|location|payer|payment|card authorisation|card|plan|consent|refund|terminal payment|debit authorisation)`
	return []Step{
		step("given", `the (?:answer's `+memberName+`|(`+nouns+`)) is (called|the one called) "([^"]*)"`, bind4((*story).calls)),
	}
}

// calls gives what an answer shows, or what the story knows, another name, under which it stays known when there are
// more of its kind; or has the story go on with the one that has such a name.
func (s *story) calls(ctx context.Context, member, noun, how, name string) error {
	if m, err := machineOf(noun); err == nil && m.Tape != "" && how == "called" { // the tape alone tells its id
		id, _, err := s.traced(ctx, m.Tape)
		s.known[name] = id
		return err
	}
	if member != "" {
		v, err := s.member(member)
		s.known[name] = shown(v)
		return err
	}
	from, to := noun, name
	if how != "called" {
		from, to = name, noun
	}
	if s.known[from] == "" {
		return fmt.Errorf("the scenario has no %s yet", from)
	}
	s.known[to] = s.known[from]
	if reference := s.known[from+"'s reference"]; reference != "" {
		s.known[to+"'s reference"] = reference
	}
	return nil
}

// plainWords are the values that are written in words, whatever the story.
var plainWords = map[string]any{
	"nothing":            absent{},
	"null":               nil,
	"an empty text":      "",
	"an empty list":      []any{},
	"a blank":            " ",
	"yes":                true,
	"no":                 false,
	"a PDF":              base64.StdEncoding.EncodeToString([]byte(pdfFile)),
	"a text file":        base64.StdEncoding.EncodeToString([]byte(textFile)),
	"255 letters":        strings.Repeat("k", 255),
	"256 letters":        strings.Repeat("k", 256),
	"an attachment":      map[string]any{"fileName": "a.pdf", "fileData": base64.StdEncoding.EncodeToString([]byte(pdfFile)), "fileType": "application/pdf"},
	"an object of notes": map[string]any{"order": "42", "nested": map[string]any{"list": []any{true, nil}}},
	"the number 5000":    json.Number("5000"),
	"the text 5000":      "5000",
}

// addresses are how addresses of a kind begin.
var addresses = map[string]string{"a web": "https://partner.example.com/", "an app's": "com.example.app:/"}

// The members whose values are numbers or truth values on the wire.
var (
	numbers = []string{"amount", "limit", "debitAuthLimit", "autoPayLimit", "intervalValue", "occurrences"}
	truths  = []string{"enabled", "enableDebitAuth", "enableAutoPay", "oneTimePayment"}
)

var (
	ownedID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^the (.+)'s id$`) })
	// longAddress is an address of so many letters.
	longAddress = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(a web|an app's) address of ([0-9]+) letters$`) })
	daysAway    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^in ([0-9]+) days$`) })
	bigNumber   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][0-9]+)?$`) })
)

// value turns the words of a step into what is sent for a member.
func (s *story) value(member, words string) (any, error) {
	if v, ok := plainWords[words]; ok {
		if object, ok := v.(map[string]any); ok {
			return maps.Clone(object), nil // a step may set members of it
		}
		return v, nil
	}
	if text, ok := s.text(words); ok {
		return text, nil
	}
	if ownedID().MatchString(words) {
		return nil, fmt.Errorf("the scenario has no %s yet", words)
	}
	last := member[strings.LastIndexByte(member, '.')+1:]
	switch {
	case slices.Contains(numbers, last) && bigNumber().MatchString(words):
		return json.Number(words), nil
	case slices.Contains(truths, last) && (words == "true" || words == "false"):
		return words == "true", nil
	default:
		return words, nil
	}
}

// text turns words that stand for a text of the story into it: ids, references
// and dates.
func (s *story) text(words string) (string, bool) {
	switch words {
	case "an unknown id":
		return s.known["unknown"], true
	case "today":
		return s.day(0), true
	case "tomorrow":
		return s.day(1), true
	case "yesterday":
		return s.day(-1), true
	}
	if m := longAddress().FindStringSubmatch(words); m != nil {
		n, err := strconv.Atoi(m[2])
		begin := addresses[m[1]]
		return begin + strings.Repeat("k", max(0, n-len(begin))), err == nil
	}
	if m := daysAway().FindStringSubmatch(words); m != nil {
		n, err := strconv.Atoi(m[1])
		return s.day(n), err == nil
	}
	if id, ok := s.known[strings.TrimPrefix(words, "the ")]; ok && strings.HasPrefix(words, "the ") {
		return id, true
	}
	if m := ownedID().FindStringSubmatch(words); m != nil {
		id, ok := s.known[m[1]]
		return id, ok
	}
	return "", false
}

// pacific is where the service's banking days are counted.
const pacific = "America/Los_Angeles"

// day is a date of the story's calendar, counted from today.
func (s *story) day(n int) string {
	now := s.now
	if now.IsZero() {
		now = s.start()
	}
	if zone, err := time.LoadLocation(pacific); err == nil {
		now = now.In(zone)
	}
	return now.AddDate(0, 0, n).Format(time.DateOnly)
}

// start is when the clock begins when nothing has been answered yet.
func (s *story) start() time.Time {
	if t, err := time.Parse(time.RFC3339, s.wish.Clock.Start); err == nil {
		return t
	}
	return time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
}

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

var index = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[([0-9]+)\]$`) })

// into takes one step down, to a member or to an element of a list. A list that
// is too short by one grows by a copy of its first element.
func into(at any, name string) (any, error) {
	m := index().FindStringSubmatch(name)
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
