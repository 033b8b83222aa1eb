package drive_test

import (
	"bytes"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/drive"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/latitude"
	"paysandbox/scenarios"
)

// bold are the stories without the tags that say with which choices they cannot be
// told.
func bold(tb testing.TB) fstest.MapFS {
	tb.Helper()
	tag, all := regexp.MustCompile(`@unless:\S+`), fstest.MapFS{}
	files, err := fs.Glob(scenarios.FS(), "*.feature")
	require.NoError(tb, err)
	for _, file := range files {
		raw, err := fs.ReadFile(scenarios.FS(), file)
		require.NoError(tb, err)
		all[file] = &fstest.MapFile{Data: tag.ReplaceAll(raw, nil)}
	}
	return all
}

// against gives the stories by the choices with which they cannot be told.
func against(tb testing.TB) map[string][]string {
	tb.Helper()
	list, err := journey.List(scenarios.FS())
	require.NoError(tb, err)
	choices := map[string][]string{}
	for _, j := range list {
		for _, choice := range j.Unless {
			if !strings.HasPrefix(choice, "environment=") {
				choices[choice] = append(choices[choice], j.Name)
			}
		}
	}
	return choices
}

// A story that cannot be told with a choice of the service says so and is left
// out. That it could not be told is true.
func TestStoriesThatCannotBeTold(t *testing.T) {
	t.Parallel()
	stories := against(t)
	for _, choice := range sampling.Every(t, 3, slices.Sorted(maps.Keys(stories))) {
		names := stories[choice]
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			name, value, _ := strings.Cut(choice, "=")
			plan := drive.Plan{Seed: 7, Names: names, Latitude: map[string]string{name: value}}
			list, end := live(t, plan)
			require.Equal(t, verdict.CodeLittle, end.ExitCode, end.Reason)
			for _, d := range list {
				require.Equal(t, verdict.Inconclusive, d.Verdict, d.Name)
				require.ErrorIs(t, d.Err, journey.ErrNotHere)
				require.Equal(t, []string{"this story cannot be told with " + choice}, d.Problems, d.Name)
				require.Less(t, len(d.Entries), 10, "it is not played")
			}
			plan.Scenarios, plan.Names = bold(t), names[:1] // one will do
			list, _ = live(t, plan)
			for _, d := range list {
				require.NotEqual(t, verdict.Pass, d.Verdict, "%s can be told with %s", d.Name, choice)
			}
		})
	}
}

// With whatever choices, a story comes to its end or says why it cannot be told.
// Only evidence may be missing, and is then told.
func TestStoriesWithOtherChoices(t *testing.T) {
	sampling.NotRaced(t, "TestDrive lives the same journeys with it")
	t.Parallel()
	for _, seed := range sampling.Every(t, 2, []uint64{4, 6}) { // with which many stories can be told, and few
		settings := latitude.Vary(seed)
		list, _ := live(t, drive.Plan{Seed: 7, Latitude: settings.Map(), Names: some(t, sampling.Step(t, 3))})
		for _, d := range list {
			if d.Verdict == verdict.Pass || d.Err != nil {
				require.True(t, d.Err == nil || slices.Equal(d.Problems, []string{d.Err.Error()}), "%s with %s: %q", d.Name, settings, d.Problems)
				continue
			}
			require.Equal(t, verdict.Inconclusive, d.Verdict, "%s with %s: %q", d.Name, settings, d.Problems)
		}
	}
}

// A clause that has no meaning with a choice is no blemish of the story.
func TestClausesThatDoNotApply(t *testing.T) {
	t.Parallel()
	list, end := live(t, drive.Plan{Names: []string{"saved-card"}, Latitude: map[string]string{"saved-card-status": "402"}})
	require.Equal(t, verdict.CodeMet, end.ExitCode, end.Reason)
	var b bytes.Buffer
	require.NoError(t, drive.Account(&b, list[0], drive.Plain))
	text := strings.Join(strings.Fields(b.String()), " ")
	require.Contains(t, text, "charges the saved card of Lee with 40.00 → 402, declined")
	require.Contains(t, text, "partner.idempotency.key does not apply: the choice idempotency=ignored ignores keys")
}
