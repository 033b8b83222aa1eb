package mockserver

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/compare"
	"paysandbox/mockserver/kernel"
)

// load goes on from the newest snapshot.
func (k *keeper) load() error {
	if k.server.opts.Images == nil {
		return nil
	}
	list, err := k.server.opts.Images.Newest(k.ctx, k.server.opts.Inputs, k.server.opts.Log)
	if err != nil || list == nil {
		return err
	}
	err = k.runner.Load(list, func(state []byte) error {
		room := k.server.registry.Budget()
		room.Force(int64(len(state))) // without it nothing can be gone on from
		defer room.Give(int64(len(state)))
		if err := k.server.registry.Stand(state); err != nil {
			return err
		}
		for n := range list {
			for _, d := range list[n].Duties {
				k.server.registry.Owe([]string{d.Effect})
			}
		}
		return nil
	})
	if err == nil {
		debug.FreeOSMemory() // what reading a snapshot took would stay resident for long
	}
	return err
}

// reload goes on from the newest snapshot because the log was cut behind what was read of
// it: this process has slept while others went on.
func (k *keeper) reload() error {
	k.server.opts.Log.Warn("the log was cut behind what this sandbox has read: it goes on from a snapshot", slog.Uint64("read", k.runner.Followed()))
	err := k.load()
	k.server.registry.Past()
	if err == nil && k.begun.Load() {
		k.ended.Go(k.server.registry.Begin)
	}
	return err
}

// begin applies what the log holds, and goes on from there.
func (k *keeper) begin() error {
	if err := k.load(); err != nil {
		return err
	}
	loaded := k.runner.Followed()
	caughtUp := make(chan struct{})
	failed := make(chan error, 1)
	follow, stop := context.WithCancel(k.ctx)
	late := k.server.opts.Wall().Add(k.server.opts.Patience)
	k.ended.Go(func() { failed <- k.read(follow, late, func() { close(caughtUp) }) })
	select {
	case <-caughtUp:
	case err := <-failed:
		stop()
		return fmt.Errorf("the log cannot be read: %w", err)
	}
	pulse, shared := k.server.opts.Inputs.(durable.Pulse)
	if shared = shared && k.server.opts.Shared; shared {
		context.AfterFunc(k.ctx, stop)
	} else {
		stop()
	}
	k.server.registry.Past()
	k.tellOfBuilds(k.runner.Followed() - loaded)
	if err := k.makeDefault(late); err != nil {
		return err
	}
	k.begun.Store(true)
	k.runner.Begin()
	k.server.registry.Begin()
	// Last of all: an integration that is still held carries nothing out that it is given.
	if shared {
		k.ended.Go(func() { _ = k.runner.Look(pulse) })
	} else if !k.server.opts.Shared {
		k.runner.TakeOver()
	}
	if k.server.opts.Shelf != nil {
		k.ended.Go(k.doze)
	}
	return nil
}

// tellOfBuilds tells when another build has applied what this start has applied: where its
// rules were others, what was answered then is not what has come of it now. The first start
// that finds it says so.
func (k *keeper) tellOfBuilds(messages uint64) {
	log, says := k.server.opts.Inputs.(durable.Builds)
	if !says || k.server.opts.Build == "" {
		return
	}
	was, err := log.Build(k.ctx)
	if err == nil && was != k.server.opts.Build {
		if messages > 0 {
			k.other = OtherBuild(messages, was, k.server.opts.Build)
			k.server.opts.Log.Warn("the log was applied by another build", slog.String("means", k.other))
		}
		err = log.Built(k.ctx, k.server.opts.Build)
	}
	if err != nil { // the next start tells it again
		k.server.opts.Log.Warn("the log does not take which build goes on with it", slog.Any("error", err))
	}
}

// OtherBuild says that messages of a log were applied by one build, and are by another.
func OtherBuild(messages uint64, was, is string) string {
	return fmt.Sprintf("messages behind the newest snapshot: %d; they were applied by paysandbox %s, and are by %s now: where its rules are others, "+
		"what was answered then need not be what stands now (a clean stop before an upgrade leaves none)", messages, cmp.Or(was, "of a build that did not say"), is)
}

// read reads the log. One that is shared is read on when that has failed, from where it
// stood: its servers may be choosing a leader. What there is must be read in time, and
// then it goes on until the context ends.
func (k *keeper) read(ctx context.Context, late time.Time, caughtUp func()) error {
	for {
		err := k.server.opts.Inputs.Follow(ctx, k.runner.Followed(), k.runner.Receive, func() {
			if !late.IsZero() {
				caughtUp()
			}
			late = time.Time{}
		})
		if errors.Is(err, durable.ErrCut) {
			if err = k.reload(); err == nil {
				continue
			}
		}
		if ctx.Err() != nil || k.runner.Broken() != nil || !k.waits("what it holds", err, late) {
			return err
		}
	}
}

// makeDefault makes the default integration, unless the log has it.
func (k *keeper) makeDefault(late time.Time) error {
	for k.server.registry.Default() == nil {
		err := k.server.registry.MakeDefault(k.server.opts.Integration)
		var refused *kernel.Error
		if err != nil && (!errors.As(err, &refused) || refused.Code != kernel.Unavailable || !k.waits("the default integration", err, late)) {
			return err
		}
	}
	return nil
}

// waits says that a shared log may be called again, after a second; a zero late never ends.
func (k *keeper) waits(what string, err error, late time.Time) bool {
	if !k.server.opts.Shared || !late.IsZero() && (errors.Is(err, durable.ErrBroken) || k.server.opts.Wall().After(late)) {
		return false
	}
	k.server.opts.Log.Warn("the log's servers are called again", slog.String("for", what), slog.Any("after", err))
	select {
	case <-time.After(time.Second):
		return true
	case <-k.ctx.Done():
		return false
	}
}

// changes notes that an input of a shard, which is held, is for an integration.
func (k *keeper) changes(shard int, id string) {
	if !k.Shared() || id == "" {
		return
	}
	if k.asked[shard] == nil {
		k.asked[shard] = map[string]struct{}{}
	}
	k.asked[shard][id] = struct{}{}
}

// Stand is durable.Machine's. An integration that another shard has deleted, or begun anew,
// has no part under its name.
func (k *keeper) Stand(shard int, asked []string) (parts []compare.Part) {
	for _, name := range asked {
		id, _, _ := strings.Cut(name, ", life ")
		k.changes(shard, id)
	}
	for _, id := range slices.Sorted(maps.Keys(k.asked[shard])) {
		i := k.server.registry.Get(id)
		p := compare.Part{Name: id}
		switch {
		case shard == durable.Registry && i != nil:
			p.Hash = 1
		case shard == durable.Registry:
		case i == nil:
			continue
		default:
			sum, life := i.Stands()
			p.Name, p.Hash = fmt.Sprintf("%s, life %d", id, life), binary.BigEndian.Uint64(sum[:])
		}
		parts = append(parts, p)
	}
	k.asked[shard] = nil
	return parts
}
