package mockserver_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/integration/envelope"
	"paysandbox/mockserver/world"
)

var update = flag.Bool("update", false, "write what this version keeps, when nothing of its number is there yet")

// frozen is where what each version has kept stands, by its number: folder as after
// kill -9, saved.snapshot, in calls.txt what was called, and in entities.txt what there
// is after it.
const frozen = "testdata/kept"

// changed is what to do when this binary does not read what its own version has written.
const changed = "the bytes of what is kept have changed, or what the same inputs are answered: raise durable.Format and envelope.Format " +
	"(durable.Engine and envelope.Engine when it is the answers), run this test with -update, and say in durable's README what became of the older ones; before a release, delete the number's folder and write it anew"

// keptSession writes what a version has kept.
func keptSession(t *testing.T, dir string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "folder")
	s := kept(t, folder)
	d, list := newDriver(s), moves()
	for n := range 70 {
		list[n%len(list)](d, n)
	}
	require.NoError(t, s.Close(t.Context())) // with a snapshot
	s = kept(t, folder)
	d.h = s.Handler()
	for _, n := range []int{0, 14, 18} { // and a log behind it, of calls that no rule changes
		list[n](d, n)
	}
	require.NoError(t, os.CopyFS(filepath.Join(dir, "folder"), os.DirFS(folder)))
	require.NoError(t, os.Remove(filepath.Join(dir, "folder", "lock")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "saved.snapshot"), s.Registry().Default().Snapshot().Bytes(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "calls.txt"), []byte(calls(t, s)), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "entities.txt"), []byte(entities(s)), 0o600))
	require.NoError(t, s.Close(t.Context()))
}

// entities are all entities of a sandbox, with every text that is known of them: a text
// that is packed in another order would be read as another.
func entities(s *mockserver.Server) string {
	var b strings.Builder
	s.Registry().Default().Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) {
		for _, kind := range world.EntityKinds() {
			for _, e := range w.SearchEntities(world.EntitySearch{Kind: kind, Limit: math.MaxInt, Rows: math.MaxInt}).Found {
				_, _ = fmt.Fprintln(&b, e.Kind, e.ID, e.Status, e.Created, e.Summary, e.Relations, e.Facts)
			}
		}
	})
	return b.String()
}

// calls are the calls on a sandbox's tape, with what they were answered.
func calls(t *testing.T, s *mockserver.Server) string {
	t.Helper()
	_, entries := tapeOf(t, s)
	var b strings.Builder
	for _, e := range entries {
		if e.Exchange != nil {
			_, _ = fmt.Fprintln(&b, e.Seq, e.Exchange.Method, e.Exchange.Path, e.Exchange.Response.Status)
		}
	}
	return b.String()
}

// TestWhatWasKeptIsReadOrRefused: what this version has written is read, byte for byte,
// and its log is applied; an older version's is refused by its number.
func TestWhatWasKeptIsReadOrRefused(t *testing.T) {
	t.Parallel()
	own := filepath.Join(frozen, strconv.Itoa(durable.Format))
	if _, err := os.Stat(own); *update && os.IsNotExist(err) {
		keptSession(t, own)
	}
	versions, err := fs.ReadDir(os.DirFS(frozen), ".")
	require.NoError(t, err)
	require.Len(t, versions, durable.Format, "one folder for each version; -update writes the present one's")
	require.EqualValues(t, durable.Format, envelope.Format, "they go up together")
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
	loaded, served := still(t, rehearsalOptions(6)), kept(t, folder)
	defer func() { require.NoError(t, served.Close(t.Context())) }()
	defer loaded.Registry().Close()
	_, err := loaded.Registry().Revive(saved)
	require.NoError(t, err)
	requireEqualBytes(t, saved, loaded.Registry().Default().Snapshot())
	want, err := os.ReadFile(filepath.Join(dir, "calls.txt"))
	require.NoError(t, err)
	there, err := os.ReadFile(filepath.Join(dir, "entities.txt"))
	require.NoError(t, err)
	for _, s := range []*mockserver.Server{loaded, served} {
		require.Equal(t, string(want), calls(t, s), changed)
		require.Equal(t, string(there), entities(s), changed)
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
		_, err = durable.Check(t.Context(), log, durable.NewImages(log.Folder().Images()), nil)
		require.ErrorIs(t, err, want)
		o := wallless()
		o.Inputs, o.Images = log, durable.NewImages(log.Folder().Images())
		_, err = mockserver.New(o)
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, "shard 5, message 2: ")
		require.ErrorContains(t, err, "newer paysandbox")
	}
}

// TestWhatAnotherBuildHasAppliedIsTold, once, where a start applies it again: after a kill,
// not after a clean stop. The rules of the two may differ.
func TestWhatAnotherBuildHasAppliedIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func(dir, build string) (s *mockserver.Server, told string) {
		log, err := natslog.OpenFolder(t.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		var says bytes.Buffer
		o := wallless()
		o.Inputs, o.Images, o.Build, o.Log = log, durable.NewImages(log.Folder().Images()), build, slog.New(slog.NewTextHandler(&says, nil))
		s, err = mockserver.New(o)
		require.NoError(t, err)
		return s, says.String()
	}
	s, told := open(dir, "v1")
	require.NotContains(t, told, "build")
	moves()[0](newDriver(s), 0)
	moves()[0](newDriver(s), 1)
	killed := t.TempDir()
	copyLive(t, killed, dir)
	require.NoError(t, s.Close(t.Context()))
	s, told = open(dir, "v2")
	require.NotContains(t, told, "build", "its snapshot has all")
	require.NotContains(t, page(t, s, "/_sandbox/ready"), "otherBuild")
	require.NoError(t, s.Close(t.Context()))

	s, told = open(killed, "v2")
	const means = "messages behind the newest snapshot: 3; they were applied by paysandbox v1, and are by v2 now"
	require.Contains(t, told, means)
	require.Contains(t, page(t, s, "/_sandbox/ready"), `"otherBuild":"`+means)
	again := t.TempDir()
	require.NoError(t, os.CopyFS(again, os.DirFS(killed)))
	require.NoError(t, s.Close(t.Context()))
	s, told = open(again, "v2")
	require.NotContains(t, told, "build")
	require.NoError(t, s.Close(t.Context()))
}
