package steps

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pdfFile and textFile are small files.
const (
	pdfFile  = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n"
	textFile = "no document at all"
)

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

// The members whose values are numbers or truth values on the wire.
var (
	numbers = []string{"amount", "limit", "debitAuthLimit", "autoPayLimit", "intervalValue", "occurrences"}
	truths  = []string{"enabled", "enableDebitAuth", "enableAutoPay", "oneTimePayment"}
)

var (
	ownedID   = regexp.MustCompile(`^the (.+)'s id$`)
	daysAway  = regexp.MustCompile(`^in ([0-9]+) days$`)
	bigNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][0-9]+)?$`)
)

// value turns the words of a step into what is sent for a member.
func (s *story) value(member, words string) (any, error) {
	if v, ok := plainWords[words]; ok {
		return v, nil
	}
	if text, ok := s.text(words); ok {
		return text, nil
	}
	if ownedID.MatchString(words) {
		return nil, fmt.Errorf("the scenario has no %s yet", words)
	}
	last := member[strings.LastIndexByte(member, '.')+1:]
	switch {
	case slices.Contains(numbers, last) && bigNumber.MatchString(words):
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
	if m := daysAway.FindStringSubmatch(words); m != nil {
		n, err := strconv.Atoi(m[1])
		return s.day(n), err == nil
	}
	if id, ok := s.known[strings.TrimPrefix(words, "the ")]; ok && strings.HasPrefix(words, "the ") {
		return id, true
	}
	if m := ownedID.FindStringSubmatch(words); m != nil {
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
