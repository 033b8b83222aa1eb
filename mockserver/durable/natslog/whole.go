package natslog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/minio/highwayhash"

	"paysandbox/mockserver/durable"
)

// The engine cuts a file off at the first record that is damaged, as after a loss of
// power, and says nothing of what stood behind it. So its files are looked at before it
// begins: a record that is damaged may be the end, or the folder is refused as it is.

// A record is its length, number and time, the length of its subject, the subject, what it
// holds, and a digest of all but the first length. The number has a mark where the record
// only says that a message is gone.
const (
	recordHead   = 22
	recordDigest = highwayhash.Size64
	headerBit    = 1 << 31
	goneMarks    = 3 << 62
)

// whole says where the files of a folder are damaged before their end, or else whether
// they end before a message that was there; a nil short says that they do not. empty says
// why they hold no message, when they hold none.
func whole(dir string) (lost *short, empty string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "*", "msgs", "*.blk"))
	if err != nil || len(files) == 0 {
		return nil, "no file of messages is in it", err
	}
	slices.SortFunc(files, func(a, b string) int { return number(a) - number(b) })
	end, torn := uint64(0), ""
	for n, file := range files {
		raw, err := os.ReadFile(file) //nolint:gosec // G304: it is in the folder that the user names.
		if err != nil {
			return nil, "", err
		}
		b, err := newBlock(streamOf(file)+"-"+strconv.Itoa(number(file)), raw)
		if err != nil {
			return nil, "", err
		}
		at, last := b.damage()
		end = max(end, last)
		if at < 0 {
			continue
		}
		if n < len(files)-1 || b.goesOn(at) {
			return nil, "", fmt.Errorf("%s: %w: what stands at byte %d of %d, behind message %d, is not what was written there, and more follows, or what cannot be told from more", file, durable.ErrBroken, at, len(raw), last)
		}
		torn = fmt.Sprintf("%s: what stands from byte %d to its end at %d, behind message %d, is no whole message, as after a loss of power: it is cut away at a start", file, at, len(raw), last)
	}
	if end == 0 {
		return nil, "no whole message is in " + files[len(files)-1], nil
	}
	lost, err = cutOff(files[0], end, torn)
	return lost, "", err
}

// streamOf is the name of a file's stream.
func streamOf(file string) string { return filepath.Base(filepath.Dir(filepath.Dir(file))) }

// number is that of a file.
func number(file string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(file), ".blk"))
	if err != nil {
		return 0
	}
	return n
}

// block is one file of the engine.
type block struct {
	raw  []byte
	hash *highwayhash.Digest64
}

func newBlock(name string, raw []byte) (*block, error) {
	key := sha256.Sum256([]byte(name))
	hash, err := highwayhash.NewDigest64(key[:])
	return &block{raw, hash}, err
}

// damage is where the first record stands that is not whole, and the highest number before
// it; -1 when all are. Behind the last message it may be said of others that they are gone.
func (b *block) damage() (at int, last uint64) {
	for at < len(b.raw) {
		size, seq := b.record(at)
		if size == 0 {
			return at, last
		}
		at, last = at+size, max(last, seq)
	}
	return -1, last
}

// mostLooked is how often, on average, a byte is read in search of a record: each may claim
// to begin one as long as the file.
const mostLooked = 64

// goesOn says whether a whole record stands behind a damaged one, or may: where too much
// claims to be one nobody looks at all of it.
func (b *block) goesOn(at int) bool {
	left := mostLooked * len(b.raw)
	for at++; at < len(b.raw); at++ {
		claimed, _, _ := b.claimed(at)
		left -= claimed
		if left < 0 {
			return true
		}
		if size, _ := b.record(at); size > 0 {
			return true
		}
	}
	return false
}

// claimed is the length of what may be a record at a place, by what its head says; 0 when
// it is none.
func (b *block) claimed(at int) (size, subject, skip int) {
	rest := b.raw[at:]
	if len(rest) < recordHead+recordDigest {
		return 0, 0, 0
	}
	length := binary.LittleEndian.Uint32(rest)
	subject = int(binary.LittleEndian.Uint16(rest[20:]))
	if size = int(length &^ headerBit); length&headerBit != 0 {
		skip = 4
	}
	if size > len(rest) || size < recordHead+subject+skip+recordDigest {
		return 0, 0, 0
	}
	return size, subject, skip
}

// record reads the length and the number of the record at a place; 0 when none is whole
// there.
func (b *block) record(at int) (size int, seq uint64) {
	size, subject, skip := b.claimed(at)
	if size == 0 {
		return 0, 0
	}
	rest, end := b.raw[at:], size-recordDigest
	b.hash.Reset()
	for _, part := range [][]byte{rest[4:20], rest[recordHead : recordHead+subject], rest[recordHead+subject+skip : end]} {
		_, _ = b.hash.Write(part)
	}
	if !bytes.Equal(b.hash.Sum(nil), rest[end:size]) {
		return 0, 0
	}
	return size, binary.LittleEndian.Uint64(rest[4:]) &^ goneMarks
}
