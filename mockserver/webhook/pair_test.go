package webhook_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

func TestStaleSignature(t *testing.T) {
	t.Parallel()
	secret := view("").Secret
	earlier := strings.Replace(body, "T17:00:05Z", "T16:00:05Z", 1)
	sent, applied, sig := composed("stale-signature")
	require.Equal(t, body, string(sent))
	require.Equal(t, "stale-signature", applied)
	require.Equal(t, webhook.Signature(secret, []byte(earlier), false), sig)

	_, applied, sig = composed("stale-signature,wrong-secret")
	require.Equal(t, "wrong-secret,stale-signature", applied)
	require.NotEqual(t, webhook.Signature(secret, []byte(earlier), false), sig)
	_, applied, sig = composed("stale-signature,missing-signature")
	require.Equal(t, []string{"missing-signature", ""}, []string{applied, sig})

	timeless := func(d *delivery.View) { d.Body = []byte(`{"Data":{}}`) }
	sent, applied, sig = composed("stale-signature", timeless)
	require.Equal(t, []string{"", webhook.Signature(secret, sent, false)}, []string{applied, sig}, "there is no time to set back")
}

// pair are the two attempts of a delivery at the same moment.
func pair(url string) (first, second delivery.View) {
	first = view(url)
	first.Applied = delivery.ParallelDuplicate
	second = first
	second.Second, second.Attempt = true, 2
	return first, second
}

func TestPairsAreAlike(t *testing.T) {
	t.Parallel()
	all := func(d *delivery.View) { d.Applied = delivery.ParallelDuplicate }
	profile := strings.Join(delivery.ProfileNames(), ",")
	first, applied, _ := composed(profile, all)
	second, _, _ := composed(profile, all, func(d *delivery.View) { d.Second, d.Attempt = true, 2 })
	require.Equal(t, string(first), string(second))
	require.Contains(t, applied, "parallel-duplicate")
}

// TestPairsOverlap keeps an endpoint's lane busy: of two attempts neither leaves
// before the other one can. The receiver answers neither before both are there.
func TestPairsOverlap(t *testing.T) {
	t.Parallel()
	var both sync.WaitGroup
	both.Add(2)
	hang := make(chan struct{})
	arrived := make(chan string, 64)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- r.URL.Path
		switch r.URL.Path {
		case "/busy":
			<-hang
		case "/pair":
			both.Done()
			both.Wait()
			w.WriteHeader(http.StatusAccepted)
		}
	})
	s := newSender(t, webhook.Options{Timeout: time.Minute})
	ended := make(chan tape.Attempt, 64)
	done := func(a tape.Attempt, _ string) { ended <- a }
	for range webhook.LaneWidth {
		d := view(url + "/busy")
		d.ID = uuid.New()
		s.Deliver("scope", d, done)
		<-arrived
	}
	other := view(url + "/other")
	other.Endpoint = uuid.New()
	first, second := pair(url + "/pair")
	s.Deliver("scope", first, done)
	s.Deliver("scope", second, done)
	for range 20 { // time enough for one of the two to leave
		deliver(s, other)
		require.Equal(t, "/other", <-arrived)
	}
	close(hang)
	numbers := map[int]int{}
	for len(numbers) < 2 {
		a := <-ended
		if a.URL != first.URL {
			continue
		}
		require.Equal(t, http.StatusAccepted, a.Status, a.Error)
		require.EqualValues(t, "parallel-duplicate", a.Profile)
		numbers[a.Number]++
	}
	require.Equal(t, map[int]int{1: 1, 2: 1}, numbers)
}

// TestASecondAttemptDoesNotOutwaitTheSender closes a sender that has been given one of
// two attempts only.
func TestASecondAttemptDoesNotOutwaitTheSender(t *testing.T) {
	t.Parallel()
	s := webhook.New(webhook.Options{AllowLoopback: true})
	first, second := pair("http://127.0.0.1:1")
	ended := make(chan tape.Attempt, 2)
	s.Deliver("scope", second, func(a tape.Attempt, _ string) { ended <- a })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, s.Close(ctx))
	require.NotEmpty(t, (<-ended).Error)
	s.Deliver("scope", first, func(a tape.Attempt, _ string) { ended <- a })
	require.NotEmpty(t, (<-ended).Error)
}
