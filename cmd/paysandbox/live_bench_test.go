package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
)

// BenchmarkTold makes payments as fast as it can, ten thousand in turn with nobody
// and with somebody reading along, and reports how much of its speed is left.
func BenchmarkTold(b *testing.B) {
	var alone, told time.Duration
	for b.Loop() {
		alone += manyPayments(b, false)
		told += manyPayments(b, true)
	}
	b.ReportMetric(float64(alone)/float64(told), "speed-left")
	b.ReportMetric(float64(told.Microseconds())/float64(b.N)/10_000, "µs/payment-told")
}

// manyPayments says how long ten thousand payments take.
func manyPayments(b *testing.B, told bool) time.Duration {
	b.Helper()
	s, err := mockserver.New(mockserver.Options{Integration: integration.Options{
		Name: mainIntegration, ClientID: defaultID, ClientSecret: defaultSecret, Clock: integration.Real,
	}})
	require.NoError(b, err)
	defer s.Registry().Close()
	if told {
		defer tellTraffic(b.Context(), s, &traffic.Text{W: io.Discard, Colour: true, Main: mainIntegration}, nil)()
	}
	ask := func(path, body, token string) string {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		require.Equal(b, http.StatusOK, w.Code, w.Body.String())
		return w.Body.String()
	}
	_, rest, _ := strings.Cut(ask("/Authentication/Token", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, defaultID, defaultSecret), ""), `"accessToken":"`)
	token, _, _ := strings.Cut(rest, `"`)
	company, err := os.ReadFile("../../fixtures/payloads/company-create.json")
	require.NoError(b, err)
	ask("/Company/Create", string(company), token)
	begun := time.Now()
	for range 10_000 {
		ask("/Payment/Create", `{"amount":5000,"contactNumber":"+12025550142"}`, token)
	}
	return time.Since(begun)
}
