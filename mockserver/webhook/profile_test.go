package webhook_test

import (
	"encoding/json"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/webhook"
	"paysandbox/mockserver/world"
)

// event is a delivered body, for comparison.
func event(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal(b, &m), string(b))
	return m
}

func composed(profile string, change ...func(*delivery.View)) (sent []byte, applied, signature string) {
	d := view("http://localhost")
	d.Profile, _ = delivery.ParseProfile(profile)
	for _, f := range change {
		f(&d)
	}
	return webhook.ComposedBody(d)
}

// processing lets the event tell Processing.
func processing(d *delivery.View) {
	d.Body = []byte(strings.Replace(body, `"Status":"Paid"`, `"Status":"Processing"`, 1))
}

// TestAClaim: a status that was altered after signing, and nothing else.
func TestAClaim(t *testing.T) {
	t.Parallel()
	told := func(d *delivery.View) { processing(d); require.NotEqual(t, body, string(d.Body)) }
	sent, applied, sig := composed("altered-status", told)
	require.Equal(t, body, string(sent))
	require.Equal(t, "altered-status", applied)
	require.NotEqual(t, webhook.Signature(view("").Secret, sent, false), sig)
	sent, applied, sig = composed("altered-status")
	require.Equal(t, []string{body, "", webhook.Signature(view("").Secret, sent, false)}, []string{string(sent), applied, sig}, "that is what it tells")
	sent, _, _ = composed("altered-status", func(d *delivery.View) { d.Body = []byte(`{"Data":{"CompanyId":"c","Status":"Rejected"}}`) })
	require.JSONEq(t, `{"Data":{"CompanyId":"c","Status":"Verified"}}`, string(sent))
	for _, odd := range []string{"", "[]", `{"Data":3}`, `{"Data":{}}`} {
		sent, applied, _ = composed("altered-status", func(d *delivery.View) { d.Body = []byte(odd) })
		require.Equal(t, []string{odd, ""}, []string{string(sent), applied})
	}
}

// TestEveryProfileIsSomebodys holds the world's names and ours together.
func TestEveryProfileIsSomebodys(t *testing.T) {
	t.Parallel()
	elsewhere := []string{"duplicate", "reorder", "delay", "burst", "before-response", "parallel-duplicate"}
	for _, name := range delivery.ProfileNames() {
		_, applied, _ := composed(name, processing)
		if slices.Contains(elsewhere, name) {
			require.Empty(t, applied, name)
		} else {
			require.Equal(t, name, applied)
		}
	}
	_, applied, _ := composed("nonsense")
	require.Empty(t, applied)
}

func TestContentProfiles(t *testing.T) {
	t.Parallel()
	right := func(sent []byte) string { return webhook.Signature(view("").Secret, sent, false) }

	sent, _, sig := composed("stale-timestamp")
	require.Equal(t, strings.Replace(body, "T17:00:05Z", "T16:00:05Z", 1), string(sent))
	require.Equal(t, right(sent), sig)

	millis := func(d *delivery.View) { d.Body = []byte(strings.Replace(body, "05Z", "05.120Z", 1)) }
	sent, _, _ = composed("stale-timestamp", millis)
	require.Contains(t, string(sent), `"2026-03-02T16:00:05.120Z"`)

	sent, _, sig = composed("unknown-event")
	require.NotContains(t, world.EventNames(), event(t, sent)["Event"])
	require.Equal(t, event(t, []byte(body))["Data"], event(t, sent)["Data"])
	require.Equal(t, right(sent), sig)

	sent, _, sig = composed("extra-member")
	require.Contains(t, event(t, sent), "Origin")
	require.NotEqual(t, len(sent), utf8.RuneCount(sent), "a letter of more than one byte")
	require.Contains(t, event(t, sent)["Data"], "Revision")
	require.True(t, strings.HasPrefix(string(sent), strings.TrimSuffix(body, "}}")), "the rest is untouched")
	require.Equal(t, right(sent), sig)

	sent, _, sig = composed("odd-json")
	require.Equal(t, event(t, []byte(body)), event(t, sent), "the same event")
	require.Contains(t, string(sent), `\u00`)
	require.Regexp(t, `(?s)^\s+\{.*\}\s+$`, string(sent))
	require.NotEqual(t, "Live", firstMember(t, sent))
	require.Equal(t, right(sent), sig)
}

func firstMember(t *testing.T, b []byte) string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(b)))
	_, err := dec.Token()
	require.NoError(t, err)
	name, err := dec.Token()
	require.NoError(t, err)
	return name.(string)
}

func TestSignatureProfiles(t *testing.T) {
	t.Parallel()
	right := webhook.Signature(view("").Secret, []byte(body), false)

	sent, _, sig := composed("missing-signature")
	require.Equal(t, body, string(sent))
	require.Empty(t, sig)

	sent, _, sig = composed("wrong-secret")
	require.Equal(t, body, string(sent))
	require.Regexp(t, "^sha256=[0-9a-f]{64}$", sig)
	require.NotEqual(t, right, sig)

	sent, _, sig = composed("empty-secret")
	require.Equal(t, body, string(sent))
	require.Equal(t, webhook.Signature("", sent, false), sig)

	sent, _, sig = composed("altered-signature")
	require.Equal(t, body, string(sent))
	require.Equal(t, right[:len(right)-1], sig[:len(sig)-1], "it begins like the right one")
	require.NotEqual(t, right, sig)

	seen := map[string]bool{}
	for n := range 100 {
		sent, _, sig = composed("altered-byte", func(d *delivery.View) { d.Attempt = n })
		require.Equal(t, right, sig, "signed before it was altered")
		require.Len(t, sent, len(body))
		differ := 0
		for i := range sent {
			if sent[i] != body[i] {
				differ++
			}
		}
		require.Equal(t, 1, differ)
		event(t, sent) // is still legal
		seen[string(sent)] = true
	}
	require.Greater(t, len(seen), 20, "another byte in each attempt")
	sent, _, _ = composed("altered-byte", func(d *delivery.View) { d.Body = []byte(`{}`) })
	require.NotEqual(t, `{}`, string(sent))

	unsigned := func(d *delivery.View) { d.Secret = "" }
	for _, profile := range []string{"missing-signature", "wrong-secret", "stale-signature", "altered-signature", "empty-secret"} {
		_, applied, _ := composed(profile, unsigned)
		require.Empty(t, applied, "there is no signature to spoil")
	}
}

func TestCombinedProfiles(t *testing.T) {
	t.Parallel()
	all := strings.Join(delivery.ProfileNames(), ",")
	sent, applied, sig := composed(all, func(d *delivery.View) { d.Applied = delivery.Duplicate | delivery.Delay })
	require.Equal(t, "duplicate,delay,stale-timestamp,missing-signature,altered-byte,odd-json,unknown-event,extra-member,cut-connection", applied)
	require.Empty(t, sig)
	again, _, _ := composed(all)
	require.Equal(t, string(again), string(sent), "the same delivery, the same bytes")
	other, _, _ := composed(all, func(d *delivery.View) { d.Attempt = 2 })
	require.NotEqual(t, string(other), string(sent), "another attempt, other bytes")
	other, _, _ = composed(all, func(d *delivery.View) { d.ID = uuid.Nil })
	require.NotEqual(t, string(other), string(sent), "another delivery, other bytes")
}

// TestForeignBodies: what is not an event is delivered as it is.
func TestForeignBodies(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[1]", "nonsense", `{"Data":3}`, `{"Data":{"Timestamp":"soon"}}`, `{"Data":{"Timestamp":5}}`} {
		sent, applied, _ := composed("stale-timestamp", func(d *delivery.View) { d.Body = []byte(text) })
		require.Equal(t, text, string(sent))
		require.Empty(t, applied)
	}
	sent, applied, _ := composed("odd-json", func(d *delivery.View) { d.Body = []byte(`{"a":1,"b":{"c":2,"c":3}}`) })
	require.Equal(t, "odd-json", applied)
	require.Less(t, strings.IndexByte(string(sent), '2'), strings.IndexByte(string(sent), '3'), "a name that stands twice keeps its order")
}

// TestSlowRead: the head and a first part at once, the others one after the other.
func TestSlowRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var parts []time.Duration
		reader := func(c net.Conn) {
			for b := make([]byte, 4096); ; {
				n, err := c.Read(b)
				if err != nil {
					return
				}
				parts = append(parts, time.Since(began))
				if strings.HasSuffix(string(b[:n]), `"}}`) {
					_, _ = c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
				}
			}
		}
		d := view("http://receiver.test")
		d.Profile = delivery.SlowRead
		a, _ := deliver(inMemory(t, webhook.Options{SlowFor: 60 * time.Millisecond}, reader), d)
		require.Equal(t, 200, a.Status)
		require.EqualValues(t, "slow-read", a.Profile)
		require.Equal(t, body, string(a.Body))
		const step = 20 * time.Millisecond
		require.Equal(t, []time.Duration{0, 0, step, 2 * step, 3 * step}, parts)

		a, _ = deliver(inMemory(t, webhook.Options{SlowFor: time.Hour, Timeout: 50 * time.Millisecond}, reader), d)
		require.Equal(t, "timeout after 50ms", a.Error, "a slow body is no excuse")
		require.Equal(t, 110*time.Millisecond, time.Since(began))
	})
}

func TestCutConnection(t *testing.T) {
	t.Parallel()
	url, got := receiver(t)
	s := newSender(t, webhook.Options{})
	d := view(url)
	d.Profile = delivery.CutConnection | delivery.SlowRead
	a, _ := deliver(s, d)
	r := <-got
	require.Error(t, r.err)
	require.Equal(t, body[:len(body)/2], string(r.body))
	require.Equal(t, string(r.body), string(a.Body))
	require.Equal(t, a.Header[3].Value, r.header.Get("X-HMAC-Signature"))
	require.Zero(t, a.Status)
	require.Equal(t, "connection cut on purpose after 109 of 219 bytes", a.Error)
	require.EqualValues(t, "cut-connection", a.Profile)

	d.URL = "http://127.0.0.1:1"
	a, _ = deliver(s, d)
	require.Equal(t, "connection refused", a.Error, "what was not there cannot be cut")
}

func FuzzCompose(f *testing.F) {
	all := strings.Join(delivery.ProfileNames(), ",")
	for _, text := range []string{body, `{"Event":"\ud800","a":[1,{"":null}],"a":"é\u0000<😀"}`, `{"Data":{"Timestamp":"0000-01-01T00:00:00Z"}}`, "[]", " 5", ""} {
		f.Add([]byte(text), all, uint16(1))
		f.Add([]byte(text), "odd-json", uint16(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, profile string, attempt uint16) {
		d := view("http://localhost")
		d.Body, d.Attempt = text, int(attempt)
		d.Profile, _ = delivery.ParseProfile(profile)
		before := string(text)
		sent, applied, _ := webhook.ComposedBody(d)
		require.Equal(t, before, string(text), "the world's bytes stay as they are")
		again, _, _ := webhook.ComposedBody(d)
		require.Equal(t, string(again), string(sent))
		if applied == "odd-json" {
			require.Equal(t, event(t, text), event(t, sent))
		}
		if !strings.Contains(applied, "altered-byte") {
			require.Equal(t, json.Valid(text), json.Valid(sent))
		}
	})
}
