package source_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/replay/read/source"
)

// TestAFinderFindsWhatASearchFinds: wherever the search goes on, as a new search of the rest.
func TestAFinderFindsWhatASearchFinds(t *testing.T) {
	t.Parallel()
	patterns := []string{`\b(a+)\b`, `^b|ab`, `c(b?)[ab]*$`, `(?i)B a|c c`, `a.*?c`, `x`}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[abc ]{0,40}`).Draw(t, "line")
		signs := make([]*source.Sign, len(patterns))
		for i, p := range patterns {
			signs[i] = source.NewSign(p, nil)
		}
		f := source.NewFinder(line)
		for from := 0; from < len(line); from += rapid.IntRange(0, 4).Draw(t, "on") {
			for i, p := range patterns {
				want := regexp.MustCompile(p).FindStringSubmatchIndex(line[from:])
				for k := range want {
					if want[k] >= 0 {
						want[k] += from
					}
				}
				require.Equal(t, want, f.Find(signs[i], from), "%s in %q from %d", p, line, from)
			}
			if from > 0 && rapid.Bool().Draw(t, "end") {
				break
			}
		}
	})
}

// TestAFinderSearchesOnce: a line of many places costs no more than what each sign has to
// look at.
func TestAFinderSearchesOnce(t *testing.T) {
	t.Parallel()
	const times = 10_000
	line := strings.Repeat("a b ", times)
	f := source.NewFinder(line)
	a, b, none := source.NewSign("a", nil), source.NewSign("b", nil), source.NewSign("z", nil)
	found := 0
	for from := 0; from < len(line); {
		require.Nil(t, f.Find(none, from))
		one, two := f.Find(a, from), f.Find(b, from)
		found++
		switch {
		case one == nil && two == nil:
			from = len(line)
		case two == nil || one != nil && one[0] < two[0]:
			from = one[1]
		default:
			from = two[1]
		}
	}
	require.Equal(t, 2*times, found-1)
	require.Less(t, f.Spent(), 4*len(line))
}

// TestSpaceBeforeAnOffset: Serilog writes one.
func TestSpaceBeforeAnOffset(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 3, 2, 17, 0, 0, 250e6, time.UTC)
	for _, text := range []string{"2026-03-02 18:00:00.25 +01:00", "2026-03-02 17:00:00.25 Z", "2026-03-02 18:00:00.25 +0100"} {
		require.True(t, want.Equal(source.Time(text)), text)
	}
}
