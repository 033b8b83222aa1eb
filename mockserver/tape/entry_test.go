package tape_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/mockserver/tape"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	clock, exchange := &tape.Clock{}, &tape.Exchange{}
	for name, c := range map[string]struct {
		entry tape.Entry
		err   error
	}{
		"good":                {tape.Entry{Seq: 2, Cause: 1, Kind: tape.KindClock, Clock: clock}, nil},
		"page has exchange":   {tape.Entry{Seq: 1, Kind: tape.KindPage, Exchange: exchange}, nil},
		"stub":                {tape.Entry{Seq: 1, Kind: tape.KindPage, Omitted: 9}, nil},
		"no kind":             {tape.Entry{Seq: 1, Clock: clock}, tape.ErrKind},
		"undeclared kind":     {tape.Entry{Seq: 1, Kind: 200, Clock: clock}, tape.ErrKind},
		"no number":           {tape.Entry{Kind: tape.KindClock, Clock: clock}, tape.ErrSeq},
		"caused by itself":    {tape.Entry{Seq: 1, Cause: 1, Kind: tape.KindClock, Clock: clock}, tape.ErrCause},
		"caused by a later":   {tape.Entry{Seq: 1, Cause: 2, Kind: tape.KindClock, Clock: clock}, tape.ErrCause},
		"no body":             {tape.Entry{Seq: 1, Kind: tape.KindClock}, tape.ErrBody},
		"other body":          {tape.Entry{Seq: 1, Kind: tape.KindTimer, Clock: clock}, tape.ErrBody},
		"two bodies":          {tape.Entry{Seq: 1, Kind: tape.KindClock, Clock: clock, Exchange: exchange}, tape.ErrBody},
		"findings are a body": {tape.Entry{Seq: 1, Kind: tape.KindClock, Clock: clock, Findings: make([]tape.Finding, 1)}, tape.ErrBody},
		"no findings":         {tape.Entry{Seq: 1, Kind: tape.KindFinding, Findings: []tape.Finding{}}, tape.ErrBody},
		"stub with body":      {tape.Entry{Seq: 1, Kind: tape.KindClock, Clock: clock, Omitted: 9}, tape.ErrBody},
		"negative omission":   {tape.Entry{Seq: 1, Kind: tape.KindClock, Clock: clock, Omitted: -1}, tape.ErrBody},
	} {
		require.ErrorIs(t, c.entry.Validate(), c.err, name)
	}
}

func TestBinaryRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := entries(rapid.Uint64Min(1).Draw(t, "seq")).Draw(t, "entry")
		raw := tape.Encode(&e)
		require.EqualValues(t, len(raw), tape.EncodedSize(&e))
		back, err := tape.Decode(raw)
		require.NoError(t, err)
		require.Equal(t, e, back)
	})
}

func TestDecodedEntrySharesNothing(t *testing.T) {
	t.Parallel()
	e := exchange2K()
	raw := tape.Encode(&e)
	back, err := tape.Decode(raw)
	require.NoError(t, err)
	clear(raw)
	require.Equal(t, e, back)
	body := append(back.Exchange.Request.Body, "more"...)
	require.Equal(t, e.Exchange.Response.Body, back.Exchange.Response.Body, "appending to one body changed the other")
	require.NotEmpty(t, body)
}

func TestEveryCutEncodingIsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := entries(7).Draw(t, "entry")
		raw := tape.Encode(&e)
		_, err := tape.Decode(raw[:rapid.IntRange(0, len(raw)-1).Draw(t, "cut")])
		require.ErrorIs(t, err, tape.ErrEncoding)
		_, err = tape.Decode(append(raw[:len(raw):len(raw)], 0))
		require.ErrorIs(t, err, tape.ErrEncoding)
	})
}

func TestOddEncodingsAreRefused(t *testing.T) {
	t.Parallel()
	longer := tape.Encode(&tape.Entry{Seq: 1, Kind: tape.KindClock, Clock: &tape.Clock{}})
	longer[0]++ // the text's length, with one byte more behind the body
	_, err := tape.Decode(append(longer, 0))
	require.ErrorIs(t, err, tape.ErrEncoding)

	neither := tape.Encode(&tape.Entry{Seq: 1, Kind: tape.KindFinding, Findings: make([]tape.Finding, 1)})
	neither[len(neither)-1] = 2 // advisory is neither 0 nor 1
	_, err = tape.Decode(neither)
	require.ErrorIs(t, err, tape.ErrEncoding)
}

func TestFilterAgreesWithItselfOnEncodedEntries(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := entries(3).Draw(t, "entry")
		f := tape.Filter{Entity: words().Draw(t, "entity"), Operation: words().Draw(t, "operation")}
		if len(e.Entities) > 0 && rapid.Bool().Draw(t, "own entity") {
			f.Entity = e.Entities[len(e.Entities)-1]
		}
		if e.Exchange != nil && rapid.Bool().Draw(t, "own operation") {
			f.Operation = e.Exchange.Operation
		}
		require.Equal(t, f.Match(e), tape.MatchRaw(f, tape.Encode(&e)))
	})
}
