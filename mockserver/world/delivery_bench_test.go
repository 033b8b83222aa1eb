package world_test

import (
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/world"
)

// BenchmarkDeliver delivers one event while others are pending.
func BenchmarkDeliver(b *testing.B) {
	for _, pending := range []int{0, 10_000} {
		b.Run(strconv.Itoa(pending)+" pending", func(b *testing.B) {
			w := world.New(world.Config{})
			planAt(w, planStart)
			e, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://a.example"})
			require.NoError(b, err)
			for range pending {
				_, err := w.Webhooks().Resend(e.ID, delivery.Event{ID: uuid.New(), Name: companyEvent, Entity: uuid.New()})
				require.NoError(b, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				id, err := w.Webhooks().Resend(e.ID, delivery.Event{ID: uuid.Nil, Name: companyEvent, Entity: uuid.Nil})
				require.NoError(b, err)
				_, err = w.Webhooks().Attempted(id, delivery.AttemptResult{Status: 200})
				require.NoError(b, err)
				w.Take()
			}
		})
	}
}

// BenchmarkEmit creates companies, each with its event, with so many endpoints
// that do not listen, and one that does.
func BenchmarkEmit(b *testing.B) {
	for _, deaf := range []int{0, 1_000} {
		b.Run(strconv.Itoa(deaf)+" deaf", func(b *testing.B) {
			w := world.New(world.Config{})
			planAt(w, planStart)
			for range deaf {
				_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://a.example", Events: []string{paymentEvent}})
				require.NoError(b, err)
			}
			_, err := w.Webhooks().Add(delivery.NewEndpoint{URL: "http://a.example", Events: []string{companyEvent}})
			require.NoError(b, err)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_, err := w.CreateCompany(goodCompany(strconv.Itoa(i)))
				require.NoError(b, err)
				w.Take()
			}
		})
	}
}
