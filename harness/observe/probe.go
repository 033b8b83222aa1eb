package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"paysandbox/harness/observe/trouble"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// The bounds of a state probe.
const (
	probeWait = 2 * time.Second
	probeMost = 1 << 20
	// noteMost is how much of it a note can hold, in bytes.
	noteMost = 64 << 10
	// probeAfter is how long after the latest delivery the application is asked,
	// probeCalm how long after it once more, when all its work should be done, and
	// probeEvery how long after the last time.
	probeAfter = 100 * time.Millisecond
	probeCalm  = 600 * time.Millisecond
	probeEvery = 250 * time.Millisecond
)

// prober decides when the application is asked for its state: after deliveries
// have come in and it had a moment to act on them.
type prober struct {
	mu sync.Mutex
	// url is the probe's address, empty until it is known; mu guards it.
	url string
	// foreign is an address that was told and is not of this machine.
	foreign string
	// given says that the address was given to the session itself: it may be any.
	given bool
	// wanted is the time from which on it is to be asked; zero when nothing has
	// happened since.
	wanted time.Time
	// calm is when it is to be asked once more.
	calm   time.Time
	asked  time.Time
	client *http.Client
	// silent is true once a problem was told, failed counts the times in a row that
	// the application has not answered.
	silent bool
	failed int
}

func newProber(given string) *prober {
	return &prober{url: given, given: given != "", client: &http.Client{
		Timeout:       probeWait,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// waits says whether the application is about to be asked.
func (p *prober) waits() bool { return p.address() != "" && !p.wanted.IsZero() }

// address is where the application is asked; empty while that is not known.
func (p *prober) address() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.url
}

// learn takes the address that the application has told.
func (p *prober) learn(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.url = address
}

// due says whether now is the time.
func (p *prober) due(now time.Time) bool {
	// One that does not answer holds up the session: it is asked less and less often.
	return p.waits() && !now.Before(p.wanted) && now.Sub(p.asked) >= probeEvery<<min(p.failed, 7)
}

// take looks for what changes the application's state, and for the note by which
// it tells its probe.
func (p *prober) take(entries []tape.Entry, now time.Time) {
	for i := range entries {
		e := &entries[i]
		if address, told := probeNote(e); told && !p.given {
			p.hear(address)
		}
		if e.Attempt != nil || trail.NoteOf(e).Kind == trail.NoteRedirect {
			p.wanted, p.calm = now.Add(probeAfter), now.Add(probeCalm)
		}
	}
}

// hear takes the address that a note has told, if it is one of this machine.
func (p *prober) hear(address string) {
	if local(address) {
		p.learn(address)
		return
	}
	p.foreign = address
}

// probeNote reads the note by which an application tells its probe.
func probeNote(e *tape.Entry) (string, bool) {
	var data struct {
		URL string `json:"url"`
	}
	n := trail.NoteOf(e)
	told := n.Kind == trail.NoteProbe && n.Into(&data) && data.URL != ""
	return data.URL, told
}

// local says whether an address is one of this machine: others are only asked
// when the user has named them.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// probe asks the application for its state and puts the answer on the tape. now
// asks although nothing is waited for.
func (s *Session) probe(ctx context.Context, now bool) {
	p := s.prober
	if p.address() == "" || !now && !p.waits() {
		return
	}
	p.asked = s.now()
	if p.wanted = p.calm; !p.asked.Before(p.calm) {
		p.wanted = time.Time{}
	}
	state, err := p.ask(ctx)
	if p.failed++; err == nil {
		p.failed = 0
		err = s.panel.note(ctx, trail.NoteState, "", state)
	}
	var gone *net.OpError
	if err != nil && ctx.Err() == nil && !p.silent && !errors.As(err, &gone) {
		p.silent = true
		s.say(fmt.Sprintf("the state probe %s cannot be used: %v", p.address(), err))
	}
}

// tellForeign says once that an application has named a probe that is not asked.
func (s *Session) tellForeign() {
	p := s.prober
	if p.foreign != "" && !p.silent {
		p.silent = true
		s.say(fmt.Sprintf("the application names the state probe %s, which is not on this machine: give it by --state-url", p.foreign))
	}
}

// State asks the application for its state now: one JSON object, nil when it has
// told no probe. It puts nothing on the tape.
func (s *Session) State(ctx context.Context) ([]byte, error) {
	if s.prober.address() == "" {
		return nil, nil
	}
	return s.prober.ask(ctx)
}

var (
	errNotState = errors.New("expected 200 with a JSON object")
	errTooMuch  = errors.New("more than 64 KiB of JSON do not fit into a note")
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
	raw, err := io.ReadAll(io.LimitReader(res.Body, probeMost))
	if err != nil {
		return nil, err
	}
	var tight bytes.Buffer
	if res.StatusCode != http.StatusOK || json.Compact(&tight, raw) != nil || !bytes.HasPrefix(tight.Bytes(), []byte("{")) {
		return nil, fmt.Errorf("status %d: %w", res.StatusCode, errNotState)
	}
	if tight.Len() > noteMost {
		return nil, errTooMuch
	}
	return slices.Clone(tight.Bytes()), nil
}
