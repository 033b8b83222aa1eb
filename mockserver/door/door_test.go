package door_test

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// visit notes the order of what happens to it.
type visit struct {
	door.Exchange
	on      *integration.Integration
	limit   int64
	happens *[]string
	act     func(w *world.World)
	during  func()
	answer  string
}

func (v *visit) note(what string) { *v.happens = append(*v.happens, what) }

func (v *visit) Identify() {
	v.note("identify")
	v.On = v.on
}

func (v *visit) Limit() int64 {
	v.note("limit")
	return v.limit
}

func (v *visit) Decode() { v.note("decode " + v.Body.String() + string(v.Unread.Why)) }

func (v *visit) Act(w *world.World, _ *integration.Call) {
	v.note("act")
	if v.during != nil {
		v.during()
	}
	v.Number()
	v.Status = http.StatusOK
	v.Say("text/plain", []byte(cmp.Or(v.answer, "done")))
	v.Call.Exchange.Response = tape.Response{Status: v.Status, Header: v.Header, Body: v.Out}
	if v.act != nil {
		v.act(w)
	}
}

func (v *visit) Send(flush bool) { v.Write(v.Writer, flush) }

// writer notes what is written and flushed; broken loses the body.
type writer struct {
	*httptest.ResponseRecorder
	happens *[]string
	broken  bool
}

func (w writer) Write(b []byte) (int, error) {
	*w.happens = append(*w.happens, "write")
	if w.broken {
		return 0, errors.New("the caller is gone")
	}
	return w.ResponseRecorder.Write(b)
}

func (w writer) Flush() { *w.happens = append(*w.happens, "flush") }

// carrier notes what leaves the house.
type carrier struct{ happens *[]string }

func (c carrier) Deliver(_ string, _ delivery.View, done func(tape.Attempt, string)) {
	*c.happens = append(*c.happens, "send")
	done(tape.Attempt{Status: http.StatusOK}, "")
}

func (carrier) Forget(string) {}

func (c carrier) Fetch(string, func(tape.Fetch)) {}

// house is an integration whose next event has somewhere to go.
func house(t *testing.T, happens *[]string) (*integration.Integration, func(w *world.World)) {
	t.Helper()
	o := integration.Options{Seed: 7, Clock: integration.Manual, WebhookURL: "http://localhost:1/hooks"}
	reg, err := integration.NewRegistry(o, func() time.Time { return time.Unix(0, 0) }, carrier{happens})
	require.NoError(t, err)
	t.Cleanup(reg.Close)
	return reg.Default(), func(w *world.World) {
		id := uuid.UUID{1}
		_, err := w.Webhooks().Resend(w.Webhooks().List()[0].ID, delivery.Event{ID: id, Name: "EVENT", Entity: id, Body: []byte("{}")})
		require.NoError(t, err)
	}
}

// TestOrder: nothing is read before the surface has said who calls, and what a
// call causes leaves after its answer has, whether or not that could be written.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, broken := range []bool{false, true} {
		var happens []string
		on, act := house(t, &happens)
		d := door.Door{Kind: tape.KindExchange, Log: slog.New(slog.DiscardHandler)}
		v := &visit{on: on, limit: 5, happens: &happens, act: act}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", strings.NewReader("hello"))
		d.Serve(writer{httptest.NewRecorder(), &happens, broken}, r, &v.Exchange, v)
		want := []string{"identify", "limit", "decode hello", "act", "write", "flush", "send"}
		if broken {
			want = []string{"identify", "limit", "decode hello", "act", "write", "send"}
		}
		require.Equal(t, want, happens)
	}
}

// TestAPanicKeepsNothingBack: a surface that fails while it answers does not hold
// up the events either.
func TestAPanicKeepsNothingBack(t *testing.T) {
	t.Parallel()
	var happens []string
	on, act := house(t, &happens)
	d := door.Door{Kind: tape.KindExchange, Log: slog.New(slog.DiscardHandler)}
	v := &visit{on: on, happens: &happens, act: act}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", http.NoBody)
	require.Panics(t, func() { d.Serve(nil, r, &v.Exchange, v) })
	require.Equal(t, "send", happens[len(happens)-1])
}

func TestBodies(t *testing.T) {
	t.Parallel()
	b := door.Bodies{Limit: 1 << 20, Rule: "request", Media: "JSON", Source: kernel.Spec, Smaller: "send less"}
	for name, tc := range map[string]struct {
		limit int64
		body  io.Reader
		want  string
		code  kernel.Code
	}{
		"whole":         {5, strings.NewReader("hello"), "decode hello", ""},
		"not looked at": {0, strings.NewReader("hello"), "decode ", ""},
		"too large":     {4, strings.NewReader("hello"), "decode too-large", kernel.TooLarge},
		"grows":         {4, io.MultiReader(strings.NewReader("hello")), "decode helltoo-large", kernel.TooLarge},
		"broken off":    {5, io.MultiReader(strings.NewReader("he"), broken{}), "decode hebroken-off", kernel.Malformed},
	} {
		var happens []string
		v := &visit{limit: tc.limit, happens: &happens}
		d := door.Door{Log: slog.New(slog.DiscardHandler)}
		d.Serve(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", tc.body), &v.Exchange, v)
		require.Equal(t, tc.want, happens[2], name)
		if e := b.Refuse(v.Unread, ""); tc.code == "" {
			require.Nil(t, e, name)
		} else {
			require.Equal(t, tc.code, e.Code, name)
		}
	}
	e := b.Refuse(door.Unread{Why: door.TooLarge, Bytes: -1}, "")
	require.Equal(t, "more than 1 MiB", e.Findings[0].Received)
	require.Equal(t, "at most 1048576 bytes", e.Findings[0].Expected)
	require.Equal(t, kernel.Spec, b.Refuse(door.Unread{Why: door.WrongMedia}, "text/html").Findings[0].Source)
}

// TestBodiesDrawFromTheBudget while their call is under way: what finds no room is
// told to come again, and everything is given back.
func TestBodiesDrawFromTheBudget(t *testing.T) {
	t.Parallel()
	b := door.Bodies{Limit: 1 << 20}
	for _, chunked := range []bool{false, true} {
		for size, want := range map[int]door.Why{5: "", 100 << 10: "", 400 << 10: door.NoRoom} {
			d := door.Door{Budget: budget.New(256 << 10), Log: slog.New(slog.DiscardHandler)}
			var happens []string
			v := &visit{limit: 1 << 20, happens: &happens}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", strings.NewReader(strings.Repeat("a", size)))
			if chunked {
				r.ContentLength = -1
			}
			during := int64(0)
			v.during = func() { during = d.Budget.Used() }
			d.Serve(httptest.NewRecorder(), r, &v.Exchange, v)
			require.Equal(t, want, v.Unread.Why, "%d bytes, chunked %t", size, chunked)
			if want == "" {
				require.Equal(t, size, v.Body.Len())
				require.GreaterOrEqual(t, during, int64(size))
				if size > 64<<10 {
					require.GreaterOrEqual(t, during, int64(v.Body.Cap()), "the room that is held, filled or not")
				}
			} else {
				require.Equal(t, kernel.Unavailable, b.Refuse(v.Unread, "").Code)
			}
			require.Zero(t, d.Budget.Used())
		}
	}
}

// TestLongAnswers: what nobody has read yet is counted, and who asks for more meanwhile
// is told to come again, as the tape says too.
func TestLongAnswers(t *testing.T) {
	t.Parallel()
	var happens []string
	on, _ := house(t, &happens)
	d := door.Door{Kind: tape.KindExchange, Budget: budget.New(100 << 10), Log: slog.New(slog.DiscardHandler)}
	ask := func(method string, during func()) *visit {
		v := &visit{on: on, happens: &happens, answer: strings.Repeat("a", 30<<10)}
		r := httptest.NewRequestWithContext(t.Context(), method, "/x", http.NoBody)
		d.Serve(reading{httptest.NewRecorder(), during}, r, &v.Exchange, v)
		return v
	}
	var second, third *visit
	first := ask(http.MethodGet, func() {
		second = ask(http.MethodGet, func() {})
		third = ask(http.MethodPost, func() {})
	})
	require.Equal(t, http.StatusOK, first.Status)
	require.Equal(t, http.StatusServiceUnavailable, second.Status)
	require.Equal(t, http.StatusServiceUnavailable, second.Call.Exchange.Response.Status)
	require.Contains(t, string(second.Out), "nobody reads")
	require.Equal(t, http.StatusOK, third.Status, "what has changed something is told")
	require.Equal(t, http.StatusOK, ask(http.MethodGet, func() {}).Status, "they have been read")
}

// reading is somebody who reads an answer slowly.
type reading struct {
	*httptest.ResponseRecorder
	during func()
}

func (r reading) Write(b []byte) (int, error) {
	r.during()
	return r.ResponseRecorder.Write(b)
}

// TestAnnouncedBeyondMeasure: what a body announces is not believed until it has come.
func TestAnnouncedBeyondMeasure(t *testing.T) {
	t.Parallel()
	var happens []string
	v := &visit{limit: math.MaxInt64, happens: &happens}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/x", io.MultiReader(strings.NewReader("he"), broken{}))
	r.ContentLength = math.MaxInt64
	d := door.Door{Budget: budget.New(256 << 10), Log: slog.New(slog.DiscardHandler)}
	d.Serve(httptest.NewRecorder(), r, &v.Exchange, v)
	require.Equal(t, door.Unread{Why: door.BrokenOff, Bytes: 2}, v.Unread)
	require.Zero(t, d.Budget.Used())
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestCapture: the headers of the list in its order, no values of a Referer's query.
func TestCapture(t *testing.T) {
	t.Parallel()
	var happens []string
	d := door.Door{Headers: []string{"Referer", "Accept"}, Log: slog.New(slog.DiscardHandler)}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://a.co/x%2Fy?q=1", http.NoBody)
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Authorization", "Bearer secret")
	r.Header.Set("Referer", "https://b.co/p?code=1&x&%zz=3#part")
	v := &visit{happens: &happens}
	d.Serve(httptest.NewRecorder(), r, &v.Exchange, v)
	e := &v.Call.Exchange
	require.Equal(t, []tape.Header{{Name: "Host", Value: "a.co"}, {Name: "Referer", Value: "https://b.co/p?code=xxx&xxx&xxx"}, {Name: "Accept", Value: "*/*"}}, e.Request.Header)
	require.Equal(t, "GET /x%2Fy q=1", e.Method+" "+e.Path+" "+e.Query)
}
