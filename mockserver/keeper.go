package mockserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// keeper stands between integrations and the log: it puts their inputs there, and
// applies what others have put, or what this process's former life has.
type keeper struct {
	server *Server
	runner *durable.Runner
	ctx    context.Context //nolint:containedctx // It is how long the keeper lasts.
	end    context.CancelFunc
	ended  sync.WaitGroup
	begun  atomic.Bool // what the log held is applied
	other  string      // what another build has applied before; set before begun is
	// asked are the integrations that a shard's inputs were for, of a log that is shared.
	asked [durable.Registry + 1]map[string]struct{}
}

// imageEvery is how many inputs come between two snapshots, or messages of a log that is
// shared.
const imageEvery = 10_000

func newKeeper(s *Server) *keeper {
	k := &keeper{server: s}
	k.ctx, k.end = context.WithCancel(context.Background())
	log := s.opts.Inputs
	if !s.opts.Shared {
		log = &drawnLog{Log: log, budget: s.opts.Integration.Budget}
	}
	k.runner = durable.NewRunner(durable.RunnerOptions{
		Log: log, Machine: k, Wall: s.opts.Wall, ID: uuid.New, Tell: s.opts.Log, Shared: s.opts.Shared, Build: s.opts.Build,
		Images: s.opts.Images, Every: cmp.Or(s.opts.ImageEvery, imageEvery), State: k.state,
	})
	if shelf := s.opts.Shelf; shelf != nil && s.opts.Images != nil {
		s.opts.Images.Beside(shelf)
	}
	return k
}

// drawnLog draws from the budget what the engine of a log in this process holds of what was
// written: it lets go of it ten seconds later.
type drawnLog struct {
	durable.Log
	budget *budget.Bytes
	mu     sync.Mutex
	bytes  int64 // that are not drawn yet
}

const (
	engineHolds = 11 * time.Second
	drawnFrom   = 1 << 20
)

// Append is Log's.
func (l *drawnLog) Append(ctx context.Context, m durable.Message) (uint64, error) {
	l.mu.Lock()
	l.bytes += int64(len(m.Data))
	if n := l.bytes; n >= drawnFrom {
		l.bytes = 0
		l.budget.Force(n)
		time.AfterFunc(engineHolds, func() { l.budget.Give(n) })
	}
	l.mu.Unlock()
	return l.Log.Append(ctx, m)
}

// state is what a snapshot holds, and what puts back the memory that it takes.
func (k *keeper) state() ([][]byte, func(), error) {
	if shelf := k.server.opts.Shelf; shelf != nil {
		shelf.Turn()
	}
	return k.server.registry.Standing()
}

// shelf is where integrations sleep.
func (k *keeper) shelf() integration.Shelf {
	if k.server.opts.Shelf == nil {
		return nil
	}
	return k.server.opts.Shelf
}

// sleepAfter is how long nobody has asked for an integration that is put to sleep.
const sleepAfter = 10 * time.Minute

// doze puts integrations to sleep until the keeper ends.
func (k *keeper) doze() {
	tick := time.NewTicker(cmp.Or(k.server.opts.SleepAfter, sleepAfter) / 4)
	defer tick.Stop()
	for {
		select {
		case <-k.ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := k.server.registry.Doze(); err != nil {
			k.server.opts.Log.Warn("integrations that nobody asks for stay in memory", slog.Any("reason", err))
		}
	}
}

// close ends the keeper, once nothing is put any more, and the log.
func (k *keeper) close() error {
	k.runner.Close()
	k.end()
	k.ended.Wait()
	var err error
	if k.begun.Load() && k.server.opts.Images != nil && !k.Shared() { // others go on with a log that is shared
		err = k.runner.Keep()
	}
	if errors.Is(err, budget.ErrNoRoom) { // nothing is lost: the next start reads more of the log
		k.server.opts.Log.Warn("no snapshot is taken at the end", slog.Any("reason", err))
		err = nil
	}
	return errors.Join(err, k.server.opts.Inputs.Close())
}

// Shared is integration.Order's.
func (k *keeper) Shared() bool { return k.server.opts.Shared }

// Current is integration.Order's.
func (k *keeper) Current(id string) {
	shard := durable.Registry
	if id != "" {
		shard = shardOf(&integration.Input{Integration: id})
	}
	_ = k.runner.Current(shard)
}

// Put is integration.Order's.
func (k *keeper) Put(in *integration.Input, apply func() (effects []string)) error {
	var wrong any
	c := &durable.Call{Run: func() durable.Asked {
		defer func() { wrong = recover() }()
		k.changes(shardOf(in), in.Integration)
		return asked(in, apply())
	}}
	data := kernel.Encode(nil, in)
	if len(data) > durable.MaxInput {
		return &kernel.Error{Code: kernel.TooLarge, Detail: fmt.Sprintf("what is kept is kept in a log, which takes at most %d MiB in one piece, and this has %d; nothing was done",
			durable.MaxInput>>20, len(data)>>20)}
	}
	err := k.runner.Put(shardOf(in), durable.Input{ID: uuid.New(), Kind: durable.Applied, Answers: in.Answers, Data: data}, c)
	if wrong != nil {
		panic(wrong)
	}
	return unkept(err)
}

// asked is what an input has asked for once it was applied.
func asked(in *integration.Input, effects []string) durable.Asked {
	return durable.Asked{Effects: effects, Voids: in.Voids}
}

// shardOf is where an input stands in the log.
func shardOf(in *integration.Input) int {
	if in.Kind == integration.InputCreate || in.Kind == integration.InputDelete {
		return durable.Registry
	}
	sum := sha256.Sum256([]byte(in.Integration))
	return int(binary.BigEndian.Uint16(sum[:]) % durable.Shards)
}

// Apply is durable.Machine's.
func (k *keeper) Apply(in *durable.Input, _ uint64, mine any) durable.Asked {
	if c, _ := mine.(*durable.Call); c.Take() {
		defer c.Done(nil)
		return c.Run()
	}
	var again integration.Input
	if err := kernel.Decode(in.Data, &again); err != nil {
		k.server.opts.Log.Error("an input of the log cannot be read", slog.String("input", in.ID.String()), slog.Any("error", err))
		return durable.Asked{}
	}
	again.Answers = in.Answers
	k.changes(shardOf(&again), again.Integration)
	return asked(&again, k.again(&again))
}

// again applies an input that another process has taken, or this one's former life. A
// mistake that it makes was made then, too.
func (k *keeper) again(in *integration.Input) (effects []string) {
	defer func() {
		if cause := recover(); cause != nil {
			k.server.opts.Log.Error("an input of the log has failed", slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
		}
	}()
	r := k.server.registry
	switch in.Kind {
	case integration.InputCreate:
		_, _ = r.Created(in) // a refusal was told to who asked
		return nil
	case integration.InputDelete:
		r.Deleted(in.Integration)
		return nil
	default:
	}
	if in.Integration == "" {
		return nil
	}
	i := r.Get(in.Integration)
	if i == nil { // another shard says that it is there
		_ = k.runner.ReadShard(durable.Registry)
		if i = r.Get(in.Integration); i == nil {
			return nil
		}
	}
	if in.Kind == integration.InputCall {
		k.call(i, in)
		return i.Wanted()
	}
	_, effects = i.Apply(in, false)
	return effects
}

// call makes a request again.
func (k *keeper) call(i *integration.Integration, in *integration.Input) {
	e := tape.Entry{Kind: in.On, At: i.Agree(in), Label: in.Label, Exchange: &in.Call}
	in.Call.Auth, in.Call.Token = in.Judged.Auth, in.Judged.Token
	r, err := request(k.ctx, i, &e, i.ID)
	if err != nil {
		k.server.opts.Log.Error("a call of the log cannot be made again", slog.Any("error", err))
		return
	}
	integration.AgainFrom(r.Context()).Judged = &in.Judged
	if again := k.server.again(in.On, r); again != nil {
		again.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// Skip is durable.Machine's.
func (k *keeper) Skip(_ *durable.Input, mine any) {
	if c, _ := mine.(*durable.Call); c.Take() {
		c.Done(nil)
	}
}

// Carry is durable.Machine's.
func (k *keeper) Carry(effect string) { k.server.registry.Carry(effect) }
