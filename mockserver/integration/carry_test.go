package integration_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// order orders inputs in memory and keeps what is owed, as a log's shard does. What is
// down cannot be put.
type order struct {
	registry *integration.Registry
	shared   bool

	mu    sync.Mutex
	read  int // how often what others have put was read
	down  map[integration.InputKind]bool
	kinds []integration.InputKind
	owed  map[string]bool
}

func (o *order) Put(in *integration.Input, apply func() []string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.down[in.Kind]:
		return &kernel.Error{Code: kernel.Unavailable, Detail: "the log cannot be reached"}
	case in.Answers != "" && !o.owed[in.Answers]: // it was answered before
		return nil
	}
	o.kinds = append(o.kinds, in.Kind)
	delete(o.owed, in.Answers)
	wanted := apply()
	maps.DeleteFunc(o.owed, func(name string, _ bool) bool { return in.Voids != "" && strings.HasPrefix(name, in.Voids) })
	for _, name := range wanted {
		o.owed[name] = true
		o.registry.Carry(name)
	}
	return nil
}

func (o *order) Shared() bool { return o.shared }

func (o *order) Current(string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.read++
}

func (o *order) names() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.owed))
}

// owes adds what is owed, as an older binary or another process has left it.
func (o *order) owes(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owed[name] = true
}

// ends takes the order of a kind of inputs down, or up again.
func (o *order) ends(kind integration.InputKind, down bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.down[kind] = down
}

func (o *order) put() []integration.InputKind {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.kinds)
}

// departures carries what it is given nowhere; who takes one out answers it.
type departures struct {
	nowhere

	left chan func(tape.Attempt, string)
}

func (d departures) Deliver(_ string, _ delivery.View, done func(tape.Attempt, string)) {
	d.left <- done
}

// answer answers the oldest departure.
func (d departures) answer(t *testing.T, status int) {
	t.Helper()
	synctest.Wait()
	require.NotEmpty(t, d.left, "nothing has left")
	go (<-d.left)(tape.Attempt{Status: status}, "")
	synctest.Wait()
}

// ordering is a registry whose inputs are ordered, and which has not begun.
func ordering() (*order, departures) {
	o := &order{down: map[integration.InputKind]bool{}, owed: map[string]bool{}}
	d := departures{left: make(chan func(tape.Attempt, string), 9)}
	o.registry = integration.OpenRegistry(o, nil, time.Now, d, nil)
	return o, d
}

// listening is one whose default integration has a webhook endpoint.
func listening(t *testing.T, clock integration.ClockMode) (*order, departures) {
	t.Helper()
	o, d := ordering()
	require.NoError(t, o.registry.MakeDefault(integration.Options{Clock: clock, Environment: world.Sandbox}))
	listens(t, o.registry.Default())
	return o, d
}

func listens(t *testing.T, i *integration.Integration) {
	t.Helper()
	i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
		_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://127.0.0.1:1/hooks"})
		require.NoError(t, err)
	})
}

// begun is the integration of an order that takes inputs, in which an event has left.
func (o *order) begun(t *testing.T) *integration.Integration {
	t.Helper()
	o.registry.Begin()
	i := o.registry.Default()
	happens(t, i)
	return i
}

// happens makes an event, which leaves.
func happens(t *testing.T, i *integration.Integration) {
	t.Helper()
	i.Send(i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
		_, err := w.CreateCompany(&world.NewCompany{
			CompanyReferenceID: "gym", Name: "gym", EmailAddress: "office@example.com", ContactNumber: "+12025550123",
			CompanyType: "LLC", ZipCode: "94610", State: "CA",
			Owner: &world.Owner{EmailAddress: "o@example.com", ContactNumber: "+12025550124", SSN: "1234", ZipCode: "94610", State: "CA"},
		})
		require.NoError(t, err)
	}))
	synctest.Wait()
}

// inOrder runs a test in virtual time with a registry that ends with it.
func inOrder(t *testing.T, clock integration.ClockMode, test func(t *testing.T, o *order, d departures)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o, d := listening(t, clock)
		defer o.registry.Close()
		test(t, o, d)
	})
}

// A delivery that a process owes, because another one was killed over it, is not taken to
// be done with while the integration is still held: it leaves once it is let go.
func TestWhatIsOwedIsNotGivenUpWhileHeld(t *testing.T) {
	inOrder(t, integration.Manual, func(t *testing.T, o *order, d departures) {
		t.Helper()
		happens(t, o.registry.Default())
		require.Len(t, o.names(), 1)
		require.NotContains(t, o.put(), integration.InputNothing)
		require.Empty(t, d.left)
		o.registry.Begin()
		d.answer(t, 200)
		o.registry.Default().Settle()
		require.Empty(t, o.names())
	})
}

// What was taken over is owed once: who reads the tape does not wait for it any more when
// it has been answered.
func TestNobodyWaitsForWhatWasTakenOverAndAnswered(t *testing.T) {
	inOrder(t, integration.Manual, func(t *testing.T, o *order, d departures) {
		t.Helper()
		o.shared = true
		i := o.registry.Default()
		happens(t, i)
		o.registry.Begin()
		i.Carry(o.names()[0]) // taken over once more, while it is under way
		d.answer(t, 200)
		require.Empty(t, d.left)
		require.Zero(t, settles(i))
	})
}

// settles is how long who looks waits for what is under way.
func settles(i *integration.Integration) time.Duration {
	began := time.Now()
	i.Settle()
	return time.Since(began)
}

// That nobody calls for an effect any more is told until the order has taken it.
func TestThatNobodyCallsForItIsNotLost(t *testing.T) {
	inOrder(t, integration.Manual, func(t *testing.T, o *order, _ departures) {
		t.Helper()
		i := o.begun(t)
		name := o.names()[0]
		require.NoError(t, i.Reset())
		o.owes(name) // as an older binary has left it
		o.ends(integration.InputNothing, true)
		i.Carry(name)
		time.Sleep(10 * time.Second) // virtual
		require.Contains(t, o.names(), name)
		o.ends(integration.InputNothing, false)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Empty(t, o.names())
	})
}
