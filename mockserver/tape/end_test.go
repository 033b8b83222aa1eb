package tape_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// endOf is a line that ends a file, with a wrong digest.
func endOf(entries string) string { return `{"end":{"entries":` + entries + `,"sha256":""}}` + "\n" }

// ending reads a file that is well formed.
func ending(t *testing.T, file string) tape.Ending {
	t.Helper()
	m, _, err := tape.Read(strings.NewReader(file))
	require.NoError(t, err)
	return m.Ending
}

// TestNoLineCanBeTakenAway: a file from which lines were taken, wherever, into which
// some were put, or in which one was edited, is not taken for the whole one.
func TestNoLineCanBeTakenAway(t *testing.T) {
	t.Parallel()
	file := string(export(t, meta(), oneOfEach()))
	require.Equal(t, tape.Whole, ending(t, file))
	require.Equal(t, tape.Whole, ending(t, strings.ReplaceAll(file, "\n", "\r\n")), "line ends are nobody's evidence")
	lines := strings.SplitAfter(file, "\n")
	lines = lines[:len(lines)-1]
	last := len(lines) - 1
	for n := range last { // n lines are left: the session's end is cut away
		if n > 0 {
			require.Equal(t, tape.Open, ending(t, strings.Join(lines[:n], "")), n)
		}
		if n > 1 {
			require.Equal(t, tape.Changed, ending(t, strings.Join(append(slices.Clone(lines[:n]), lines[last]), "")), n)
		}
	}
	for n := 1; n < last; n++ {
		require.Equal(t, tape.Changed, ending(t, strings.Join(slices.Delete(slices.Clone(lines), n, n+1), "")), n)
	}
	require.Equal(t, tape.Changed, ending(t, strings.Replace(file, `"reason":"R01"`, `"reason":"R02"`, 1)))
	require.Equal(t, tape.Changed, ending(t, strings.Replace(file, `"seed":`, `"seed": `, 1)), "the header too")
	require.Equal(t, tape.Changed, ending(t, header+clock1+endOf("1")))
	require.Equal(t, tape.Open, ending(t, header+clock1), "a file of an older release")
}

// wentBack is the number of the first entry before what it stands behind; 0 for none.
func wentBack(start int64, list []tape.Entry) uint64 {
	for i := range list {
		if list[i].At < start {
			return list[i].Seq
		}
		start = list[i].At
	}
	return 0
}

// TestNoTimeGoesBack: a file whose times cannot be a sandbox's is told as changed, though
// its last line was made anew.
func TestNoTimeGoesBack(t *testing.T) {
	t.Parallel()
	list := oneOfEach()
	list[2].At = list[1].At - 1
	m, _, err := tape.Read(bytes.NewReader(export(t, meta(), list)))
	require.NoError(t, err)
	require.Equal(t, list[2].Seq, m.Back)
	require.Equal(t, tape.Changed, m.Ending)
	late := meta()
	late.Start = list[0].At + 1
	m, _, err = tape.Read(bytes.NewReader(export(t, late, oneOfEach())))
	require.NoError(t, err)
	require.Equal(t, list[0].Seq, m.Back)
}

// TestAHeaderThatNoSandboxWrites is told with the member and what may stand there.
func TestAHeaderThatNoSandboxWrites(t *testing.T) {
	t.Parallel()
	require.NoError(t, meta().Known())
	require.NoError(t, tape.Meta{}.Known(), "what several tapes come to has neither")
	require.EqualError(t, tape.Meta{Environment: "sandbox", Clock: "sundial"}.Known(), `read tape: the header's clock is unknown; expected "real" or "manual"; received "sundial"; somebody has edited it: export the tape again`)
	require.ErrorContains(t, tape.Meta{Environment: strings.Repeat("x", 1000)}.Known(), `environment is unknown; expected "sandbox" or "rehearsal"; received "xxx`)
}

// TestAStreamHasNoEndUnlessItIsAskedFor: and what is asked for is what Write writes.
func TestAStreamHasNoEndUnlessItIsAskedFor(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := tape.NewWriter(&b)
	require.NoError(t, w.WriteMeta(meta()))
	for _, e := range oneOfEach() {
		require.NoError(t, w.WriteEntry(e))
	}
	require.Equal(t, tape.Open, ending(t, b.String()))
	require.NoError(t, w.WriteEnd())
	require.Equal(t, string(export(t, meta(), oneOfEach())), b.String())
	require.Equal(t, []string{"whole", "incomplete: the line at its end is missing", "changed since it was written"},
		[]string{tape.Whole.String(), tape.Open.String(), tape.Changed.String()})
}

// TestAByteOrderMarkIsNoPartOfATape: an editor on Windows writes one when it saves a file.
func TestAByteOrderMarkIsNoPartOfATape(t *testing.T) {
	t.Parallel()
	whole := string(export(t, meta(), oneOfEach()))
	require.Equal(t, tape.Whole, ending(t, "\ufeff"+strings.ReplaceAll(whole, "\n", "\r\n")))
}

// TestPacked: what says how a file is unpacked goes by its first bytes.
func TestPacked(t *testing.T) {
	t.Parallel()
	for begins, undo := range map[string]string{"\x1f\x8b\x08": "gunzip", "PK\x03\x04": "unzip", "\xfd7zXZ\x00": "unxz", "\x28\xb5\x2f\xfd": "unzstd", "BZh9": "bunzip2"} {
		require.Contains(t, tape.Packed([]byte(begins), "a.gz"), "unpack it first: "+undo+" a.gz")
	}
	for _, begins := range []string{"\xff\xfe{\x00", "\xfe\xff\x00{"} {
		require.Equal(t, "it is UTF-16, as a PowerShell redirection writes it: make it UTF-8 first: iconv -f UTF-16 -t UTF-8 a.tape", tape.Packed([]byte(begins), "a.tape"))
	}
	require.Empty(t, tape.Packed([]byte(header), "a.tape"))
	require.Empty(t, tape.Packed(nil, "a.tape"))
}
