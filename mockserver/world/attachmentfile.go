package world

import (
	"crypto/sha256"
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// attachments are the files of payments and refunds; the bytes live apart from
// the rows.
type attachments struct {
	kernel.Table[attachment]
	files []*stored // by row number less one; nil while there is no file
	kept  map[[sha256.Size]byte]*stored
	// bytes are those of all different files, of which some are in memory.
	bytes, inMemory int
	outside         kernel.Files
}

// stored is a file that is kept once, for all that are the same.
type stored struct {
	digest [sha256.Size]byte
	size   int
	data   []byte // nil when it is outside of the memory
}

// Pack lists what attachments are: what is known of their files follows. A file that is
// lost is written as none.
func (a *attachments) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &a.Table, func(row *attachment) uuid.UUID { return row.id })
	var files [][]byte
	if !k.Reading() {
		files = a.contents()
	}
	kernel.PackEach(k, &files, 1, k.Blob)
	k.Require(len(files) == int(a.Len()), "a place for the file of each attachment")
	if !k.Reading() {
		return
	}
	a.files, a.kept, a.bytes, a.inMemory = make([]*stored, len(files)), nil, 0, 0
	for n, data := range files {
		a.files[n] = a.keep(data, sha256.Sum256(data))
	}
}

// contents are the bytes of all files, by row number less one: the same slice for the
// same file.
func (a *attachments) contents() [][]byte {
	list, read := make([][]byte, len(a.files)), map[*stored][]byte{}
	for n, f := range a.files {
		if f == nil {
			continue
		}
		if _, known := read[f]; !known {
			read[f], _ = a.dataOf(f)
		}
		list[n] = read[f]
	}
	return list
}

// roomForFiles bounds the bytes of all files of a world, each of which is kept once.
const roomForFiles = 64 << 20

// fits says whether a file is there already, or there is room for it.
func (a *attachments) fits(digest [sha256.Size]byte, size int) bool {
	return a.kept[digest] != nil || a.bytes+size <= roomForFiles
}

// keep keeps a file once; no bytes are no file.
func (a *attachments) keep(data []byte, digest [sha256.Size]byte) *stored {
	if len(data) == 0 {
		return nil
	}
	if same := a.kept[digest]; same != nil {
		return same
	}
	if a.kept == nil {
		a.kept = map[[sha256.Size]byte]*stored{}
	}
	f := &stored{digest: digest, size: len(data), data: data}
	a.kept[digest] = f
	a.bytes += f.size
	a.inMemory += f.size
	a.putOutside(f)
	return f
}

// putOutside lets a file leave the memory, if it is taken elsewhere.
func (a *attachments) putOutside(f *stored) {
	if a.outside != nil && a.outside.Keep(f.digest, f.data) {
		f.data = nil
		a.inMemory -= f.size
	}
}

// dataOf gives a file's bytes, which must not be changed.
func (a *attachments) dataOf(f *stored) ([]byte, error) {
	if f.data != nil || a.outside == nil {
		return f.data, nil
	}
	return a.outside.Read(f.digest)
}

// copyOf gives a file's bytes, or says why they are lost.
func (a *attachments) copyOf(f *stored) (data []byte, lost string) {
	if f == nil {
		return nil, "it could not be read when the snapshot was taken that this goes on from"
	}
	data, err := a.dataOf(f)
	if err != nil {
		return nil, err.Error()
	}
	if f.data != nil {
		data = slices.Clone(data)
	}
	return data, ""
}

// KeepFiles lets the bytes of all files leave the memory that are taken elsewhere, and of
// those that are to come. It shows in nothing that the world answers, unless one is lost.
func (w *World) KeepFiles(elsewhere kernel.Files) {
	a := &w.attachments
	a.outside = elsewhere
	for _, f := range a.files {
		if f != nil && f.data != nil {
			a.putOutside(f)
		}
	}
}

// FileBytes is what all attachments hold, each different file once, and how much of that
// is in memory.
func (w *World) FileBytes() (all, inMemory int64) {
	return int64(w.attachments.bytes), int64(w.attachments.inMemory)
}

// LostFile says why a file cannot be had any more; nil when all can.
func (w *World) LostFile() error {
	for _, f := range w.attachments.files {
		if f == nil {
			continue
		}
		if _, err := w.attachments.dataOf(f); err != nil {
			return err
		}
	}
	return nil
}
