package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/sampling"
	"paysandbox/harness/trail"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// shop makes calls to a sandbox of its own, by a clock that stands.
type shop struct {
	tb    testing.TB
	s     *mockserver.Server
	at    *integration.Integration
	token string
}

func openShop(tb testing.TB) *shop {
	tb.Helper()
	s, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{Name: mainIntegration, Seed: 7, ClientID: defaultID, ClientSecret: defaultSecret, Clock: integration.Manual, Tape: tape.Limits{Entries: 1 << 20, Bytes: 1 << 30}},
		Carrier:     noCarrier{}, Loopback: true,
	})
	require.NoError(tb, err)
	tb.Cleanup(s.Registry().Close)
	return &shop{tb: tb, s: s, at: s.Registry().Default()}
}

// ask makes a call and gives its answer, whatever it is.
func (s *shop) ask(method, path, body string) trail.Body {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	w := httptest.NewRecorder()
	s.s.Handler().ServeHTTP(w, r)
	return trail.ReadBody(w.Body.Bytes())
}

func (s *shop) login() {
	s.token = ""
	o := s.at.Options()
	s.token = s.ask(http.MethodPost, "/Authentication/Token", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, o.ClientID, o.ClientSecret)).Text("accessToken")
}

// play is what a person or the clock does.
func (s *shop) play(path, body string) {
	s.ask(http.MethodPost, "/_sandbox/integrations/"+s.at.ID+path, body)
}

// trade makes payments of many payers, of which some are approved, refunded or looked at, until
// the tape has so many entries.
func (s *shop) trade(entries int) {
	s.login()
	company, err := fixtures.Payload("company-create")
	require.NoError(s.tb, err)
	register, err := fixtures.Payload("user-register")
	require.NoError(s.tb, err)
	made := s.ask(http.MethodPost, "/Company/Create", string(company))
	location := fmt.Sprint(made["locationIds"].([]any)[0])
	for n := 0; s.length() < entries; n++ {
		if n%20 == 0 {
			s.login()
		}
		payer := s.ask(http.MethodPost, "/User/Register", string(register)).Text("registrationId")
		require.NotEmpty(s.tb, payer)
		s.play("/registrations/"+payer+"/complete", "{}")
		for k := range 4 {
			payment := s.ask(http.MethodPost, "/Payment/Create", fmt.Sprintf(`{"amount":%d,"locationId":%q,"registrationId":%q,"reference":"order-%d-%d"}`, 1000+n, location, payer, n, k)).Text("paymentRequestId")
			require.NotEmpty(s.tb, payment)
			if k%2 == 0 {
				s.play("/payments/"+payment+"/approve", "{}")
				s.play("/clock/advance", `{"by":"7s"}`)
			}
			s.ask(http.MethodGet, "/Payment/"+payment+"/Status", "")
		}
	}
}

func (s *shop) length() int {
	_, last, _ := s.at.Newest()
	return int(last)
}

// save writes the tape into a file.
func (s *shop) save() string {
	r := s.at.Read(s.tb.Context(), tape.Filter{})
	path := filepath.Join(s.tb.TempDir(), "shop.tape")
	file, err := os.Create(path)
	require.NoError(s.tb, err)
	require.NoError(s.tb, tape.Write(file, r.Meta, slices.Values(r.Entries)))
	require.NoError(s.tb, file.Close())
	return path
}

// TestATapeComesOutAgain replays a tape as it stands: nothing differs; and one that
// somebody has changed: the first difference is told, with its entry.
func TestATapeComesOutAgain(t *testing.T) {
	sampling.NotRaced(t, "it takes most of a minute with it; TestATapeOfAnotherIntegrationComesOutAgain goes the same way")
	t.Parallel()
	s := openShop(t)
	long := 50
	if sampling.All() {
		long = 600
	}
	s.trade(long)
	path := s.save()
	code, said := replayed(t, path)
	require.Equal(t, 0, code, said)
	require.Contains(t, said, fmt.Sprintf("its %d entries came out byte for byte the same", s.length()))

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	n := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"status\":\"Pending\"`) })
	require.Positive(t, n)
	lines[n] = strings.Replace(lines[n], `"status\":\"Pending\"`, `"status\":\"Pundung\"`, 1)
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, `{"end":`) })
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	code, said = replayed(t, path)
	require.Equal(t, 1, code, said)
	require.Contains(t, strings.Join(strings.Fields(said), " "), fmt.Sprintf("The first difference: /entries/%d expected", n))
}

// TestATapeOfAnotherIntegrationComesOutAgain: what an integration draws follows from its
// id, which its tape names. A ready world was made by the default one.
func TestATapeOfAnotherIntegrationComesOutAgain(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	var err error
	s.at, err = s.s.Registry().Create(integration.Options{Name: "second", Seed: 9, Clock: integration.Manual, WebhookURL: "http://127.0.0.1:1/hooks"})
	require.NoError(t, err)
	requireExact := func() {
		t.Helper()
		code, said := replayed(t, s.save())
		require.Equal(t, 0, code, said)
		require.Contains(t, said, fmt.Sprintf("its %d entries came out byte for byte the same", s.length()))
	}
	s.trade(200)
	requireExact()
	ready := s.ask(http.MethodPost, "/_sandbox/integrations", `{"name":"third","from":"registered-payer","clock":{"mode":"manual"}}`).Text("id")
	s.at = s.s.Registry().Get(ready)
	require.NotNil(t, s.at)
	s.login()
	s.ask(http.MethodGet, "/Company/List", "")
	requireExact()
}

// replayed is what the command says of a file.
func replayed(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out, errs strings.Builder
	code := run(t.Context(), append([]string{"replay"}, args...), func(string) (string, bool) { return "", false }, &out, &errs)
	return code, out.String() + errs.String()
}

// TestReplayCostsWhatItsTapeIsLong: of twice as many calls, twice as much is made on the way to the diagnosis. It counts what is
// allocated, so nothing may run beside it.
func TestReplayCostsWhatItsTapeIsLong(t *testing.T) { //nolint:paralleltest // see above
	sampling.NotRaced(t, "it counts allocations")
	allocated := func(entries int) float64 {
		s := openShop(t)
		s.trade(entries)
		path := s.save()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, told := replayed(t, path)
		require.Zero(t, code, told)
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs)
	}
	allocated(100) // what is made once
	require.Less(t, allocated(3_000)/allocated(1_500), 2.4)
}

// BenchmarkReplayTape replays a tape of 20,000 entries, from the file to the diagnosis;
// also told is the time of the processor.
func BenchmarkReplayTape(b *testing.B) {
	s := openShop(b)
	s.trade(20_000)
	path := s.save()
	b.ResetTimer()
	var before, after syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	for b.Loop() {
		code := run(b.Context(), []string{"replay", path}, func(string) (string, bool) { return "", false }, io.Discard, os.Stderr)
		require.Zero(b, code)
	}
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	cpu := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(s.length()), "entries")
}
