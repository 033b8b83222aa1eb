package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
)

// TestDataCheckLooksForSleepers: a snapshot whose sleeper is gone is not whole, since no
// start can go on from it, while one that no snapshot refers to is not needed; and who looks
// changes nothing.
func TestDataCheckLooksForSleepers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	o := mockserver.Options{Inputs: log, Images: durable.NewImages(log.Folder().Images()), SleepAfter: time.Hour, Integration: integration.Options{Seed: 1, Clock: integration.Manual}}
	o.Shelf, err = shelf.Open(log.Folder().Sleeping())
	require.NoError(t, err)
	s, err := mockserver.New(o)
	require.NoError(t, err)
	for range 3 {
		_, err := s.Registry().Create(integration.Options{Seed: 2, Clock: integration.Manual})
		require.NoError(t, err)
	}
	for range 5 {
		_, err := s.Registry().Doze()
		require.NoError(t, err)
	}
	require.Equal(t, 4, s.Registry().Sleeping())
	require.NoError(t, s.Close(t.Context()))

	check := func() (code int, told string) {
		var out, wrong bytes.Buffer
		code = run(t.Context(), []string{"data", "check", dir}, os.LookupEnv, &out, &wrong)
		return code, out.String() + wrong.String()
	}
	code, told := check()
	require.Equal(t, verdict.CodeMet, code, told)
	require.Contains(t, told, "whole\n")
	require.NotContains(t, told, "build")
	files, err := filepath.Glob(filepath.Join(dir, "sleeping", "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	broken := filepath.Join(filepath.Dir(files[1]), "new."+filepath.Base(files[1])) // whoever wrote it was killed
	require.NoError(t, os.WriteFile(broken, []byte("half"), 0o600))
	code, told = check()
	require.Equal(t, verdict.CodeMet, code, told)
	require.Contains(t, told, "damaged, and not needed: "+broken)
	raw, err := os.ReadFile(files[1])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[1], raw[1:], 0o600))
	code, told = check()
	require.Equal(t, verdict.CodeFailed, code, told)
	require.NotContains(t, told, "not needed: "+files[1])
	images, err := filepath.Glob(filepath.Join(dir, "snapshots", "*"))
	require.NoError(t, err)
	for _, image := range images { // the log alone leads to where they sleep
		require.NoError(t, os.Rename(image, image+".away"))
	}
	code, told = check()
	require.Equal(t, verdict.CodeMet, code, told)
	require.Contains(t, told, "damaged, and not needed: "+files[1])
	require.Contains(t, told, "they were applied by paysandbox of a build that did not say, and are by "+thisBuild())
	for _, image := range images {
		require.NoError(t, os.Rename(image+".away", image))
	}
	require.NoError(t, os.WriteFile(files[1], raw, 0o600))
	require.NoError(t, os.Remove(files[0]))
	code, told = check()
	require.Equal(t, verdict.CodeFailed, code, told)
	require.Contains(t, told, files[0])
	require.Contains(t, told, "it is not there")
}
