package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/wire"
)

// everything has a field of every kind.
type everything struct {
	Amount   int64      `json:"amount"`
	Small    *int32     `json:"small"`
	Text     *string    `json:"text"`
	Flag     *bool      `json:"flag"`
	Secret   string     `json:"clientSecret" mask:"true"`
	SSN      *string    `json:"ssn" mask:"true"`
	Cards    []string   `json:"cards" mask:"true"`
	Tags     []string   `json:"tags"`
	Owner    owner      `json:"owner"`
	Second   *owner     `json:"second"`
	People   []employee `json:"employees"`
	Metadata string     `json:"metadata" wire:"raw"`
}

// seeds are bodies that are right, wrong and broken in many ways.
var seeds = []string{
	companyBody, `{"text":"4111 1111 1111 1111","metadata":{"123-45-6789":1},"ssn":"4111111111111111"`, `{"text":"4111111111111111","x":123-45-6789}`, `{}`, ``, " \n", `{"clientSecret":"hunter2","amount":5000}`,
	`{"amount":5000.0,"small":2147483648,"text":null,"flag":"yes","owner":null}`,
	`{"Amount":1,"AMOUNT":2,"clientSecret":"a","ClientSecret":{"b":["c1",2,true,null]}}`,
	`{"clientSecre":"hunter2","onwer":{"ssn":"1234","x":[{"taxId":"1"}]},"tags":["a",1,null]}`,
	`{"metadata":{"a":1,"a":2},"tags":"x","cards":["4111","5é\u0035\ud83d\ude00"],"second":{"ssn":1234}}`,
	`{"clientSecret":"abc`, `{"clientSecret":"a\qb"}`, `{"ssn":"\u12`, `{"ssn":"\ud83d\ud`, `{"ssn":"\ud83d\u0041"}`,
	`{"ssn":"\ud83d\ude`, `{"ssn":"\uD83D\u1`, `{"ssn":trustno1}`, `{"ssn":tru`, `{"ssn":nullx}`, `{"ssn":01}`, `{"ssn":12east}`,
	`{"ssn":1.}`, `{"ssn":-`, `{"ssn":12`, `{'clientSecret':'hunter2'}`, `clientId=foo&clientSecret=bar`, "\ufeff{\"ssn\":\"1\"}",
	`["clientSecret","hunter2"]`, `"hunter2"`, `{"ssn":"1"} hunter2`, "{\"ssn\":\"a\xff\"}", "{\"ssn\":\"a\nb\"}", `{"ssn":"é字𠀀١１"}`,
	strings.Repeat(`{"ssn":`, 70) + `"1"`, strings.Repeat(`[`, 200), `{"x":` + strings.Repeat(`[`, 70) + strings.Repeat(`]`, 70) + `}`,
	`{"small":-2147483649,"amount":-0,"Tags":{},"employees":[[],{"name":1},{"nam":"x"}]}`, `{"a~/b":1,"":2,"\u0073sn":"1234"}`,
	`{"amount":"5000","small":"01"}`, `{"ssn":1e400,"SSN":{"123":{"456":7}}}`, `{"a":1 true`, `{"ssn":1}]`, `{"\ud800":1}`, `{"ssn":"1"`, `true0`, `nulltrue`, `12 hunter2`, `"a"1`, `1"a`,
}

var settings = []wire.Options{
	{},
	{CamelOnly: true, NumberStrings: true},
	{RefuseUnknown: true, UnknownClause: "card.charge.no-other", UnknownSource: "spec"},
}

// holds checks everything that must be true of Decode and Mask for any body.
func holds(t *testing.T, body []byte) {
	t.Helper()
	for _, opt := range settings {
		before := bytes.Clone(body)
		var a, b everything
		first := wire.Decode(body, &a, opt)
		require.Equal(t, before, body, "the body must not change")
		sound(t, body, first)
		masked := bytes.Clone(body)
		first.Mask(masked)
		require.Equal(t, utf8.RuneCount(body), utf8.RuneCount(masked))
		second := wire.Decode(masked, &b, opt)
		require.Equal(t, first, second, "masked: %q", masked)
		again := bytes.Clone(masked)
		second.Mask(again)
		require.Equal(t, masked, again, "masking twice changes nothing more")
	}
}

// sound checks one result.
func sound(t *testing.T, body []byte, r wire.Result) {
	t.Helper()
	if !json.Valid(body) || !utf8.Valid(body) {
		require.NotNil(t, r.Err)
	}
	if r.Err != nil {
		require.Nil(t, r.Findings)
		require.Len(t, r.Err.Findings, 1)
	}
	end := 0
	for _, s := range r.Spans {
		require.GreaterOrEqual(t, s.Offset, end)
		require.Positive(t, s.Length)
		end = s.Offset + s.Length
		require.LessOrEqual(t, end, len(body))
	}
	for _, f := range r.Findings {
		require.LessOrEqual(t, utf8.RuneCountInString(f.Received), 80)
		require.True(t, utf8.ValidString(f.Received))
	}
}

func FuzzDecodeAndMask(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) { holds(t, body) })
}

// TestDecodeAndMaskOfMutations cuts, doubles and replaces bytes of the seeds:
// what the fuzzer does at length, in each run.
func TestDecodeAndMaskOfMutations(t *testing.T) {
	sampling.NotRaced(t, "it reads one body after the other")
	t.Parallel()
	step := sampling.Step(t, 7)
	for _, s := range seeds {
		if len(s) > 200 {
			holds(t, []byte(s))
			continue
		}
		for i := 0; i < len(s); i += step {
			holds(t, []byte(s[:i]))
			holds(t, []byte(s[:i]+s[i+1:]))
			for _, c := range []byte(`"\{0ex ` + "\xc3\n") {
				holds(t, append(append([]byte(s[:i]), c), s[i+1:]...))
			}
		}
	}
}

func FuzzMediaTypes(f *testing.F) {
	for _, s := range []string{"", "*/*", "text/plain;q=0.5, */*;q=0.1", "application/problem+json; charset=UTF-8", "a/b;q=x,,;/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		wire.JSONRequest(s)
		require.Contains(t, []string{"application/json; charset=utf-8", "text/json; charset=utf-8", "text/plain; charset=utf-8"}, wire.Negotiate(s))
	})
}
