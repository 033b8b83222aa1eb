package fault_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
)

var down = fault.Effect{Status: 503}

// call is a call to createPayment about an entity.
func call(seq uint64) *fault.Call {
	return &fault.Call{
		Operation: "createPayment", Method: "POST", Token: "jti", Exchange: seq, At: int64(seq) * 10,
		Names: func(id string) bool { return strings.EqualFold(id, "abc") },
	}
}

func arm(t *testing.T, s *fault.Set, f fault.Fault) string {
	t.Helper()
	a, err := s.Arm(f, 0)
	require.NoError(t, err)
	return a.ID
}

// hits tells which of n calls meet a fault.
func hits(s *fault.Set, n int) []uint64 {
	var list []uint64
	for seq := uint64(1); seq <= uint64(n); seq++ {
		if _, ok := s.Next(call(seq)); ok {
			list = append(list, seq)
		}
	}
	return list
}

func TestMatch(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		match fault.Match
		want  bool
	}{
		"every call":       {fault.Match{}, true},
		"operation":        {fault.Match{Operation: "createPayment"}, true},
		"other operation":  {fault.Match{Operation: "createCompany"}, false},
		"method":           {fault.Match{Method: "POST"}, true},
		"other method":     {fault.Match{Method: "GET"}, false},
		"entity":           {fault.Match{Entity: "ABC"}, true},
		"other entity":     {fault.Match{Entity: "x"}, false},
		"all of them":      {fault.Match{Operation: "createPayment", Method: "POST", Entity: "abc"}, true},
		"all of them, not": {fault.Match{Operation: "createPayment", Method: "POST", Entity: "x"}, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s fault.Set
			arm(t, &s, fault.Fault{Match: tc.match, Effect: down, Count: 1})
			met, ok := s.Next(call(1))
			require.Equal(t, tc.want, ok)
			if ok {
				require.Equal(t, down, met.Effect)
			}
		})
	}
}

func TestAliasesMatch(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{Match: fault.Match{Operation: "cancelPayment"}, Effect: down})
	c := call(1)
	c.Operation, c.AliasOf = "cancelPaymentByPost", "cancelPayment"
	_, ok := s.Next(c)
	require.True(t, ok)
}

func TestNthAndCount(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		nth, count int
		want       []uint64
	}{
		{0, 1, []uint64{1}},
		{1, 1, []uint64{1}},
		{3, 1, []uint64{3}},
		{3, 2, []uint64{3, 4}},
		{5, 0, []uint64{5, 6}},
		{0, 0, []uint64{1, 2, 3, 4, 5, 6}},
		{7, 1, nil},
	} {
		t.Run(fmt.Sprint(tc.nth, tc.count), func(t *testing.T) {
			t.Parallel()
			var s fault.Set
			arm(t, &s, fault.Fault{Match: fault.Match{Nth: tc.nth}, Effect: down, Count: tc.count})
			require.Equal(t, tc.want, hits(&s, 6))
		})
	}
}

func TestFirstArmedGoesFirst(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{ID: "a", Effect: down, Count: 1})
	arm(t, &s, fault.Fault{ID: "b", Match: fault.Match{Nth: 2}, Effect: down, Count: 1})
	for seq, want := range []string{"a", "b", ""} {
		met, _ := s.Next(call(uint64(seq)))
		require.Equal(t, want, met.ID, "call %d", seq)
	}
	require.True(t, s.Idle(), "both are spent")
	list := s.List()
	require.Len(t, list, 2)
	require.Equal(t, 2, list[1].Seen, "the call that another fault has changed counts")
	require.Zero(t, list[1].Remaining())
}

func TestRevocationNeedsAToken(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{Effect: fault.Effect{Revoke: fault.RevokeCall}, Count: 1})
	c := call(1)
	c.Token = ""
	_, ok := s.Next(c)
	require.False(t, ok)
	_, ok = s.Next(call(2))
	require.True(t, ok)
}

func TestHitLogIsBounded(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{Effect: down})
	hits(&s, fault.MaxHits+20)
	a := s.List()[0]
	require.Equal(t, fault.MaxHits+20, a.Hits)
	require.Equal(t, -1, a.Remaining())
	require.Len(t, a.Log, fault.MaxHits)
	require.Equal(t, fault.Hit{Exchange: 21, At: 210}, a.Log[0])
	require.Equal(t, uint64(fault.MaxHits+20), a.Log[fault.MaxHits-1].Exchange)
	a.Log[0].Exchange = 0
	require.Equal(t, uint64(21), s.List()[0].Log[0].Exchange, "the list is a copy")
}

func TestSetIsBounded(t *testing.T) {
	t.Parallel()
	var s fault.Set
	for n := range fault.MaxArmed {
		arm(t, &s, fault.Fault{ID: "f" + strconv.Itoa(n), Match: fault.Match{Nth: n + 2}, Effect: down, Count: 1})
	}
	_, err := s.Arm(fault.Fault{Effect: down}, 0)
	require.ErrorIs(t, err, fault.ErrFull)
	hits(&s, 2)
	require.Equal(t, "fault-1", arm(t, &s, fault.Fault{Effect: down}), "a spent one makes room")
	require.Equal(t, "f1", s.List()[0].ID)
	require.Len(t, s.List(), fault.MaxArmed)
}

func TestNames(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{ID: "fault-1", Effect: down, Count: 1})
	require.Equal(t, "fault-2", arm(t, &s, fault.Fault{Effect: down, Count: 1}))
	_, err := s.Arm(fault.Fault{ID: "fault-2", Effect: down}, 0)
	require.ErrorIs(t, err, fault.ErrNameTaken)
	require.True(t, s.Remove("fault-1"))
	require.False(t, s.Remove("fault-1"))
	met, _ := s.Next(call(1))
	require.Equal(t, "fault-2", met.ID)
}

func TestIdle(t *testing.T) {
	t.Parallel()
	var s fault.Set
	require.True(t, s.Idle())
	id := arm(t, &s, fault.Fault{Effect: down})
	require.False(t, s.Idle())
	s.Remove(id)
	require.True(t, s.Idle())
	arm(t, &s, fault.Fault{Effect: down})
	require.Equal(t, 1, s.Clear())
	require.True(t, s.Idle())
	s.Revoke("jti", "x")
	require.False(t, s.Idle())
	by, gone := s.Revoked("jti")
	require.True(t, gone)
	require.Equal(t, "x", by)
	s.Clear()
	require.False(t, s.Idle(), "a withdrawn token stays withdrawn")
	s.Reset()
	require.True(t, s.Idle())
	require.Equal(t, "fault-1", arm(t, &s, fault.Fault{Effect: down}))
}

func TestWithdrawnTokensAreBounded(t *testing.T) {
	t.Parallel()
	var s fault.Set
	s.Revoke("", "x")
	require.True(t, s.Idle(), "no token is no token")
	const most = 10_000
	for n := range most + 1 {
		s.Revoke(strconv.Itoa(n), "x")
	}
	_, gone := s.Revoked("0")
	require.False(t, gone)
	_, gone = s.Revoked("1")
	require.True(t, gone)
}

func TestSetUnderConcurrentCalls(t *testing.T) {
	t.Parallel()
	var s fault.Set
	arm(t, &s, fault.Fault{Match: fault.Match{Nth: 5}, Effect: down, Count: 50})
	var wg sync.WaitGroup
	var mu sync.Mutex
	met := 0
	for range 8 {
		wg.Go(func() {
			for n := range uint64(25) {
				if _, ok := s.Next(call(n)); ok {
					mu.Lock()
					met++
					mu.Unlock()
				}
				s.List()
				s.Idle()
			}
		})
	}
	wg.Wait()
	require.Equal(t, 50, met)
	require.True(t, s.Idle())
}
