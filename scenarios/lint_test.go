package scenarios_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/clause"
	"paysandbox/harness/journey"
	"paysandbox/harness/journey/story"
	"paysandbox/mockserver/latitude"
	"paysandbox/scenarios"
)

const (
	// fewestJourneys is what the issue asks for; mostSteps keeps the vocabulary one
	// that a person can learn, mostLines a story one that a person reads.
	fewestJourneys = 14
	mostSteps      = 60
	mostLines      = 60
	widest         = 130
)

var (
	name  = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	money = regexp.MustCompile(`[0-9]+\.[0-9]+`)
	tags  = regexp.MustCompile(`^\s+@`)
	// technical is what has no place in the partner's language.
	technical = regexp.MustCompile(`[{}<>/\\=]|https?|JSON|API|POST|GET|uuid|paymentRequestId`)
)

// The stories are told in the partner's language, and each says which clauses it
// exercises.
func TestStories(t *testing.T) {
	t.Parallel()
	list, err := journey.List(scenarios.FS())
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(list), fewestJourneys)
	titles := map[string]string{}
	for _, j := range list {
		require.Regexp(t, name, j.Name)
		require.Empty(t, titles[j.Title], "%s and %s have one title", j.Name, titles[j.Title])
		titles[j.Title] = j.Name
		require.NotEmpty(t, j.Story, j.Name)
		require.NotEqual(t, j.Title, j.Ref.Name, j.Name)
		integration := 0
		for _, id := range j.Clauses {
			_, known := clause.Lookup(id)
			require.True(t, known, "%s names the clause %s", j.Name, id)
			if strings.HasPrefix(id, clause.IntegrationPrefix) {
				integration++
			}
		}
		require.Positive(t, integration, j.Name)
		for _, choice := range j.Unless {
			require.True(t, choice == "environment=sandbox" || alternative(choice), "%s names the choice %s", j.Name, choice)
		}
	}
}

// alternative says whether a choice is one of the ledger's that is not the default.
func alternative(choice string) bool {
	name, _, _ := strings.Cut(choice, "=")
	knob, err := latitude.Lookup(name)
	return err == nil && slices.ContainsFunc(knob.Choices(), func(c latitude.Choice) bool { return c.String() == choice && !c.Default() })
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, file := range files(t) {
		raw, err := fs.ReadFile(scenarios.FS(), file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		require.Less(t, len(lines), mostLines, file)
		for i, line := range lines {
			at := file + ": " + line
			require.LessOrEqual(t, len(line), widest, at)
			require.Equal(t, strings.TrimRight(line, " \t"), line, at)
			if tags.MatchString(line) || i == 0 {
				continue
			}
			require.NotRegexp(t, technical, line)
			for _, amount := range money.FindAllString(line, -1) {
				require.Regexp(t, `^[0-9]+\.[0-9]{2}$`, amount, at)
			}
		}
	}
}

// Every sentence is known once, and every known one is used.
func TestSteps(t *testing.T) {
	t.Parallel()
	steps := story.Steps()
	require.LessOrEqual(t, len(steps), mostSteps)
	used := make([]string, len(steps))
	for _, file := range files(t) {
		raw, err := fs.ReadFile(scenarios.FS(), file)
		require.NoError(t, err)
		for line := range strings.SplitSeq(string(raw), "\n") {
			keyword, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch keyword {
			case "Given", "When", "Then", "And":
			default:
				continue
			}
			var matching []string
			for i, s := range steps {
				if s.Pattern.MatchString(text) {
					matching = append(matching, s.Pattern.String())
					used[i] = file
				}
			}
			require.Len(t, matching, 1, "%s: %q is told by %q", file, text, matching)
		}
	}
	for i, s := range steps {
		require.NotEmpty(t, used[i], "no story uses %s", s.Pattern)
	}
}

// What lies in the folder is what is played.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	there, err := filepath.Glob("*.feature")
	require.NoError(t, err)
	require.Equal(t, there, files(t))
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		require.False(t, e.IsDir(), e.Name())
	}
}

func files(tb testing.TB) []string {
	tb.Helper()
	list, err := fs.Glob(scenarios.FS(), "*.feature")
	require.NoError(tb, err)
	return list
}
