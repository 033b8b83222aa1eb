package mockserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// noted is a handler that notes what it answers.
type noted struct {
	http.Handler
	answers []string
}

func (n *noted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec := httptest.NewRecorder()
	n.Handler.ServeHTTP(rec, r)
	n.answers = append(n.answers, fmt.Sprintf("%s %s %d %v %s", r.Method, r.URL, rec.Code, rec.Header(), rec.Body))
	for name, values := range rec.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// still is a server whose wall clock stands.
func still(tb require.TestingT, o mockserver.Options) *mockserver.Server {
	if o.Wall == nil {
		o.Wall = func() time.Time { return integration.DefaultStart }
	}
	s, err := mockserver.New(o)
	require.NoError(tb, err)
	return s
}

// again is a driver that knows what another knows.
func (d *driver) again(h http.Handler) *driver {
	return &driver{h: h, token: d.token, ids: slices.Clone(d.ids)}
}

// requireSame asks two servers the same and wants the same answers, tapes and states.
func requireSame(t *rapid.T, a, b *mockserver.Server, d *driver, session []int) {
	list := moves()
	x, y := &noted{Handler: a.Handler()}, &noted{Handler: b.Handler()}
	one, other := d.again(x), d.again(y)
	for _, n := range session {
		list[n%len(list)](one, n/len(list))
		list[n%len(list)](other, n/len(list))
	}
	require.Equal(t, x.answers, y.answers)
	requireEqualState(t, a, b)
}

// requireEqualState compares two default integrations byte for byte.
func requireEqualState(t require.TestingT, a, b *mockserver.Server) {
	want, _ := tapeOf(t, a)
	got, _ := tapeOf(t, b)
	if want != got {
		require.Equal(t, "", firstDifference(want, got), "the tapes differ")
	}
	require.Equal(t, a.Registry().Default().Hash(), b.Registry().Default().Hash())
	requireEqualBytes(t, a.Registry().Default().Snapshot(), b.Registry().Default().Snapshot())
}

func requireEqualBytes(t require.TestingT, want, got *integration.Snapshot) {
	a, b := want.Bytes(), got.Bytes()
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	if at < max(len(a), len(b)) {
		require.Failf(t, "the snapshots differ", "at byte %d of %d and %d: %q and %q", at, len(a), len(b), a[max(0, at-40):min(len(a), at+40)], b[max(0, at-40):min(len(b), at+40)])
	}
}

// TestADecodedIntegrationHasTheSameFuture: at any point of any session, encode, decode
// and encode again gives the same bytes, and what was decoded answers the same.
func TestADecodedIntegrationHasTheSameFuture(t *testing.T) {
	t.Parallel()
	list := moves()
	sampling.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		a := still(t, rehearsalOptions(seed))
		defer a.Registry().Close()
		d := newDriver(a)
		list[0](d, 0)
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<20), 0, 40).Draw(t, "before") {
			list[n%len(list)](d, n/len(list))
		}
		snapshot := a.Registry().Default().Snapshot()
		read, err := integration.ReadSnapshot(slices.Clone(snapshot.Bytes()))
		require.NoError(t, err)
		require.Equal(t, snapshot.About, read.About)

		b := still(t, rehearsalOptions(seed+1))
		defer b.Registry().Close()
		_, err = b.Registry().Revive(read)
		require.NoError(t, err)
		requireEqualState(t, a, b)
		requireSame(t, a, b, d, rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 40).Draw(t, "after"))
	})
}

// holding is a carrier that answers when it is told to, in the order of departure.
type holding struct{ held []func() }

func (h *holding) Deliver(scope string, d delivery.View, done func(tape.Attempt, string)) {
	h.held = append(h.held, func() { refusing{}.Deliver(scope, d, done) })
}

func (h *holding) Fetch(url string, done func(tape.Fetch)) {
	h.held = append(h.held, func() { refusing{}.Fetch(url, done) })
}

func (h *holding) Forget(string) { h.held = nil }

// answer lets all answer that are under way now.
func (h *holding) answer() {
	held := h.held
	h.held = nil
	for _, done := range held {
		done()
	}
}

// TestWhatIsUnderWayIsKept: deliveries in flight leave again from what was decoded, and
// what comes of them is the same.
func TestWhatIsUnderWayIsKept(t *testing.T) {
	t.Parallel()
	calls := slices.DeleteFunc([]int{2, 6, 8, 9, 10, 11, 12, 13, 35, 36, 37, 38, 40, 41}, func(n int) bool { return n >= len(moves()) })
	sampling.Check(t, func(t *rapid.T) {
		now := integration.DefaultStart
		var out [2]*holding
		var servers [2]*mockserver.Server
		for n := range servers {
			o := rehearsalOptions(rapid.Uint64().Draw(t, "seed"))
			out[n] = &holding{}
			o.Carrier, o.Integration.Clock, o.Wall = out[n], integration.Real, func() time.Time { return now }
			servers[n] = still(t, o)
			defer servers[n].Registry().Close()
		}
		d := newDriver(servers[0])
		moves()[0](d, 0)
		act := func(d *driver, name string) {
			for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 40).Draw(t, name) {
				moves()[calls[n%len(calls)]](d, n/len(calls))
			}
		}
		act(d, "before")
		out[0].answer()
		now = now.Add(6 * time.Second)
		act(d, "under way")
		snapshot := servers[0].Registry().Default().Snapshot()
		require.NoError(t, servers[1].Registry().Default().Restore(snapshot))
		requireEqualBytes(t, snapshot, servers[1].Registry().Default().Snapshot())
		require.Len(t, out[1].held, len(out[0].held), "what was under way leaves again")
		for range 3 {
			out[0].answer()
			out[1].answer()
			now = now.Add(10 * time.Minute)
			for _, s := range servers { // what is due leaves now, and not while somebody reads
				i := s.Registry().Default()
				i.Send(i.Do(&integration.Call{Silent: true}, func(*world.World, *integration.Call) {}))
			}
			requireEqualState(t, servers[0], servers[1])
		}
	})
}

// TestAForkHasItsParentsFuture: but for its id and what follows from its credentials.
func TestAForkHasItsParentsFuture(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		s := still(t, rehearsalOptions(7))
		defer s.Registry().Close()
		d := newDriver(s)
		list := moves()
		for n := range 3 {
			list[n*2](d, n)
		}
		fork, err := s.Registry().Fork(s.Registry().Default().Snapshot(), integration.Options{Name: "fork"})
		require.NoError(t, err)
		require.NotEqual(t, integration.DefaultID, fork.ID)
		require.NotEqual(t, "c", fork.Options().ClientID)
		session := slices.DeleteFunc(rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 30).Draw(t, "session"), func(n int) bool {
			return n%len(list) < 2 || n%len(list) == 27 // they send credentials, or a token
		})
		x := &noted{Handler: s.Handler()}
		y := &noted{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path = strings.Replace(r.URL.Path, "/integrations/default", "/integrations/"+fork.ID, 1)
			s.Handler().ServeHTTP(w, r)
		})}
		one, other := d.again(x), d.again(y)
		other.token = strings.TrimPrefix(newCaller(s, fork).token, "Bearer ")
		for _, n := range session {
			list[n%len(list)](one, n/len(list))
			list[n%len(list)](other, n/len(list))
		}
		want, got := strings.Join(x.answers, "\n"), strings.Join(y.answers, "\n")
		length := regexp.MustCompile(`Content-Length:\[\d+\] `) // of answers with the address of a page
		require.Equal(t, length.ReplaceAllString(want, ""), length.ReplaceAllString(strings.ReplaceAll(got, fork.ID, integration.DefaultID), ""))
	})
}
