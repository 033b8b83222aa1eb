package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/trail"
)

// State asks the application for its state once it has had the time to act on what
// has just happened: one JSON object, nil when it has told no probe. It puts nothing on
// the tape.
func (s *Session) State(ctx context.Context) ([]byte, error) {
	if s.prober.address() == "" {
		return nil, nil
	}
	select {
	case <-time.After(probeCalm):
		return s.prober.ask(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var (
	errNotState = errors.New("expected 200 with a JSON object")
	errTooLong  = fmt.Errorf("expected at most %d MiB", probeMost>>20)
)

// ask reads the state, one JSON object.
func (p *prober) ask(ctx context.Context) (json.RawMessage, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address(), http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", trouble.Agent)
	res, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, probeMost+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > probeMost {
		return nil, errTooLong
	}
	var tight bytes.Buffer
	if res.StatusCode != http.StatusOK || json.Compact(&tight, raw) != nil || !bytes.HasPrefix(tight.Bytes(), []byte("{")) {
		return nil, fmt.Errorf("status %d: %w", res.StatusCode, errNotState)
	}
	if _, err := trail.ReadState(tight.Bytes()); err != nil {
		return nil, err
	}
	return tight.Bytes(), nil
}

const (
	// noteMost is how much of a state a note can hold, in bytes.
	noteMost = 64 << 10
	// notePayments is how many payments a note holds of a state that is longer.
	notePayments = 400
)

// slow is from when on the tape tells how long an application took to answer its probe:
// one that has the processor answers within it.
const slow = 100 * time.Millisecond

// noteState puts a state on the tape, and how long the application took to tell it where
// that was long: the whole of it, or what has changed since the last one where that is
// too long.
func (s *Session) noteState(ctx context.Context, state json.RawMessage, took time.Duration) error {
	if took < slow {
		took = 0
	}
	if len(state) <= noteMost {
		s.prober.sent = nil // it stands in the tape whole
		if took > 0 && len(state) > len("{}") {
			state = fmt.Appendf(nil, `{"tookMs":%d,%s`, took.Milliseconds(), state[1:])
		}
		return s.panel.note(ctx, trail.NoteState, "", state)
	}
	read, err := trail.ReadState(state)
	if err != nil {
		return err
	}
	told := make(map[string]trail.Book, len(read.Payments))
	var changed []trail.Book
	for _, e := range read.Payments {
		told[e.ID] = e
		if known, seen := s.prober.sent[e.ID]; !seen || known != e {
			changed = append(changed, e)
		}
	}
	s.prober.sent = told
	for {
		n := min(len(changed), notePayments)
		p := trail.State{Payments: changed[:n:n], Others: "unchanged", More: n < len(changed), Took: took.Milliseconds()}
		if err := s.panel.note(ctx, trail.NoteState, "", p); err != nil {
			s.prober.sent = nil // begin with all of it the next time
			return err
		}
		if changed = changed[n:]; !p.More {
			return nil
		}
	}
}
