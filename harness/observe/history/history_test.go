package history_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/observe/history"
)

var hex = strings.Repeat("0a", 32)

func run(at string, ready bool) history.Run {
	return history.Run{At: at, Subject: "git 1", SHA256: hex, Ready: ready, ExitCode: 1}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	runs := []history.Run{run("2026-03-01T12:00:00Z", true), run("2026-03-02T12:00:00Z", false)}
	for _, r := range runs {
		require.NoError(t, history.Write(&file, r))
	}
	got, err := history.Read(&file)
	require.NoError(t, err)
	require.Equal(t, runs, got)
	none, err := history.Read(strings.NewReader(""))
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestSinceReady(t *testing.T) {
	t.Parallel()
	a, b, c := run("2026-03-01T12:00:00Z", true), run("2026-03-02T12:00:00Z", false), run("2026-03-03T12:00:00Z", false)
	since, ready := history.SinceReady([]history.Run{b, a, b, c})
	require.Equal(t, []history.Run{b, c}, since)
	require.Equal(t, a.At, ready.At)
	since, ready = history.SinceReady([]history.Run{b, c})
	require.Len(t, since, 2)
	require.Nil(t, ready)
	since, ready = history.SinceReady([]history.Run{c, a})
	require.Empty(t, since)
	require.NotNil(t, ready)
}

func TestOtherFilesAreRefused(t *testing.T) {
	t.Parallel()
	good := `{"at":"2026-03-01T12:00:00Z","sha256":"` + hex + `","ready":true,"exitCode":0}`
	for text, why := range map[string]string{
		"hello":                                  "line 1 is not what --history writes",
		good + "\n[]":                            "line 2 is not what --history writes",
		strings.Replace(good, "2026", "soon", 1): "expected a time such as",
		strings.Replace(good, hex, "abc", 1):     "no digest",
		strings.Replace(good, ":0}", ":9}", 1):   "expected 0 to 5",
		strings.Repeat("x", 5000):                "too long",
	} {
		_, err := history.Read(strings.NewReader(text))
		require.ErrorIs(t, err, history.ErrRead)
		require.ErrorContains(t, err, why)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"at":"2026-03-01T12:00:00Z","sha256":"` + hex + `","ready":true,"exitCode":0}` + "\n"))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		runs, err := history.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		for _, r := range runs {
			require.NoError(t, history.Write(&again, r))
		}
		same, err := history.Read(&again)
		require.NoError(t, err)
		require.Equal(t, runs, same)
	})
}
