package drive_test

import (
	"bytes"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey/drive"
	"paysandbox/scenarios"
)

// account is what people read of a journey.
func account(tb testing.TB, d *drive.Driven) string {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, drive.Account(&b, d, drive.Plain))
	return b.String()
}

var books, collected = regexp.MustCompile(`the books show ([0-9]+\.[0-9]{2})`), regexp.MustCompile(`collected (-?[0-9]+\.[0-9]{2})`)

// addsUp expects the money of an account to end where the books of its story do, and no
// line to be too wide but for those with money.
func addsUp(t *testing.T, d *drive.Driven) {
	t.Helper()
	last := func(re *regexp.Regexp, text string) string {
		all := re.FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			return "0.00"
		}
		return all[len(all)-1][1]
	}
	raw, err := fs.ReadFile(scenarios.FS(), d.File)
	require.NoError(t, err)
	text := account(t, d)
	if books.Match(raw) {
		require.Equal(t, last(books, string(raw)), last(collected, text))
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.Contains(line, "  collected ") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 120, line)
		}
		if words := strings.TrimSpace(line); strings.HasPrefix(words, "PASS") || strings.HasPrefix(words, "partner.") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 100, line)
		}
	}
}

// What is given back is told with what it is of, and what comes with it.
func TestAccountOfRefunds(t *testing.T) {
	t.Parallel()
	list, _ := live(t, drive.Plan{Names: []string{"refunds"}})
	text := account(t, list[0])
	require.Contains(t, text, "partner   refunds 30.50 of Dana's 80.00, and attaches receipt.pdf\n")
	require.Contains(t, text, "service   the refund of 30.50 of Dana's 80.00 is Completed ")
	require.Contains(t, text, "collected 109.50\n")
}

// Long names keep their column.
func TestAccountOfLongNames(t *testing.T) {
	t.Parallel()
	story := "Feature: x\n  Scenario: y\n    Given the gym, \"Gym\", is a customer of the partner\n    And Christopher is a registered payer\n"
	list, _ := live(t, drive.Plan{Scenarios: fstest.MapFS{"x.feature": {Data: []byte(story)}}})
	text := account(t, list[0])
	require.Contains(t, text, "                  Christopher completes the registration\n")
	require.Contains(t, text, "                  partner     registers Christopher\n")
	require.Contains(t, text, "    17:00:00      partner     wants to hear")
}
