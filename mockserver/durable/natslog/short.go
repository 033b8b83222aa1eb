package natslog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/minio/highwayhash"
)

// Beside its messages the engine keeps an index, which says what the last one was. Where
// the files of messages end before that one, as after a loss of power, the engine waits for
// it ever after. Without the index it goes by what there is.

// short is a log that has lost its end. As an error it says so.
type short struct {
	index     string
	end, held uint64
	// torn says where the last file is damaged behind its last message; "" where it is not.
	torn string
}

func (s *short) Error() string {
	if s.held <= s.end {
		return s.torn
	}
	return fmt.Sprintf("the log ends with message %d, and message %d was there: what came behind is lost, as by a loss of power", s.end, s.held)
}

// forget takes away an index that knows of what is lost.
func (s *short) forget() error {
	if s.held <= s.end {
		return nil
	}
	return os.Remove(s.index)
}

// cutOff says whether a log has lost what stood behind its message end: where its last file
// is torn, or the index beside its files knows of more; nil when it has not.
func cutOff(file string, end uint64, torn string) (*short, error) {
	s := &short{index: filepath.Join(filepath.Dir(file), "index.db"), end: end, torn: torn}
	raw, err := os.ReadFile(s.index)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = nil
	case err == nil:
		s.held, err = indexed(streamOf(file), raw)
	}
	if err != nil || s.held <= end && torn == "" {
		return nil, err
	}
	return s, nil
}

// indexed is the number of the last message that an index knows; 0 for an index that the
// engine leaves aside. It begins with two bytes that say what it is; counts of messages and
// bytes, the first number with its time, and the last one; and it ends with a digest.
func indexed(stream string, raw []byte) (uint64, error) {
	const marks = 2
	if len(raw) < marks+recordDigest {
		return 0, nil
	}
	key := sha256.Sum256([]byte(stream))
	hash, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return 0, err
	}
	body := raw[:len(raw)-recordDigest]
	_, _ = hash.Write(body)
	if !bytes.Equal(hash.Sum(nil), raw[len(body):]) {
		return 0, nil
	}
	var last uint64
	rest := body[marks:]
	for range 5 { // a time takes its bytes like any number
		n := 0
		if last, n = binary.Uvarint(rest); n <= 0 {
			return 0, nil
		}
		rest = rest[n:]
	}
	return last, nil
}
