package mockserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

// session is a sandbox in which a payment was asked for, approved and collected.
func session(tb testing.TB, clients int) (*mocktest.Sandbox, []string) {
	tb.Helper()
	box := mocktest.Start(tb, mocktest.Options{Seed: 5, WebhookURL: "http://127.0.0.1:1/hooks"})
	_, got := labelled(tb, box, "", "/Authentication/Token", "", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
	token := got["accessToken"].(string)
	company, err := fixtures.Payload("company-create")
	require.NoError(tb, err)
	labelled(tb, box, "", "/Company/Create", token, string(company))
	var ids []string
	for range clients {
		_, got := labelled(tb, box, "", "/Payment/Create", token, `{"amount":5000,"contactNumber":"+12025550142"}`)
		ids = append(ids, got["paymentRequestId"].(string))
	}
	for _, id := range ids {
		labelled(tb, box, "", "/_sandbox/integrations/default/payments/"+id+"/approve", "", "{}")
	}
	return box, ids
}

func look(tb testing.TB, box *mocktest.Sandbox, path string, into any) {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, box.URL+"/_sandbox/integrations/default"+path, http.NoBody)
	require.NoError(tb, err)
	got, err := http.DefaultClient.Do(r)
	require.NoError(tb, err)
	defer func() { _ = got.Body.Close() }()
	require.Equal(tb, http.StatusOK, got.StatusCode, path)
	require.NoError(tb, json.NewDecoder(got.Body).Decode(into))
}

// TestThePastIsWhatTheTapeSays: at each entry the status of the payment is the one to
// which the tape has brought it so far, whatever order one looks in; and looking
// changes nothing.
func TestThePastIsWhatTheTapeSays(t *testing.T) {
	t.Parallel()
	box, ids := session(t, 2)
	box.Advance(t, 96*time.Hour)
	recorded := box.Tape(t, tape.Filter{})
	last := len(recorded)
	var order []int
	for n := 0; n < last; n++ {
		order = append(order, (n*7)%last+1)
	}
	for _, at := range order {
		for _, id := range ids {
			want := stoodAt(recorded, at, id)
			var list struct{ Entities []struct{ ID, Status string } }
			look(t, box, fmt.Sprintf("/entities?kind=payment&at=%d", at), &list)
			got := ""
			for _, e := range list.Entities {
				if e.ID == id {
					got = e.Status
				}
			}
			require.Equal(t, want, got, "at entry %d (%s)", at, recorded[at-1].Kind)
		}
	}
	require.Equal(t, len(recorded), len(box.Tape(t, tape.Filter{})))
}

// TestThePresentIsGoneOnFrom: where somebody has looked at the newest entry, which is not
// played but copied, what comes later is what the tape says, too.
func TestThePresentIsGoneOnFrom(t *testing.T) {
	t.Parallel()
	box, ids := session(t, 1)
	newest := len(box.Tape(t, tape.Filter{}))
	var list struct{ Entities []struct{ ID, Status string } }
	look(t, box, fmt.Sprintf("/entities?kind=payment&at=%d", newest), &list)
	require.Equal(t, "Processing", list.Entities[0].Status)
	box.Advance(t, 96*time.Hour)
	recorded := box.Tape(t, tape.Filter{})
	for at := newest; at <= len(recorded); at++ {
		look(t, box, fmt.Sprintf("/entities?kind=payment&at=%d", at), &list)
		require.Equal(t, stoodAt(recorded, at, ids[0]), list.Entities[0].Status, "at entry %d", at)
	}
	require.Equal(t, "Paid", list.Entities[0].Status)
}

// stoodAt is the status of an entity at an entry, with what came of the same input; ""
// where it was not there yet.
func stoodAt(recorded []tape.Entry, at int, id string) (status string) {
	group := recorded[at-1].Cause
	for _, e := range recorded {
		with := e.Seq <= uint64(at) || e.Cause != 0 && e.Cause == group && e.Kind != tape.KindTimer && !e.Kind.Input()
		with = with || e.Cause == uint64(at) && !e.Kind.Input() && e.Kind != tape.KindTimer
		if e.Transition != nil && e.Transition.Entity == id && with {
			status = e.Transition.To
		}
	}
	return status
}

// TestAnEntryTellsWhatItHasChanged: of each transition the status of its entity, from
// what it was to what it became.
func TestAnEntryTellsWhatItHasChanged(t *testing.T) {
	t.Parallel()
	box, ids := session(t, 1)
	box.Advance(t, 96*time.Hour)
	seen := 0
	for _, e := range box.Tape(t, tape.Filter{Kinds: []tape.Kind{tape.KindTransition}, Entity: ids[0]}) {
		var v struct {
			Unknown string
			Changes []struct {
				Entity, Pointer string
				Old, New        *string
			}
			Causes, Effects []struct{ Seq uint64 }
		}
		look(t, box, fmt.Sprintf("/entries/%d", e.Seq), &v)
		require.Empty(t, v.Unknown)
		require.NotEmpty(t, v.Causes)
		for _, c := range v.Changes {
			require.Equal(t, ids[0], c.Entity)
			if c.Pointer == "/status" {
				seen++
				require.Equal(t, e.Transition.To, *c.New)
				require.Equal(t, e.Transition.From == "", c.Old == nil)
				require.True(t, c.Old == nil || *c.Old == e.Transition.From)
			}
		}
	}
	require.Equal(t, 3, seen, "Pending, Processing, Paid")
	var created struct{ Effects []struct{ Kind string } }
	look(t, box, "/entries/3", &created)
	require.NotEmpty(t, created.Effects)
}

// TestAPreviewIsWhatHappens: what is told before the clock moves is what then fires,
// but for what receivers answer, and telling it changes nothing.
func TestAPreviewIsWhatHappens(t *testing.T) {
	t.Parallel()
	box, _ := session(t, 3)
	var preview struct {
		Now   string
		Fired []tape.Entry
	}
	before := box.Tape(t, tape.Filter{})
	for range 2 { // the first one has spoilt nothing
		look(t, box, "/clock/preview?by=96h", &preview)
		require.Len(t, box.Tape(t, tape.Filter{}), len(before))
	}
	fired := func(list []tape.Entry) (says []string) {
		for _, e := range list {
			if e.Transition != nil {
				says = append(says, fmt.Sprint(e.At, e.Entities, e.Transition.Event, e.Transition.To))
			}
		}
		return says
	}
	want := fired(box.Advance(t, 96*time.Hour))
	require.NotEmpty(t, want)
	require.Equal(t, want, fired(preview.Fired))
}

// BenchmarkPast looks at a tape of 20,000 entries: the past that one comes to first,
// and the entries behind it.
func BenchmarkPast(b *testing.B) {
	box, _ := session(b, 500)
	box.Advance(b, 96*time.Hour)
	newest := len(box.Tape(b, tape.Filter{}))
	b.Logf("%d entries", newest)
	var v map[string]any
	begun := time.Now()
	look(b, box, fmt.Sprintf("/entries/%d", newest-20), &v)
	b.Logf("the first look took %s: %v", time.Since(begun), v["unknown"])
	for n := range b.N {
		look(b, box, fmt.Sprintf("/entries/%d", newest-15+n%15), &v)
	}
}

// TestATapeIsAsItsFileSays: who reads a tape within the process reads what its file says.
func TestATapeIsAsItsFileSays(t *testing.T) {
	t.Parallel()
	box, _ := session(t, 2)
	box.Advance(t, 96*time.Hour)
	_, file := get(t, box.URL+"/_sandbox/integrations/default/tape?since=3")
	meta, entries, err := tape.Read(strings.NewReader(file))
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	m, got, whole := box.Server.Tape("default", 3)
	require.True(t, whole)
	require.Equal(t, meta, m)
	require.Equal(t, entries, got)
	_, _, whole = box.Server.Tape("nobody", 0)
	require.False(t, whole)
}
