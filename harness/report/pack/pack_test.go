package pack_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/pack"
)

func packed(tb testing.TB) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, pack.Write(&b, pack.Manifest{Tool: "paysandbox", Version: "1", Choices: []string{"paging=small"}, Gate: pack.Gate{FailOn: "must"}}, map[string][]byte{
		pack.ReportName: []byte("{}"), pack.TapeName: []byte("tape"), pack.WaiversName: []byte("[]"),
	}))
	return b.Bytes()
}

func TestWhatIsPackedIsUnpacked(t *testing.T) {
	t.Parallel()
	archive := packed(t)
	require.Equal(t, archive, packed(t), "the same files, the same bytes")
	m, files, err := pack.Read(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	require.Equal(t, "must", m.Gate.FailOn)
	require.Equal(t, []string{"paging=small"}, m.Choices)
	require.Equal(t, map[string][]byte{pack.ReportName: []byte("{}"), pack.TapeName: []byte("tape"), pack.WaiversName: []byte("[]")}, files)
	require.Error(t, pack.Write(&bytes.Buffer{}, pack.Manifest{}, map[string][]byte{"../etc": nil}))
}

// again packs the files of an archive once more, each as edit gives it.
func again(t *testing.T, edit func(name string, text []byte) (string, []byte)) []byte {
	t.Helper()
	archive := packed(t)
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		var text bytes.Buffer
		_, err = text.ReadFrom(in)
		require.NoError(t, err)
		name, changed := edit(f.Name, text.Bytes())
		to, err := w.Create(name)
		require.NoError(t, err)
		_, err = to.Write(changed)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestWhatIsChangedIsRefused(t *testing.T) {
	t.Parallel()
	for why, edit := range map[string]func(string, []byte) (string, []byte){
		"changed after it was packed": func(n string, b []byte) (string, []byte) {
			if n == pack.TapeName {
				b = []byte("epat")
			}
			return n, b
		},
		"is no file of a pack": func(n string, b []byte) (string, []byte) { return "x" + n, b },
		"its format is": func(n string, b []byte) (string, []byte) {
			return n, bytes.Replace(b, []byte("pack/1"), []byte("pack/2"), 1)
		},
		"pack.json": func(n string, b []byte) (string, []byte) {
			if n == pack.ManifestName {
				b = []byte("no")
			}
			return n, b
		},
	} {
		archive := again(t, edit)
		_, _, err := pack.Read(bytes.NewReader(archive), int64(len(archive)))
		require.ErrorIs(t, err, pack.ErrRead)
		require.ErrorContains(t, err, why)
	}
	_, _, err := pack.Read(bytes.NewReader([]byte("no zip")), 6)
	require.ErrorIs(t, err, pack.ErrRead)
}

// TestAttackAPackOfFewBytes that holds much is refused by what it says of itself; one that
// says less of a file than it holds is refused where the file ends.
func TestAttackAPackOfFewBytes(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]func(h *zip.FileHeader){
		"200 times smaller": func(*zip.FileHeader) {},
		"it is too large":   func(h *zip.FileHeader) { h.UncompressedSize64 = 1 << 60 },
		"not a valid zip":   func(h *zip.FileHeader) { h.UncompressedSize64 = 1000 },
	} {
		var deflated bytes.Buffer
		d, err := flate.NewWriter(&deflated, flate.BestCompression)
		require.NoError(t, err)
		_, _ = d.Write(make([]byte, 17<<20))
		require.NoError(t, d.Close())
		h := &zip.FileHeader{Name: pack.TapeName, Method: zip.Deflate, UncompressedSize64: 17 << 20, CompressedSize64: uint64(deflated.Len())}
		edit(h)
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		raw, err := w.CreateRaw(h)
		require.NoError(t, err)
		_, _ = raw.Write(deflated.Bytes())
		require.NoError(t, w.Close())
		_, _, err = pack.Read(bytes.NewReader(out.Bytes()), int64(out.Len()))
		require.ErrorIs(t, err, pack.ErrRead)
		require.ErrorContains(t, err, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(packed(f))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		m, files, err := pack.Read(bytes.NewReader(archive), int64(len(archive)))
		if err == nil {
			require.Len(t, files, len(m.Files))
		}
	})
}
