package mockserver

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// nowhere is a carrier through which nothing leaves and nothing comes back.
type nowhere struct{}

func (nowhere) Deliver(string, delivery.View, func(tape.Attempt, string)) {}
func (nowhere) Fetch(string, func(tape.Fetch))                            {}
func (nowhere) Forget(string)                                             {}

// How many times its size a snapshot takes while it is read, and a tape while it is
// played: its entries, the world and the tape that they make, and the snapshot of those.
const (
	reading = 3
	playing = 6
)

// Load reads the file of a snapshot, or of a tape, which is played again from its first
// entry and has to come to the same entries. The error says where the file is not what
// it should be, what was expected and what was received.
func (s *Server) Load(ctx context.Context, file []byte) (*integration.Snapshot, error) {
	times := int64(playing)
	if integration.IsSnapshot(file) {
		times = reading
	}
	back, err := s.registry.Budget().Reserve(times * int64(len(file)))
	if err != nil {
		return nil, err
	}
	defer back()
	if integration.IsSnapshot(file) {
		return integration.ReadSnapshot(file)
	}
	meta, entries, err := tape.Read(bytes.NewReader(file))
	if err != nil {
		if packed := tape.Packed(file, "FILE"); packed != "" {
			return nil, unloaded("", "a snapshot or a saved tape", fmt.Sprintf("%d bytes: %s", len(file), packed))
		}
		if !bytes.HasPrefix(bytes.TrimSpace(file), []byte("{")) {
			return nil, unloaded("", "a snapshot or a saved tape", fmt.Sprintf("%d bytes that begin with %.24q", len(file), file))
		}
		return nil, unloaded("", "a snapshot or a saved tape", strings.TrimPrefix(err.Error(), "read tape: "))
	}
	o, err := optionsOf(&meta)
	if err != nil {
		return nil, err
	}
	made, err := s.played(ctx, o, entries, nil)
	if err != nil && o.ID != "" { // it may have begun as a copy of what another integration has made
		owners := ownersOf(o.ID, entries)
		o.ID = owners[0]
		if other, failed := s.played(ctx, o, entries, owners[1:]); failed == nil {
			made, err = other, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return made.Under(o.Clock), nil
}

// ownersOf are the integrations that a tape was made by, one after the other forked of the
// one before, by the links that they have given and where they were asked: the first one, and that of each entry.
func ownersOf(own string, entries []tape.Entry) []string {
	owners, first := make([]string, len(entries)+1), integration.DefaultID
	for n := len(entries) - 1; n >= 0; n-- {
		e := entries[n]
		if e.Exchange != nil {
			given := *e.Exchange
			given.Request, e.Exchange = tape.Request{}, &given
		}
		if at := linked().FindStringSubmatch(lineOf(&e)); at != nil {
			own, first = at[1], at[1]
		}
		owners[n+1] = own
	}
	owners[0] = first
	return owners
}

// linked are addresses of an integration's pages and of its control API.
var linked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/(?:pages|_sandbox/integrations)/(default|[0-9a-f-]{36})/`)
})

// played is what comes of the entries of a tape, which must come out again; owners are
// those of the entries, nil is one alone.
func (s *Server) played(ctx context.Context, o integration.Options, entries []tape.Entry, owners []string) (*integration.Snapshot, error) {
	return s.apart(o, func(fresh *Server) error {
		if err := fresh.replay(ctx, fresh.registry.Default(), entries, owners); err != nil {
			return unloaded("/entries", "a tape that can be played again from its first entry", err.Error())
		}
		return sameEntries(ctx, fresh.registry.Default(), entries)
	})
}

// optionsOf are those that a tape was recorded under; its first line may be anybody's.
func optionsOf(m *tape.Meta) (integration.Options, error) {
	o := integration.Options{
		ID: m.Integration, Seed: m.Seed, Environment: world.Environment(m.Environment), Start: time.Unix(0, m.Start).UTC(), Strict: m.Strict,
		Clock: integration.ClockMode(m.Clock), WebhookURL: m.WebhookURL,
	}
	settings, err := latitude.FromMap(m.Latitude)
	switch o.Settings = settings; {
	case err != nil:
		return o, unloaded("/latitude", "choices of the latitude ledger", err.Error())
	case o.ID != "" && uuid.Validate(o.ID) != nil:
		return o, unloaded("/integration", "the id of an integration", kernel.Quote(o.ID))
	case o.Environment != "" && o.Environment != world.Sandbox && o.Environment != world.Rehearsal:
		return o, unloaded("/environment", string(world.Sandbox)+" or "+string(world.Rehearsal), kernel.Quote(m.Environment))
	case o.Clock != "" && o.Clock != integration.Real && o.Clock != integration.Manual:
		return o, unloaded("/clock", string(integration.Real)+" or "+string(integration.Manual), kernel.Quote(m.Clock))
	}
	return o, nil
}

// sameEntries compares what a replay has come to with what was recorded.
func sameEntries(ctx context.Context, i *integration.Integration, recorded []tape.Entry) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel() // what is there, without waiting
	replayed := i.Read(ctx, tape.Filter{}).Entries
	for n := range recorded {
		want, got := lineOf(&recorded[n]), "nothing"
		if n < len(replayed) {
			got = lineOf(&replayed[n])
		}
		if want != got {
			return unloaded(fmt.Sprintf("/entries/%d", recorded[n].Seq), clipped(want, got), clipped(got, want)+"; the tape was made by another version, by options that it does not name, or under a secret of a process; save a snapshot instead")
		}
	}
	return nil
}

// lineOf is an entry as it stands in a file.
func lineOf(e *tape.Entry) string {
	var b bytes.Buffer
	if err := tape.NewWriter(&b).WriteEntry(*e); err != nil {
		return err.Error()
	}
	return struck().ReplaceAllString(strings.TrimSpace(b.String()), "x")
}

// struck are secrets on a tape, which are not shown: those of others may be longer.
var struck = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`x{8,}`) })

// clipped is what of a line is worth reading: the place where it parts from another.
func clipped(line, other string) string {
	const around = 60
	at := 0
	for at < min(len(line), len(other)) && line[at] == other[at] {
		at++
	}
	return "…" + line[max(0, at-around):min(len(line), at+around)] + "…"
}

// unloaded refuses a file for one reason.
func unloaded(pointer, expected, received string) *kernel.Error {
	return &kernel.Error{Code: kernel.Invalid, Detail: "the file cannot be loaded, nothing was changed", Findings: []kernel.Finding{{
		Pointer: pointer, Clause: "control.load.file", Source: kernel.Assumed, Received: received, Expected: expected,
		Fix: "load a file that `paysandbox snapshot save` or `observe --save-tape` has written",
	}}}
}
