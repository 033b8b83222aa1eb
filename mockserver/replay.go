package mockserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
)

// ErrReplayGap says that a tape has lost entries and cannot be replayed.
var ErrReplayGap = errors.New("the tape does not begin at its first entry, so it cannot be replayed")

// Replay feeds the inputs of a tape to an integration that is still empty and
// was made from the same seed and options, with a manual clock that stands where
// the tape began, whichever clock it was recorded under. Nothing leaves the house: what
// receivers and file servers answered is on the tape. Afterwards the
// integration's tape equals the one that was fed, byte for byte.
func (s *Server) Replay(ctx context.Context, i *integration.Integration, entries []tape.Entry) error {
	return s.replay(ctx, i, entries, nil)
}

// replay is Replay of a tape whose entries may have several owners.
func (s *Server) replay(ctx context.Context, i *integration.Integration, entries []tape.Entry, owners []string) error {
	if len(entries) > 0 && entries[0].Seq != 1 {
		return ErrReplayGap
	}
	i.Hold()
	defer i.Release()
	for n := range entries {
		e := &entries[n]
		if !e.Kind.Input() {
			continue
		}
		if e.Omitted > 0 {
			return fmt.Errorf("replay entry %d: %w", e.Seq, ErrReplayGap)
		}
		as := i.ID
		if owners != nil {
			as = owners[n]
		}
		if err := s.feed(ctx, i, e, as); err != nil {
			return fmt.Errorf("replay entry %d of kind %s: %w", e.Seq, e.Kind, err)
		}
	}
	if n := len(entries); n > 0 {
		i.CatchUp(entries[n-1].At)
	}
	return nil
}

// maxPlayed is how many entries a tape may have that is played to see a world in its
// past.
const maxPlayed = 100_000

var errPast = errors.New("its past cannot be played")

// playTo plays a tape into a twin, which stands at an earlier entry of it, until entry
// seq and what happened at once with it is on the twin's tape. The error says which
// entry cannot be played.
func (s *Server) playTo(ctx context.Context, t *integration.Integration, of func(seq uint64) (tape.Entry, bool), seq uint64) error {
	for at := t.Seq(); at < seq; at = t.Seq() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if at >= maxPlayed {
			return fmt.Errorf("%w: there are more than %d entries before it", errPast, maxPlayed)
		}
		e, ok := of(at + 1)
		if !ok || e.Omitted > 0 {
			return fmt.Errorf("%w: the tape has dropped entry %d or its body", errPast, at+1)
		}
		if !e.Kind.Input() {
			t.FireNext(e.At)
		} else if err := s.feed(ctx, t, &e, t.ID); err != nil {
			return err
		}
		if again, ok := t.Entry(at + 1); !ok || again.Kind != e.Kind {
			return fmt.Errorf("%w: played again, entry %d is not what it was: %s", errPast, at+1, e.Kind)
		}
	}
	return nil
}

// past plays the tape of a file into an integration that stands in no registry, made of
// what the file says of its own. One that was made before goes on where it stands.
func (s *Server) past(ctx context.Context, i *integration.Integration, meta *tape.Meta, of func(seq uint64) (tape.Entry, bool), seq uint64) (*integration.Integration, error) {
	if i == nil || i.Seq() > seq {
		o, err := optionsOf(meta)
		if err != nil {
			return nil, err
		}
		o.Clock = integration.Manual
		registry, err := integration.NewRegistry(o, s.opts.Wall, nowhere{})
		if err != nil {
			return nil, err
		}
		defer registry.Close()
		if i, _, err = registry.Default().Twin(); err != nil {
			return nil, err
		}
	}
	return i, s.playTo(ctx, i, of, seq)
}

// feed gives one input, which the integration of the id has had.
func (s *Server) feed(ctx context.Context, i *integration.Integration, e *tape.Entry, as string) error {
	switch e.Kind {
	case tape.KindExchange, tape.KindPage, tape.KindControl:
		r, err := request(ctx, i, e, as)
		if err != nil {
			return err
		}
		again := s.again(e.Kind, r)
		if again == nil {
			return fmt.Errorf("%w: %s", errNoInput, kernel.Quote(r.Method+" "+r.URL.Path))
		}
		again.ServeHTTP(httptest.NewRecorder(), door.Strike(r, &secret.Values{}))
		return nil
	default:
		return i.Refeed(e)
	}
}

// errNoInput says that a tape holds a control call that changes no world: no sandbox has
// written it.
var errNoInput = errors.New("it is no call of the control API that changes a world, and no sandbox has written it")

// again is what makes a call of a tape again; nil when no tape can hold it. Tapes come from
// strangers: a call reaches the surface of its kind and one integration, and nothing that
// belongs to all, or waits.
func (s *Server) again(kind tape.Kind, r *http.Request) http.Handler {
	switch {
	case kind == tape.KindExchange:
		return s.api
	case kind == tape.KindPage:
		return s.hosted
	case s.control.Acts(r):
		return s.control
	default:
		return nil
	}
}

// request makes the recorded request again.
func request(ctx context.Context, i *integration.Integration, e *tape.Entry, as string) (*http.Request, error) {
	x := e.Exchange
	target := "http://localhost" + x.Path // a path may begin with two slashes
	if x.Query != "" {
		target += "?" + x.Query
	}
	again := &integration.Again{Integration: i, As: as, At: e.At, Auth: x.Auth, Token: x.Token, InFlight: x.InFlight}
	r, err := http.NewRequestWithContext(integration.WithAgain(ctx, again), x.Method, target, bytes.NewReader(x.Request.Body))
	if err != nil {
		return nil, err
	}
	for _, h := range x.Request.Header {
		if h.Name == "Host" {
			r.Host = h.Value
			continue
		}
		r.Header.Set(h.Name, h.Value)
	}
	return r, nil
}
