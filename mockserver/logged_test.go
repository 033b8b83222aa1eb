package mockserver_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAttackTheLog: what has the form of personal data comes into the log of inputs no more
// than on the tape, nor do the secrets of a note, and the log comes to the same again.
func TestAttackTheLog(t *testing.T) {
	t.Parallel()
	const card, ssn, word = "4111111111111111", "123-45-6789", "Tr0ub4dor-and-3"
	dir := t.TempDir()
	s := kept(t, dir)
	d := newDriver(s)
	const own = "/_sandbox/integrations/default"
	for _, c := range []struct{ method, path, body string }{
		{http.MethodPost, own + "/notes", `{"kind":"note","text":"card ` + card + `","data":{"password":"` + word + `","n":` + card + `}}`},
		{http.MethodPost, own + "/notes", `{"kind":"note","text":"` + ssn + `"}`},
		{http.MethodPost, own + "/faults", `{"match":{"operation":"createPayment"},"effect":{"status":429,"body":"` + card + `"}}`},
		{http.MethodPost, own + "/clock/advance", `{"by":"` + card + `"}`},
		{http.MethodPost, own + "/snapshots", `{"name":"` + card + `"}`},
		{http.MethodPost, "/Payment/Create", `{"amount":5000,"contactNumber":"` + ssn + `","shortDescription":"4111:1111:1111:1111"}`},
		{http.MethodGet, "/Company/" + ssn + "/Status?note=" + card, ""},
		{card, "/Company/List", ""},
	} {
		d.call(c.method, c.path, c.body)
	}
	before, _ := tapeOf(t, s)
	killed := t.TempDir() // as it stands if the process is killed now, and has taken no snapshot
	require.NoError(t, os.CopyFS(filepath.Join(killed, "log"), os.DirFS(filepath.Join(dir, "log"))))
	version, err := os.ReadFile(filepath.Join(dir, "paysandbox.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(killed, "paysandbox.json"), version, 0o600))
	require.NoError(t, s.Close(t.Context()))
	again := kept(t, killed)
	after, _ := tapeOf(t, again)
	require.NoError(t, again.Close(t.Context()))
	require.Equal(t, before, after)
	for _, folder := range []string{dir, killed} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			all, err := os.ReadFile(path)
			for _, told := range []string{card, ssn, word, "4111:1111:1111:1111"} {
				require.NotContains(t, string(all), told, path)
			}
			return err
		}))
	}
	for _, told := range []string{card, ssn, word, "4111:1111:1111:1111"} {
		require.NotContains(t, before, told)
	}
}
