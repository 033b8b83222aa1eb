package mockserver_test

import (
	"encoding/binary"
	"flag"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/integration"
)

var update = flag.Bool("update", false, "write what this version keeps, when nothing of its number is there yet")

// frozen is where what each version has kept stands, by its number: folder as after
// kill -9, saved.snapshot, and the tape of both.
const frozen = "testdata/kept"

// changed is what to do when this binary does not read what its own version has written.
const changed = "the bytes of what is kept have changed, or what the same inputs are answered: raise durable.Format and integration.Format " +
	"(durable.Engine and integration.Engine when it is the answers), run this test with -update, and say in durable's README what became of the older ones; before a release, delete the number's folder and write it anew"

// keptSession writes what a version has kept.
func keptSession(t *testing.T, dir string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "folder")
	s := kept(t, folder)
	d, list := newDriver(s), moves()
	for n := range 70 { // with snapshots and a log behind them
		list[n%len(list)](d, n)
	}
	text, _ := tapeOf(t, s)
	require.NoError(t, os.CopyFS(filepath.Join(dir, "folder"), os.DirFS(folder)))
	require.NoError(t, os.Remove(filepath.Join(dir, "folder", "lock")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "saved.snapshot"), s.Registry().Default().Snapshot().Bytes(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tape.jsonl"), []byte(text), 0o600))
	require.NoError(t, s.Close(t.Context()))
}

// TestWhatWasKeptIsReadOrRefused: what this version has written is read, byte for byte,
// and its log leads to the same tape; an older version's is refused by its number.
func TestWhatWasKeptIsReadOrRefused(t *testing.T) {
	t.Parallel()
	own := filepath.Join(frozen, strconv.Itoa(durable.Format))
	if _, err := os.Stat(own); *update && os.IsNotExist(err) {
		keptSession(t, own)
	}
	versions, err := fs.ReadDir(os.DirFS(frozen), ".")
	require.NoError(t, err)
	require.Len(t, versions, durable.Format, "one folder for each version; -update writes the present one's")
	require.EqualValues(t, durable.Format, integration.Format, "they go up together")
	for _, v := range versions {
		dir, folder := filepath.Join(frozen, v.Name()), filepath.Join(t.TempDir(), "folder")
		require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join(dir, "folder"))))
		raw, err := os.ReadFile(filepath.Join(dir, "saved.snapshot"))
		require.NoError(t, err)
		saved, err := integration.ReadSnapshot(raw)
		if v.Name() == strconv.Itoa(durable.Format) {
			require.NoError(t, err, changed)
			requireFrozen(t, dir, folder, saved)
			continue
		}
		require.ErrorContains(t, err, "format "+v.Name()+", of an older paysandbox")
		_, err = natslog.OpenFolder(t.Context(), folder, natslog.SyncInterval, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, durable.ErrOlder)
		require.ErrorContains(t, err, "format "+v.Name())
	}
}

// requireFrozen holds this binary to what its version has kept.
func requireFrozen(t *testing.T, dir, folder string, saved *integration.Snapshot) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(dir, "tape.jsonl"))
	require.NoError(t, err)
	loaded, served := still(t, rehearsalOptions(6)), kept(t, folder)
	defer func() { require.NoError(t, served.Close(t.Context())) }()
	defer loaded.Registry().Close()
	_, err = loaded.Registry().Revive(saved)
	require.NoError(t, err)
	requireEqualBytes(t, saved, loaded.Registry().Default().Snapshot())
	requireEqualBytes(t, saved, served.Registry().Default().Snapshot())
	for _, s := range []*mockserver.Server{loaded, served} {
		if got, _ := tapeOf(t, s); got != string(want) {
			require.Empty(t, firstDifference(string(want), got), changed)
		}
	}
}

// TestALogOfANewerVersionIsRefused: of a newer format, or applied by a newer engine.
func TestALogOfANewerVersionIsRefused(t *testing.T) {
	t.Parallel()
	newer := durable.Batch{Shard: 5, Engine: 1, Inputs: []durable.Input{{ID: uuid.UUID{1}, Kind: durable.Upgrade, Data: binary.AppendUvarint(nil, durable.Engine+1)}}}
	engine := newer.Encode()
	format := append([]byte("PSB"), durable.Format+1, 0xff)
	for want, data := range map[error][]byte{durable.ErrNewer: engine, durable.ErrFormat: format} {
		dir := t.TempDir()
		require.NoError(t, kept(t, dir).Close(t.Context()))
		log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		_, err = log.Append(t.Context(), durable.Message{Shard: 5, ID: "newer", Data: data})
		require.NoError(t, err)
		_, err = durable.Check(t.Context(), log, durable.NewImages(log.Folder().Images()))
		require.ErrorIs(t, err, want)
		o := wallless()
		o.Inputs, o.Images = log, durable.NewImages(log.Folder().Images())
		_, err = mockserver.New(o)
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, "shard 5, message 2: ")
		require.ErrorContains(t, err, "newer paysandbox")
	}
}
