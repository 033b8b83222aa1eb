package webhook_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const body = `{"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"6f1a6a52-0f0c-4b1f-9c0e-2d6a0a7f3b11",` +
	`"Amount":5000,"Currency":"USD","Status":"Paid","Timestamp":"2026-03-02T17:00:05Z","AccountNumberMasked":"*1111"}}`

// view is a first attempt at an address.
func view(url string) delivery.View {
	return delivery.View{
		ID: uuid.MustParse("0a3c2f5e-7d7b-4e47-8a53-6d1b5be0c9d2"), Endpoint: uuid.MustParse("3f1d2c4b-5a69-4788-9c0d-1e2f3a4b5c6d"),
		EventID: uuid.MustParse("c9b1f0a4-2f8e-4f6c-a7d1-3e5b7d9f1a2c"), URL: url, Secret: "whsec_ünïcode",
		Event: "PAYMENT_STATUS_CHANGED", Body: []byte(body), Attempt: 1,
	}
}

// newSender makes a sender that is closed, with nothing left, after the test.
func newSender(tb testing.TB, o webhook.Options) *webhook.Sender {
	tb.Helper()
	o.AllowLoopback = true // where the receivers of the tests are
	s := webhook.New(o)
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), time.Minute)
		defer cancel()
		require.NoError(tb, s.Close(ctx))
		require.Equal(tb, webhook.Load{}, s.Load())
	})
	return s
}

// deliver makes an attempt and waits for it.
func deliver(s *webhook.Sender, d delivery.View) (tape.Attempt, string) {
	type outcome struct {
		a     tape.Attempt
		after string
	}
	got := make(chan outcome, 2)
	s.Deliver("scope", d, func(a tape.Attempt, after string) { got <- outcome{a, after} })
	o := <-got
	return o.a, o.after
}

func fetch(s *webhook.Sender, url string) tape.Fetch {
	got := make(chan tape.Fetch, 2)
	s.Fetch(url, func(f tape.Fetch) { got <- f })
	return <-got
}

// received is a request as a receiver saw it.
type received struct {
	header http.Header
	body   []byte
	err    error
}

// receiver answers 200 and tells what it got.
func receiver(tb testing.TB) (string, <-chan received) {
	tb.Helper()
	got := make(chan received, 64)
	url := serve(tb, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		got <- received{r.Header, b, err}
		w.WriteHeader(http.StatusOK)
	})
	return url, got
}

func serve(tb testing.TB, h http.HandlerFunc) string {
	tb.Helper()
	srv := httptest.NewServer(h)
	tb.Cleanup(srv.Close)
	return srv.URL
}

// rawReceiver hands every connection to f, which speaks whatever it likes.
func rawReceiver(tb testing.TB, f func(c *net.TCPConn)) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				f(c.(*net.TCPConn))
			}()
		}
	}()
	tb.Cleanup(func() { _ = l.Close(); <-done })
	return "http://" + l.Addr().String()
}

// inMemory is a sender for a test in virtual time: its receiver is f, called for
// each connection, and no socket lies between.
func inMemory(t *testing.T, o webhook.Options, f func(c net.Conn)) *webhook.Sender {
	t.Helper()
	s := newSender(t, o)
	s.DialWith(func() net.Conn {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			f(theirs)
		}()
		return ours
	})
	return s
}

// readRequest reads to the end of the event that view sends.
func readRequest(c net.Conn) {
	var got []byte
	b := make([]byte, 4096)
	for {
		n, err := c.Read(b)
		got = append(got, b[:n]...)
		if err != nil || len(got) > 4 && string(got[len(got)-3:]) == `"}}` {
			return
		}
	}
}
