package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
)

const refunded = "b4d43a69-ad96-47f1-af10-0be0a00f987d"

// edited is a stored case in whose links somebody has written.
func edited(t *testing.T, change func(text string) string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("../../fixtures/cases/refund-too-much")))
	path := filepath.Join(folder, "case.yaml")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := change(string(text))
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
	return folder
}

const foundLink = "- type: payment\n  recorded: " + refunded + "\n"

// added puts links before the one of the payment that is refunded.
func added(lines string) func(string) string {
	return func(text string) string { return strings.Replace(text, foundLink, lines+foundLink, 1) }
}

func undone(text string) string {
	return strings.Replace(text, foundLink, foundLink+"  undone: true\n", 1)
}

// TestLinksAreUndoneAndAddedInCaseYAML: what a person has undone stands for nothing, also
// when the case is stored and taken again; what is added stands for what the answer of
// the call shows.
func TestLinksAreUndoneAndAddedInCaseYAML(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	retaken := func(folder string) (*replay.Case, replay.Stored) {
		t.Helper()
		stored, r, script, err := replay.Load(folder)
		require.NoError(t, err)
		c, err := replay.Again(t.Context(), r, script, replay.Options{Sandbox: s})
		require.NoError(t, err)
		return c, stored
	}
	const add = foundLink + "  call: 4\n  where: "
	c, stored := retaken(edited(t, undone))
	require.Contains(t, strings.Join(stored.Changed(c), "\n"), "status was 400, the replay gives 404")
	folder := t.TempDir()
	require.NoError(t, c.Save(folder, s))
	c, stored = retaken(folder)
	require.Empty(t, stored.Changed(c), "it stays undone")

	c, stored = retaken(edited(t, func(text string) string { return added(add + "/paymentRequestId\n")(undone(text)) }))
	require.Empty(t, stored.Changed(c), "undone, and added by hand")
	require.Empty(t, stored.Unmade(c))
	require.NoError(t, c.Save(folder, s))
	c, stored = retaken(folder)
	require.Empty(t, stored.Changed(c), "it stays added")

	c, stored = retaken(edited(t, func(text string) string { return added(add + "/nothing\n")(undone(text)) }))
	require.Equal(t, []string{"The link of payment " + refunded + " was not made: the answer of call 4 shows nothing at /nothing"}, stored.Unmade(c))
	require.NotEmpty(t, stored.Changed(c))

	for _, lines := range []string{foundLink, foundLink + "  call: 99\n  where: /id\n", foundLink + "  call: 4\n  where: id\n", "- recorded: x\n  call: 4\n  where: /id\n"} {
		_, _, _, err := replay.Load(edited(t, added(lines)))
		require.ErrorContains(t, err, "a link that is added says `type`", lines)
	}
}

// TestStoredCasesOfEachVersion: the folder of this version was stored once and is not
// written again; those of others are refused by their number, with what to do.
func TestStoredCasesOfEachVersion(t *testing.T) {
	t.Parallel()
	stored, r, script, err := replay.Load("testdata/case-2")
	require.NoError(t, err, "a change of the folder's form wants another version")
	require.Equal(t, "service company.list  listCompanies status", stored.Signature)
	require.Len(t, stored.Links, 1)
	c, err := replay.Again(t.Context(), r, script, replay.Options{Sandbox: sandbox(t)})
	require.NoError(t, err)
	require.Equal(t, 2, c.Script.Calls())
	require.EqualValues(t, "service", c.Diagnosis.Side)
	_, _, _, err = replay.Load("testdata/case-1")
	require.ErrorContains(t, err, "the case is of version 1, this release reads version 2: make it anew")
}
