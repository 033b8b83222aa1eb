package integration_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// BenchmarkSecrets is what it costs to look for secrets in an exchange, beside the
// same without any secret to look for.
func BenchmarkSecrets(b *testing.B) {
	took := map[bool]time.Duration{}
	body := bytes.Repeat([]byte(`{"locationId":"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e","name":"Northside"},`), 8)
	for b.Loop() {
		for _, secret := range []bool{false, true} {
			o := integration.Options{Name: "default", Clock: integration.Manual}
			if secret {
				o.ClientSecret, o.WebhookSecret = "sandbox-secret", "whsec_9f2c6b1d7e40"
			}
			r, err := integration.NewRegistry(o, time.Now, nil)
			require.NoError(b, err)
			began := time.Now()
			for range 20_000 {
				call := integration.Call{Kind: tape.KindExchange, Entities: []string{"northside"}}
				r.Default().Do(&call, func(_ *world.World, c *integration.Call) {
					c.Exchange = tape.Exchange{
						Operation: "listLocations", Method: "GET", Path: "/Company/northside/Locations", Auth: tape.AuthValid,
						Request: tape.Request{Header: []tape.Header{
							{Name: "Host", Value: "127.0.0.1:8484"}, {Name: "Accept", Value: "application/json"}, {Name: "User-Agent", Value: "Go-http-client/1.1"},
						}},
						Response: tape.Response{Status: 200, Body: body, Header: []tape.Header{{Name: "Content-Type", Value: "application/json; charset=utf-8"}}},
					}
				})
			}
			took[secret] += time.Since(began)
			r.Close()
		}
	}
	b.ReportMetric(float64(took[true])/float64(took[false]), "ratio")
	b.ReportMetric(float64(took[true]-took[false])/20_000/float64(b.N), "ns-more/exchange")
}
