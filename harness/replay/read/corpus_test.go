package read_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/scrub"
	"paysandbox/harness/sampling"
)

// expected is what the readers are asked of an expectation.
type expected struct {
	Files               []string
	WebhookSecret       string `yaml:"webhook-secret"`
	Innocent            bool
	Entry, Received     int
	Exchanges, Webhooks int
}

// TestCorpus: every report of fixtures/reports is read, to the last call, and is so after
// it was scrubbed, too.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../fixtures/reports/*/expect.yaml")
	require.NoError(t, err)
	innocent, files := 0, sampling.Every(t, 8, files)
	for _, name := range files {
		var e expected
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, &e), name)
		if e.Innocent {
			innocent++
		}
		var names []string
		for _, file := range e.Files {
			names = append(names, filepath.Join(filepath.Dir(name), file))
			info, err := os.Stat(names[len(names)-1])
			require.NoError(t, err)
			require.LessOrEqual(t, info.Size(), int64(60_000), names)
		}
		r, err := read.Files(names, read.Options{WebhookSecret: e.WebhookSecret})
		require.NoError(t, err, name)
		require.Len(t, r.Exchanges, e.Exchanges, name)
		require.Len(t, r.Received, e.Webhooks, name)
		require.LessOrEqual(t, e.Entry, e.Exchanges, name)
		require.LessOrEqual(t, e.Received, e.Webhooks, name)
		if e.Exchanges+e.Webhooks == 0 { // no line tells of it
			continue
		}
		again := lines(t, scrub.New([]byte("corpus"), scrub.Options{}).Recording(r))
		require.Len(t, again.Exchanges, e.Exchanges, name)
		for i, x := range again.Exchanges {
			was := r.Exchanges[i]
			require.Equal(t, [3]any{was.Method, was.Answer.Known, was.Answer.Status}, [3]any{x.Method, x.Answer.Known, x.Answer.Status}, name)
			require.NotContains(t, string(x.Body)+string(x.Answer.Body), "sandbox-secret", name)
		}
		for i, w := range again.Received {
			require.Equal(t, r.Received[i].Signature, w.Signature, name)
		}
	}
	require.Greater(t, innocent, len(files)/20)
	require.Greater(t, len(files)-innocent, len(files)/2)
}

// lines is a recording that was written as JSON lines and read again.
func lines(t *testing.T, r recording.Recording) recording.Recording {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, record.WriteJSONLines(&b, &r))
	return readAll(t, read.Options{}, source.File{Name: "lines", Data: b.Bytes()})
}
