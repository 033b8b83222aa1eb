package natslog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paysandbox/mockserver/durable"
)

// cuts are the snapshots of a log that is shared: a stream beside the log's, in which each
// is messages of at most pieceSize, and one at the end that says what they are. That one
// is stored only when the others could be read again.
type cuts struct{ log *Stream }

// The bounds of a snapshot's messages: their size, and how long one is waited for.
const (
	pieceSize  = 1 << 20
	pieceComes = 10 * time.Second
)

// ending is what the message at the end of a snapshot says.
type ending struct {
	Pieces int    `json:"pieces"`
	Bytes  int64  `json:"bytes"`
	SHA256 []byte `json:"sha256"`
}

// Snapshots is where those stand that cut a log that is shared.
func (s *Stream) Snapshots() durable.Place { return cuts{s} }

// subject is a message's of a snapshot: of the one at the end, or of a piece.
func (c cuts) subject(top uint64, what string) string {
	return c.log.snapshots + strconv.FormatUint(top, 10) + "." + what
}

const atTheEnd = "end"

func (c cuts) stream() jetstream.Stream { return c.log.engine.Load().snapshots }

// Name is durable.Place's.
func (c cuts) Name(top uint64) string {
	return "snapshot " + strconv.FormatUint(top, 10) + " beside the log"
}

// numbers gives those that have a message of the kind.
func (c cuts) numbers(ctx context.Context, what string) ([]uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, pieceComes)
	defer cancel()
	info, err := c.stream().Info(ctx, jetstream.WithSubjectFilter(c.log.snapshots+"*."+what))
	if err != nil {
		return nil, err
	}
	var tops []uint64
	for subject := range info.State.Subjects {
		number, _, _ := strings.Cut(strings.TrimPrefix(subject, c.log.snapshots), ".")
		if top, err := strconv.ParseUint(number, 10, 64); err == nil {
			tops = append(tops, top)
		}
	}
	slices.Sort(tops)
	return slices.Compact(tops), nil
}

// List is durable.Place's.
func (c cuts) List(ctx context.Context) ([]uint64, error) { return c.numbers(ctx, atTheEnd) }

// Written is durable.Place's.
func (c cuts) Written(ctx context.Context, top uint64) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, pieceComes)
	defer cancel()
	m, err := c.stream().GetLastMsgForSubject(ctx, c.subject(top, atTheEnd))
	if err != nil {
		return time.Time{}, err
	}
	return m.Time.UTC(), nil
}

// Write is durable.Place's.
func (c cuts) Write(ctx context.Context, top uint64, pieces [][]byte) error {
	if _, err := c.Written(ctx, top); err == nil { // it is there
		return nil
	}
	readers := make([]io.Reader, len(pieces))
	for n := range pieces {
		readers[n] = bytes.NewReader(pieces[n])
	}
	written, err := c.send(ctx, top, io.MultiReader(readers...))
	if err == nil {
		err = c.read(ctx, top, written, io.Discard)
	}
	var end []byte
	if err == nil {
		end, err = json.Marshal(written)
	}
	if err == nil {
		err = c.put(ctx, top, atTheEnd, end)
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", c.Name(top), err)
	if written.Pieces > 0 { // others are not this one's
		err = errors.Join(err, c.remove(context.WithoutCancel(ctx), top))
	}
	return err
}

// send stores the pieces.
func (c cuts) send(ctx context.Context, top uint64, from io.Reader) (w ending, err error) {
	sum, piece := sha256.New(), make([]byte, pieceSize)
	for {
		n, err := io.ReadFull(from, piece)
		if n == 0 {
			w.SHA256 = sum.Sum(nil)
			return w, nil
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return w, err
		}
		if err := c.put(ctx, top, strconv.Itoa(w.Pieces), piece[:n]); err != nil {
			return w, err
		}
		_, _ = sum.Write(piece[:n])
		w.Pieces, w.Bytes = w.Pieces+1, w.Bytes+int64(n)
	}
}

// put stores a message that must be the first of its subject: of two processes that write
// one snapshot only one does.
func (c cuts) put(ctx context.Context, top uint64, what string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, pieceComes)
	defer cancel()
	_, err := c.log.engine.Load().js.PublishMsg(ctx, &nats.Msg{Subject: c.subject(top, what), Data: data}, jetstream.WithExpectLastSequencePerSubject(0))
	return err
}

// Read is durable.Place's.
func (c cuts) Read(ctx context.Context, top uint64) ([]byte, error) {
	end, err := c.piece(ctx, c.subject(top, atTheEnd))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(top), err)
	}
	var w ending
	if err := json.Unmarshal(end, &w); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", c.Name(top), durable.ErrImage, err)
	}
	var b bytes.Buffer
	b.Grow(int(max(0, w.Bytes)))
	if err := c.read(ctx, top, w, &b); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(top), err)
	}
	return b.Bytes(), nil
}

// read gives the pieces' bytes, and fails unless they are what was written.
func (c cuts) read(ctx context.Context, top uint64, w ending, to io.Writer) error {
	sum, size := sha256.New(), int64(0)
	for n := range w.Pieces {
		data, err := c.piece(ctx, c.subject(top, strconv.Itoa(n)))
		if err != nil {
			return fmt.Errorf("piece %d of %d does not come: %w", n+1, w.Pieces, err)
		}
		_, _ = sum.Write(data)
		size += int64(len(data))
		if _, err := to.Write(data); err != nil {
			return err
		}
	}
	if size != w.Bytes || !bytes.Equal(sum.Sum(nil), w.SHA256) {
		return fmt.Errorf("%w: its %d pieces are not what was written", durable.ErrImage, w.Pieces)
	}
	return ctx.Err()
}

// piece asks for one message, and not for long: who waits for a server that has died holds
// up whoever is to go on from a snapshot.
func (c cuts) piece(ctx context.Context, subject string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, pieceComes)
	defer cancel()
	m, err := c.stream().GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, fmt.Errorf("%w: there is no %s", durable.ErrImage, subject)
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// Drop is durable.Place's.
func (c cuts) Drop(ctx context.Context, drop func(top uint64) bool) error {
	tops, err := c.numbers(ctx, "*")
	for _, top := range tops {
		if drop(top) {
			err = errors.Join(err, c.remove(ctx, top))
		}
	}
	return err
}

// remove removes all messages of a snapshot, the one at the end first.
func (c cuts) remove(ctx context.Context, top uint64) error {
	ctx, cancel := context.WithTimeout(ctx, pieceComes)
	defer cancel()
	err := c.stream().Purge(ctx, jetstream.WithPurgeSubject(c.subject(top, atTheEnd)))
	return errors.Join(err, c.stream().Purge(ctx, jetstream.WithPurgeSubject(c.subject(top, "*"))))
}
