package mockserver_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/filestore"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// withDisk is a server whose files go to a folder; without one they stay in memory.
func withDisk(t *testing.T, dir string) (*mockserver.Server, *budget.Bytes) {
	t.Helper()
	b := budget.New(256 << 20)
	if dir != "" {
		var err error
		b.Disk, err = filestore.Open(dir, 1<<30, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
	}
	s, err := mockserver.New(mockserver.Options{
		Wall:        func() time.Time { return integration.DefaultStart },
		Integration: integration.Options{Seed: 1, Clock: integration.Manual, ClientID: "sandbox-client", ClientSecret: "sandbox-secret", Budget: b},
	})
	require.NoError(t, err)
	t.Cleanup(s.Registry().Close)
	return s, b
}

// attach makes a payment with each text as its file, and gives the files' ids.
func attach(t *testing.T, i *integration.Integration, texts ...string) (ids []string) {
	t.Helper()
	fill(t, i, 1, 0)
	for n, text := range texts {
		i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
			amount := int64(5000 + n)
			made, err := w.CreatePayment(&world.NewPayment{
				Amount: &amount, ContactNumber: "+12025550177", CompanyReferenceID: "fill-0", Attachment: base64.StdEncoding.EncodeToString([]byte(text)),
			})
			require.NoError(t, err)
			view, err := w.PaymentView(made.PaymentRequestID)
			require.NoError(t, err)
			ids = append(ids, view.Attachments[0].ID)
		})
	}
	return ids
}

func fileOf(t *testing.T, i *integration.Integration, id string) (f world.AttachmentFile) {
	t.Helper()
	i.Do(&integration.Call{Silent: true}, func(w *world.World, _ *integration.Call) {
		var err error
		f, err = w.AttachmentOf(id)
		require.NoError(t, err)
	})
	return f
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	return list
}

// TestFilesOnADiskChangeNoAnswer: where they are kept shows in no state, and they draw no
// memory there; what goes on from a snapshot has them, and the last that goes takes them
// along.
func TestFilesOnADiskChangeNoAnswer(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "files")
	onDisk, budget := withDisk(t, dir)
	inMemory, all := withDisk(t, "")
	texts := []string{"%PDF-1.7 one", "%PDF-1.7 two", "%PDF-1.7 one"}
	var ids []string
	for _, s := range []*mockserver.Server{onDisk, inMemory} {
		ids = attach(t, s.Registry().Default(), texts...)
	}
	require.Len(t, entries(t, dir), 2, "each different file once")
	said := httptest.NewRecorder()
	onDisk.Handler().ServeHTTP(said, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/metrics", http.NoBody))
	require.Contains(t, said.Body.String(), "\npaysandbox_disk_files 2\n")
	require.Contains(t, said.Body.String(), fmt.Sprintf("\npaysandbox_disk_bytes %d\n", len(texts[0])+len(texts[1])))
	require.Equal(t, all.Used()-int64(len(texts[0])+len(texts[1])), budget.Used())
	requireEqualState(t, onDisk, inMemory)
	i := onDisk.Registry().Default()
	for n, id := range ids {
		require.Equal(t, texts[n], string(fileOf(t, i, id).Data))
	}
	saved, err := i.Save("")
	require.NoError(t, err)
	fork, err := onDisk.Registry().Fork(saved.Snapshot, integration.Options{Name: "fork"})
	require.NoError(t, err)
	moved, err := integration.ReadSnapshot(saved.Bytes())
	require.NoError(t, err)
	require.NoError(t, inMemory.Registry().Default().Restore(moved))
	require.NoError(t, i.Reset())
	require.Len(t, entries(t, dir), 2, "the fork has them")
	require.NoError(t, i.Restore(saved.Snapshot))
	for n, id := range ids {
		for _, has := range []*integration.Integration{i, fork, inMemory.Registry().Default()} {
			require.Equal(t, texts[n], string(fileOf(t, has, id).Data))
		}
	}
	require.NoError(t, i.Reset())
	_, err = onDisk.Registry().Delete(fork.ID)
	require.NoError(t, err)
	require.Empty(t, entries(t, dir))
}

// TestAFileThatIsLostIsTold: by who gives it out, by a snapshot that would not be whole,
// and by what goes on from one that was written without it.
func TestAFileThatIsLostIsTold(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "files")
	s, _ := withDisk(t, dir)
	i := s.Registry().Default()
	ids := attach(t, i, "%PDF-1.7 one", "%PDF-1.7 two")
	lost := entries(t, dir)[0].Name()
	require.NoError(t, os.WriteFile(filepath.Join(dir, lost), []byte("%PDF-1.7 owe"), 0o600))
	told := 0
	for _, id := range ids {
		if f := fileOf(t, i, id); f.Lost != "" {
			require.Equal(t, filestore.ErrDamaged.Error(), f.Lost)
			require.Empty(t, f.Data)
			told++
		}
	}
	require.Equal(t, 1, told)
	_, err := i.Save("")
	require.ErrorIs(t, err, integration.ErrLostFile)
	fork, err := s.Registry().Fork(i.Snapshot(), integration.Options{Name: "fork"})
	require.NoError(t, err)
	told = 0
	for _, id := range ids {
		if fileOf(t, fork, id).Lost != "" {
			told++
		}
	}
	require.Equal(t, 1, told)
}
