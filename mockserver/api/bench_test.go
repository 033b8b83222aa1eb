package api_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"paysandbox/fixtures"
	"paysandbox/mockserver/api"
	"paysandbox/mockserver/integration"
)

// sinkWriter is a ResponseWriter that keeps nothing.
type sinkWriter struct{ h http.Header }

func (s sinkWriter) Header() http.Header         { return s.h }
func (s sinkWriter) Write(b []byte) (int, error) { return len(b), nil }
func (s sinkWriter) WriteHeader(int)             {}

// BenchmarkCreateCompany is one company without a network, for profiles.
func BenchmarkCreateCompany(b *testing.B) {
	reg, err := integration.NewRegistry(integration.Options{Seed: 1, ClientID: "c", ClientSecret: "s"}, time.Now, nil)
	if err != nil {
		b.Fatal(err)
	}
	a := api.New(api.Options{Registry: reg, Log: slog.New(slog.DiscardHandler), Wall: time.Now})
	token := grantFor(b, reg)
	body := fixtures.CompanyJSON(1)
	at := bytes.Index(body, []byte("bench-00000001")) + 6
	rd := bytes.NewReader(nil)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		for i, v := 7, n; i >= 0; i-- {
			body[at+i] = byte('0' + v%10)
			v /= 10
		}
		rd.Reset(body)
		r, _ := http.NewRequest(http.MethodPost, "/Company/Create", io.NopCloser(rd))
		r.Header["Content-Type"] = []string{"application/json"}
		r.Header["Authorization"] = []string{"Bearer " + token}
		a.ServeHTTP(sinkWriter{http.Header{}}, r)
	}
}
