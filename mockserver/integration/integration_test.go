package integration_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// registry makes a registry whose default integration has a manual clock.
func registry(t *testing.T, o integration.Options) *integration.Registry {
	t.Helper()
	o.Clock = integration.Manual
	r, err := integration.NewRegistry(o, time.Now, nil)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r
}

// create registers a company and gives its id.
func create(t *testing.T, i *integration.Integration, name string) string {
	t.Helper()
	var id string
	var err error
	i.Do(&integration.Call{Kind: tape.KindExchange}, func(w *world.World, _ *integration.Call) {
		var c world.CompanyCreated
		c, err = w.CreateCompany(&world.NewCompany{
			CompanyReferenceID: name, Name: name, EmailAddress: "office@example.com", ContactNumber: "+12025550123",
			CompanyType: "LLC", ZipCode: "94610", State: "CA",
			Owner: &world.Owner{EmailAddress: "o@example.com", ContactNumber: "+12025550124", SSN: "1234", ZipCode: "94610", State: "CA"},
		})
		id = c.CompanyID
	})
	require.NoError(t, err)
	return id
}

func TestAdvanceFiresInOrderAndAnswersWhatFired(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{Seed: 3, Environment: world.Rehearsal}).Default()
	id := create(t, i, "slow gym")
	m, err := i.Advance(integration.Move{By: 24 * time.Hour})
	require.NoError(t, err)
	require.Equal(t, integration.DefaultStart, m.From)
	require.Equal(t, integration.DefaultStart.Add(24*time.Hour), m.Now)
	require.NotEmpty(t, m.Fired)
	require.Equal(t, tape.KindTimer, m.Fired[0].Kind)
	require.Equal(t, "kyb", m.Fired[0].Timer.Name)
	require.Equal(t, uint64(1), m.Fired[0].Cause, "the creation has set the timer")
	require.Equal(t, tape.KindTransition, m.Fired[1].Kind)
	require.Equal(t, id, m.Fired[1].Transition.Entity)
	require.Equal(t, "Verified", m.Fired[1].Transition.To)
	require.Equal(t, m.Fired[0].Seq, m.Fired[1].Cause)
	for n := 1; n < len(m.Fired); n++ {
		require.GreaterOrEqual(t, m.Fired[n].At, m.Fired[n-1].At)
	}
}

func TestAdvanceRefusesToGoBack(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{}).Default()
	for _, m := range []integration.Move{
		{By: -time.Second},
		{To: integration.DefaultStart.Add(-time.Second)},
		{By: 200 * 365 * 24 * time.Hour},
		{To: time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		_, err := i.Advance(m)
		var refused *kernel.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, kernel.Invalid, refused.Code)
		_, now, _ := i.Clock()
		require.Equal(t, integration.DefaultStart, now)
	}
}

func TestResetGoesBackToTheBeginning(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{Seed: 9}).Default()
	first := create(t, i, "gym")
	_, err := i.Advance(integration.Move{By: time.Hour})
	require.NoError(t, err)
	require.NoError(t, i.Reset())
	_, now, _ := i.Clock()
	require.Equal(t, integration.DefaultStart, now)
	require.Equal(t, first, create(t, i, "gym"), "the same seed and calls give the same id")
}

func TestIntegrationsAreDerivedFromNameAndSeed(t *testing.T) {
	t.Parallel()
	a, b := registry(t, integration.Options{}), registry(t, integration.Options{})
	one, err := a.Create(integration.Options{Name: "ci", Seed: 4})
	require.NoError(t, err)
	two, err := b.Create(integration.Options{Name: "ci", Seed: 4})
	require.NoError(t, err)
	require.Equal(t, one.ID, two.ID)
	require.Equal(t, one.Options().ClientSecret, two.Options().ClientSecret)
	other, err := a.Create(integration.Options{Name: "ci", Seed: 4})
	require.NoError(t, err)
	require.NotEqual(t, one.ID, other.ID)
	gone, err := a.Delete(one.ID)
	require.NoError(t, err)
	require.True(t, gone)
	again, err := a.Create(integration.Options{Name: "ci", Seed: 4})
	require.NoError(t, err)
	require.Equal(t, one.ID, again.ID)
	_, err = a.Delete(integration.DefaultID)
	require.ErrorIs(t, err, integration.ErrDefault)
}

// slowCarrier answers a delivery when it is told to.
type slowCarrier struct{ begun, answer chan struct{} }

func (c slowCarrier) Deliver(_ string, d delivery.View, done func(tape.Attempt, string)) {
	go func() {
		c.begun <- struct{}{}
		<-c.answer
		done(tape.Attempt{Delivery: d.ID.String(), Endpoint: d.Endpoint.String(), Event: d.EventID.String(), Number: d.Attempt, Status: 200}, "")
	}()
}

func (slowCarrier) Forget(string) {}

func (slowCarrier) Fetch(string, func(tape.Fetch)) {}

// TestResetEndsAMove resets an integration while its clock is being moved and a
// receiver keeps the move waiting: the fresh world stays at its beginning.
func TestResetEndsAMove(t *testing.T) {
	t.Parallel()
	c := slowCarrier{make(chan struct{}), make(chan struct{})}
	r, err := integration.NewRegistry(integration.Options{
		Clock: integration.Manual, Environment: world.Rehearsal, WebhookURL: "http://127.0.0.1:1/",
	}, time.Now, c)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	i := r.Default()
	create(t, i, "gym")
	moved := make(chan integration.Moved)
	go func() {
		m, err := i.Advance(integration.Move{By: 48 * time.Hour})
		if err != nil {
			t.Error(err)
		}
		moved <- m
	}()
	<-c.begun
	require.NoError(t, i.Reset())
	close(c.answer)
	require.Equal(t, integration.DefaultStart, (<-moved).Now)
	_, now, _ := i.Clock()
	require.Equal(t, integration.DefaultStart, now)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.Empty(t, i.Read(ctx, tape.Filter{Kinds: []tape.Kind{tape.KindAttempt}}).Entries, "what came back after the reset is not taken in")
}
