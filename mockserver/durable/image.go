package durable

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// Image is a shard at a position: what a restart goes on from, in place of the log
// up to there.
type Image struct {
	Shard  int
	At     Position
	Engine uint64
	// Recent are the ids of the last inputs, oldest first.
	Recent []uuid.UUID
	Duties []Duty
	// State is the machine's, in pieces.
	State [][]byte
}

// ErrImage says that bytes are no whole image.
var ErrImage = errors.New("the snapshot is damaged")

const imageMagic = "PSI"

// Image gives the shard as it stands, around the machine's state.
func (s *Shard) Image(state [][]byte) Image {
	return Image{Shard: s.number, At: s.at, Engine: s.engine, Recent: s.seen.list(), Duties: s.duties.List(), State: state}
}

// Restore makes a shard of an image. The machine has its state already.
func Restore(i *Image, self uuid.UUID, supports uint64, m Machine) (*Shard, error) {
	if i.Engine > supports {
		return nil, fmt.Errorf("shard %d: %w (engine %d, this one has %d)", i.Shard, ErrNewer, i.Engine, supports)
	}
	s := NewShard(i.Shard, self, supports, m)
	s.at, s.engine = i.At, i.Engine
	for _, d := range i.Duties {
		s.duties.add(d)
	}
	for _, id := range i.Recent {
		s.seen.add(id)
	}
	return s, nil
}

// list gives the ids, oldest first.
func (r *recent) list() []uuid.UUID {
	return append(append([]uuid.UUID{}, r.ids[r.next:]...), r.ids[:r.next]...)
}

// Encode gives the image's bytes, with their digest at the end.
func (i *Image) Encode() []byte { return slices.Concat(i.pieces()...) }

// pieces are the image's bytes: what stands before the state, the state itself, which may
// be large, and their digest.
func (i *Image) pieces() [][]byte {
	out := append([]byte(imageMagic), Format)
	for _, n := range [...]uint64{uint64(i.Shard), i.At.Seq, i.Engine} { //nolint:gosec // G115: a small number
		out = binary.AppendUvarint(out, n)
	}
	out = append(out, i.At.Digest[:]...)
	out = binary.AppendUvarint(out, uint64(len(i.Recent)))
	for _, id := range i.Recent {
		out = append(out, id[:]...)
	}
	out = binary.AppendUvarint(out, uint64(len(i.Duties)))
	for _, d := range i.Duties {
		out = binary.AppendUvarint(append(out, d.Owner[:]...), d.Epoch)
		out = append(binary.AppendUvarint(out, uint64(len(d.Effect))), d.Effect...)
	}
	size := 0
	for _, piece := range i.State {
		size += len(piece)
	}
	out = binary.AppendUvarint(out, uint64(size))
	pieces, sum := append([][]byte{out}, i.State...), sha256.New()
	for _, piece := range pieces {
		_, _ = sum.Write(piece)
	}
	return append(pieces, sum.Sum(nil))
}

// DecodeImage reads an image. It never panics.
func DecodeImage(raw []byte) (Image, error) {
	var i Image
	if len(raw) < len(imageMagic)+1+sha256.Size || string(raw[:len(imageMagic)]) != imageMagic {
		return i, ErrImage
	}
	if err := Readable(int(raw[len(imageMagic)])); err != nil {
		return i, err
	}
	whole, sum := raw[:len(raw)-sha256.Size], raw[len(raw)-sha256.Size:]
	if sha256.Sum256(whole) != Digest(sum) {
		return i, ErrImage
	}
	r := reader{rest: whole[len(imageMagic)+1:]}
	i.Shard, i.At.Seq, i.Engine = int(r.number()%(Registry+1)), r.number(), r.number()
	copy(i.At.Digest[:], r.bytes(sha256.Size))
	for n := r.number(); n > 0 && !r.bad; n-- {
		var id uuid.UUID
		copy(id[:], r.bytes(len(id)))
		i.Recent = append(i.Recent, id)
	}
	for n := r.number(); n > 0 && !r.bad; n-- {
		var d Duty
		copy(d.Owner[:], r.bytes(len(d.Owner)))
		d.Epoch, d.Effect = r.number(), string(r.piece())
		i.Duties = append(i.Duties, d)
	}
	if state := r.piece(); len(state) > 0 {
		i.State = [][]byte{state}
	}
	if r.bad || len(r.rest) > 0 {
		return Image{}, ErrImage
	}
	return i, nil
}
