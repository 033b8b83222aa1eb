package tape_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
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
	sampling.Check(t, func(t *rapid.T) {
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
	sampling.Check(t, func(t *rapid.T) {
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
	sampling.Check(t, func(t *rapid.T) {
		e := entries(3).Draw(t, "entry")
		f := tape.Filter{
			Entity: words().Draw(t, "entity"), Operation: words().Draw(t, "operation"), Label: words().Draw(t, "label wanted"),
			Text: rapid.SampledFrom([]string{"", "A", "ÜN", "\x00"}).Draw(t, "text"),
		}
		if rapid.Bool().Draw(t, "own label") {
			f.Label = e.Label
		}
		if len(e.Entities) > 0 && rapid.Bool().Draw(t, "own entity") {
			f.Entity = e.Entities[len(e.Entities)-1]
		}
		if e.Exchange != nil && rapid.Bool().Draw(t, "own operation") {
			f.Operation = e.Exchange.Operation
		}
		require.Equal(t, f.Match(e), tape.MatchRaw(f, tape.Encode(&e)))
	})
}

// TestATextIsFoundWhereverItStands: in any text or body, A to Z in either case, and
// not where two texts meet.
func TestATextIsFoundWhereverItStands(t *testing.T) {
	t.Parallel()
	e := tape.Entry{
		Seq: 7, Kind: tape.KindExchange, Label: "team-a", Entities: []string{"id-1"},
		Exchange: &tape.Exchange{
			Operation: "createPayment", Path: "/Payment/Create", Request: tape.Request{
				Header: []tape.Header{{Name: "User-Agent", Value: "curl/8"}}, Body: []byte(`{"reference":"INV-1001","name":"Müller"}`),
			}, Response: tape.Response{Status: 400, Body: []byte("\xff\x00deep")},
		},
	}
	for text, want := range map[string]bool{
		"inv-1001": true, "MüLLER": true, "/payment/create": true, "CURL": true, "team-a": true, "id-1": true, "DEEP": true, "user-agent": true,
		"inv-1002": false, "MÜLLER": false, "createPayment/Payment": false, "id-1createPayment": false,
	} {
		require.Equal(t, want, e.Mentions(text), text)
		require.Equal(t, want, tape.MatchRaw(tape.Filter{Text: text}, tape.Encode(&e)), text)
	}
}

// TestHoldsIsWhatItSays for any texts, also where a piece ends that is looked through at once.
func TestHoldsIsWhatItSays(t *testing.T) {
	t.Parallel()
	low := strings.NewReplacer("A", "a", "B", "b").Replace
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aAbBéÉ["))
		in := rapid.SliceOfN(letters, 0, 3_000).Draw(t, "in")
		text := rapid.SliceOfN(letters, 0, 700).Draw(t, "text")
		if rapid.Bool().Draw(t, "a part of it") {
			from := rapid.IntRange(0, len(in)).Draw(t, "from")
			text = in[from:rapid.IntRange(from, len(in)).Draw(t, "to")]
		}
		require.Equal(t, strings.Contains(low(string(in)), low(string(text))), tape.Holds(string(in), string(text)))
		require.True(t, tape.Holds(string(in)+low(string(text)), string(text)))
	})
}

// TestASearchTakesTimeByTheLengthAlone: what a stranger sends makes no search slow. Looking
// for the other case from each letter on, or for a long text at each place, these take minutes.
func TestASearchTakesTimeByTheLengthAlone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 8<<20)
	require.False(t, tape.Holds(long, "no"))
	require.False(t, tape.Holds(long, strings.Repeat("n", 199)+"o"))
	require.True(t, tape.Holds(long+"O", "no"))
}

// TestALabelIsFoundAgain: by number and by entity, also on a tape that was loaded.
func TestALabelIsFoundAgain(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{})
	for _, e := range []tape.Entry{
		{Seq: 1, Kind: tape.KindTimer, Timer: &tape.Timer{}, Label: "a", Entities: []string{"x", "y"}},
		{Seq: 2, Kind: tape.KindTimer, Timer: &tape.Timer{}, Entities: []string{"y"}},
		{Seq: 3, Kind: tape.KindTimer, Timer: &tape.Timer{}, Label: "b", Entities: []string{"x"}},
	} {
		require.NoError(t, m.Append(&e))
	}
	loaded := tape.New(tape.Limits{})
	require.NoError(t, loaded.Load(m.AppendTo(nil)))
	for _, m := range []*tape.Memory{m, loaded} {
		require.Equal(t, []string{"a", "", "b", ""}, []string{m.Label(1), m.Label(2), m.Label(3), m.Label(4)})
		require.Equal(t, []string{"b", "a", ""}, []string{m.LabelAbout("x"), m.LabelAbout("y"), m.LabelAbout("z")})
	}
}
