package webhook_test

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/webhook"
)

// names is a name server of our own: to the n-th question for a name, counted from 0 and
// by kind (A, AAAA), it answers what says gives.
type names struct {
	mu    sync.Mutex
	asked map[string]int
	says  func(name string, n int) []string
}

// nameServer starts one and gives a resolver that asks nobody else.
func nameServer(t *testing.T, says func(name string, n int) []string) *net.Resolver {
	t.Helper()
	s := &names{asked: map[string]int{}, says: says}
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for b := make([]byte, 1500); ; {
			n, from, err := conn.ReadFromUDP(b)
			if err != nil {
				return
			}
			_, _ = conn.WriteToUDP(s.answer(b[:n]), from)
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

// answer makes the answer to a question, whose records are not to be kept for a second.
func (s *names) answer(question []byte) []byte {
	const header, a, aaaa = 12, 1, 28
	var labels []string
	end := header
	for question[end] != 0 {
		size := int(question[end])
		labels = append(labels, string(question[end+1:end+1+size]))
		end += 1 + size
	}
	kind := binary.BigEndian.Uint16(question[end+1:])
	out := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[header:end+5]...)
	name := strings.Join(labels, ".")
	s.mu.Lock()
	key := name + " " + map[uint16]string{a: "A", aaaa: "AAAA"}[kind]
	said := s.says(name, s.asked[key])
	s.asked[key]++
	s.mu.Unlock()
	for _, text := range said {
		addr := netip.MustParseAddr(text)
		if addr.Is4() != (kind == a) {
			continue
		}
		out[7]++ // one answer more: a pointer to the name, the kind, IN, no seconds
		out = append(out, 0xc0, header, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(addr.AsSlice())))
		out = append(out, addr.AsSlice()...)
	}
	return out
}

// TestAttackNamesThatChange: a name that led to an address that may be called leads to
// another one at the next question, in the same answer, or behind a redirect. What is
// dialled is judged, not what was asked before.
func TestAttackNamesThatChange(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	inside := func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
		}
	}
	u, err := url.Parse(serve(t, inside))
	require.NoError(t, err)
	at := func(name string) string { return "http://" + name + ":" + u.Port() + "/" }

	// Where this machine may be called: a name turns from it to what may not be.
	second := map[string][]string{
		"metadata.test": {"169.254.169.254"}, "private.test": {"10.1.2.3"}, "mapped.test": {"::ffff:169.254.169.254"}, "six.test": {"fd00:ec2::254"},
		"both.test": {"169.254.169.254", "fe80::1"}, "nat.test": {"64:ff9b::a9fe:a9fe"},
	}
	open := newSender(t, webhook.Options{})
	open.AskNames(nameServer(t, func(name string, n int) []string {
		if n == 0 && !strings.HasPrefix(name, "never.") {
			return []string{"127.0.0.1"}
		}
		return second[strings.TrimPrefix(name, "never.")]
	}))
	for name := range second {
		require.True(t, open.Probe(t.Context(), at(name)).Reachable, "the first answer is one that may be called: %s", name)
		before := hits.Load()
		a, _ := deliver(open, view(at(name)))
		require.Contains(t, a.Error, "is refused, it is ", name)
		require.Contains(t, fetch(open, at(name)).Error, "is refused, it is ", name)
		require.True(t, open.Probe(t.Context(), at(name)).Refused, name)
		require.Contains(t, fetch(open, u.String()+"/?to="+url.QueryEscape(at("never."+name))).Error, "is refused, it is ", "behind a redirect: %s", name)
		require.Equal(t, before+1, hits.Load(), "the redirect alone was asked for: %s", name)
	}

	// Where it may not be: neither the first answer nor a later one leads to it.
	closed := webhook.New(webhook.Options{})
	t.Cleanup(func() { require.NoError(t, closed.Close(context.WithoutCancel(t.Context()))) })
	own := [][]string{{"127.0.0.1"}, {"127.9.9.9", "0.0.0.0"}, {"::1"}, {"::ffff:127.0.0.1"}, {"10.0.0.1", "127.0.0.1", "::1"}, {"::"}}
	closed.AskNames(nameServer(t, func(_ string, n int) []string { return own[n%len(own)] }))
	before := hits.Load()
	for range own {
		a, _ := deliver(closed, view(at("rebind.test")))
		require.Contains(t, a.Error, "is refused, it is ")
		require.Contains(t, fetch(closed, at("rebind.test")).Error, "is refused, it is ")
		require.True(t, closed.Probe(t.Context(), at("rebind.test")).Refused)
	}
	require.Equal(t, before, hits.Load(), "nothing was asked")
}
