package wire_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/wire"
)

// decode reads body with the options and gives what came of it.
func decode(body string, opt wire.Options) (everything, wire.Result) {
	var e everything
	r := wire.Decode([]byte(body), &e, opt)
	return e, r
}

func TestFindings(t *testing.T) {
	t.Parallel()
	strings80 := strings.Repeat("é", 79)
	for _, c := range []struct {
		name, body string
		opt        wire.Options
		want       []string // pointer clause received, advisory in brackets
	}{
		{name: "good", body: `{"amount":5000,"small":1,"text":"a","flag":true,"tags":["x"],"metadata":{}}`},
		{name: "null is absence", body: `{"amount":null,"text":null,"flag":null,"second":null,"tags":null,"employees":null,"metadata":null}`},
		{name: "null struct", body: `{"owner":null}`, want: []string{`/owner request.type null`}},
		{name: "null element", body: `{"tags":["a",null],"employees":[null]}`, want: []string{`/tags/1 request.type null`, `/employees/0 request.type null`}},
		{name: "fraction", body: `{"amount":5000.0}`, want: []string{`/amount request.integer 5000.0`}},
		{name: "exponent", body: `{"amount":5e3,"small":1e400}`, want: []string{`/amount request.integer 5e3`, `/small request.integer 1e400`}},
		{name: "string number", body: `{"amount":"5000"}`, want: []string{`/amount request.type "5000"`}},
		{name: "string number taken", body: `{"amount":"5000"}`, opt: wire.Options{NumberStrings: true}, want: []string{`(/amount request.integer-string "5000")`}},
		{name: "string no number", body: `{"amount":"05","small":" 5"}`, opt: wire.Options{NumberStrings: true}, want: []string{`/amount request.type "05"`, `/small request.type " 5"`}},
		{name: "string of a fraction", body: `{"amount":"5.0"}`, opt: wire.Options{NumberStrings: true}, want: []string{`/amount request.integer "5.0"`}},
		{name: "ranges", body: `{"small":2147483648,"amount":9223372036854775808}`, want: []string{`/small request.integer-range 2147483648`, `/amount request.integer-range 9223372036854775808`}},
		{name: "negative ranges", body: `{"small":-2147483649,"amount":-9223372036854775809}`, want: []string{`/small request.integer-range -2147483649`, `/amount request.integer-range -9223372036854775809`}},
		{name: "types", body: `{"amount":true,"text":1,"flag":"yes","tags":{},"owner":[],"metadata":[],"employees":[1]}`, want: []string{
			`/amount request.type true`, `/text request.type 1`, `/flag request.type "yes"`, `/tags request.type {}`,
			`/owner request.type []`, `/metadata request.type []`, `/employees/0 request.type 1`,
		}},
		{name: "duplicate", body: `{"amount":1,"amount":2}`, want: []string{`/amount request.duplicate-member 2`}},
		{name: "duplicate by case", body: `{"amount":1,"Amount":2}`, want: []string{`/amount request.duplicate-member 2`}},
		{name: "duplicate by escape", body: `{"amount":1,"\u0061mount":2}`, want: []string{`/amount request.duplicate-member 2`}},
		{name: "duplicate in raw", body: `{"metadata":{"a":[{"b":1,"b":2}]}}`, want: []string{`/metadata/a/0/b request.duplicate-member `}},
		{name: "unknown", body: `{"amonut":1}`, want: []string{`(/amonut request.unknown-member 1)`}},
		{name: "unknown refused", body: `{"x":1}`, opt: wire.Options{RefuseUnknown: true, UnknownClause: "a.b"}, want: []string{`/x a.b 1`}},
		{name: "pascal", body: `{"Amount":1,"Owner":{"SSN":1}}`, want: []string{`/owner/ssn request.type "••••"`}},
		{name: "camel only", body: `{"Amount":1}`, opt: wire.Options{CamelOnly: true}, want: []string{`(/Amount request.unknown-member 1)`}},
		{name: "escaped pointer", body: `{"a/b~":1}`, want: []string{`(/a~1b~0 request.unknown-member 1)`}},
		{name: "secrets are hidden", body: `{"ssn":12,"clientSecre":"x","clientSecret":["y"]}`, want: []string{
			`/ssn request.type "••••"`, `(/clientSecre request.unknown-member "••••")`, `/clientSecret request.type "••••"`,
		}},
		{name: "nested secrets are hidden", body: `{"onwer":{"name":"Al","ssn":"1234"}}`, want: []string{`(/onwer request.unknown-member {"name":"Al","ssn":"1111"})`}},
		{name: "long value", body: `{"x":"` + strings80 + `"}`, want: []string{`(/x request.unknown-member "` + strings80[:156] + `…)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, r := decode(c.body, c.opt)
			require.Nil(t, r.Err)
			var got []string
			for _, f := range r.Findings {
				line := f.Pointer + " " + f.Clause + " " + f.Received
				if f.Advisory {
					line = "(" + line + ")"
				}
				require.NotEmpty(t, f.Expected)
				require.NotEmpty(t, f.Fix)
				require.NotEmpty(t, f.Source)
				got = append(got, line)
			}
			require.Equal(t, c.want, got)
			require.Equal(t, len(c.want) > 0 && !strings.HasPrefix(c.want[0], "("), r.Refused())
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	e, r := decode(`{"amount":-9223372036854775808,"small":-0,"text":"a\n\u00e9\ud83d\ude00","flag":false,
		"tags":["a",1,"c"],"metadata": {"k" : [1, 2]} ,"second":{"name":"n","zipCode":"1"},"employees":[]}`, wire.Options{})
	require.Len(t, r.Findings, 1)
	require.Equal(t, int64(math.MinInt64), e.Amount)
	require.Zero(t, *e.Small)
	require.Equal(t, "a\né😀", *e.Text)
	require.False(t, *e.Flag)
	require.Equal(t, []string{"a", "", "c"}, e.Tags, "positions agree with those in the body")
	require.Equal(t, `{"k" : [1, 2]}`, e.Metadata)
	require.Equal(t, "1", e.Second.Zip)
	require.Empty(t, e.People)
	require.NotNil(t, e.People)
	e, r = decode(`{"amount":9223372036854775807,"small":2147483647}`, wire.Options{})
	require.False(t, r.Refused())
	require.Equal(t, int64(math.MaxInt64), e.Amount)
	require.Equal(t, int32(math.MaxInt32), *e.Small)
}

func TestNearestNameIsOffered(t *testing.T) {
	t.Parallel()
	var c company
	r := wire.Decode([]byte(`{"companyReferenceID2":"x","zzzzzzzzz":1}`), &c, wire.Options{})
	require.Contains(t, r.Findings[0].Expected, "did you mean companyReferenceId?")
	require.NotContains(t, r.Findings[1].Expected, "did you mean")
	_, r = decode(`{"amount":5000,"currency":"EUR"}`, wire.Options{})
	require.Contains(t, r.Findings[0].Expected, "in cents of US dollars")
	r = wire.Decode([]byte(`{"Contact":"x","company":"y"}`), &c, wire.Options{})
	require.Contains(t, r.Findings[0].Fix, "send it as contactNumber", "the only name that begins so")
	require.NotContains(t, r.Findings[1].Fix, "send it as", "two begin so")
}

func TestUnreadableBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, clause, detail string }{
		{"empty", "", "request.empty-body", "it is empty (byte offset 0, line 1, column 1)"},
		{"blank", " \r\n", "request.empty-body", "nothing but white space"},
		{"bom", "\ufeff{}", "request.utf8", "byte order mark"},
		{"truncated", "{\"amount\":\n  \"é", "request.json", "in the middle of a value (byte offset 16, line 2, column 5)"},
		{"truncated object", `{"amount":1`, "request.json", "in the middle of a value (byte offset 11,"},
		{"trailing", "{}\n  {}", "request.json", "more follows after the JSON object (byte offset 5, line 2, column 3)"},
		{"utf8", "{\"text\":\"ab\xff\"}", "request.utf8", "not UTF-8 (byte offset 11,"},
		{"control", "{\"text\":\"a\nb\"}", "request.json", "control character (byte offset 10,"},
		{"escape", `{"text":"a\qb"}`, "request.json", "escape that JSON does not have (byte offset 10,"},
		{"surrogate", `{"text":"\ud800"}`, "request.json", "escape that JSON does not have (byte offset 9,"},
		{"word", `{"text":trustno1}`, "request.json", "cannot stand here (byte offset 8,"},
		{"leading zero", `{"amount":00}`, "request.json", "cannot stand here (byte offset 11,"},
		{"plus", `{"amount":+1}`, "request.json", "cannot stand here (byte offset 10,"},
		{"comma", `{"amount":1,}`, "request.json", "cannot stand here (byte offset 12,"},
		{"array", ` ["hunter2"]`, "request.object", "it is JSON, but no object (byte offset 1,"},
		{"null", `null`, "request.object", "no object"},
		{"deep unknown", `{"x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, "request.depth", "too deep (byte offset 68,"},
		{"deep raw", `{"metadata":` + strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64) + `}`, "request.depth", "too deep"},
		{"deep and broken", `{"x":` + strings.Repeat("[", 20000), "request.depth", "too deep (byte offset 68,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, r := decode(c.body, wire.Options{})
			require.NotNil(t, r.Err)
			require.True(t, r.Refused())
			require.Equal(t, kernel.Malformed, r.Err.Code)
			require.Equal(t, c.clause, r.Err.Findings[0].Clause)
			require.Contains(t, r.Err.Detail, c.detail)
			require.NotContains(t, fmt.Sprint(r.Err.Findings), "hunter2")
		})
	}
}

func TestDepth64IsRead(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`,
		`{"metadata":` + strings.Repeat(`{"a":`, 63) + "1" + strings.Repeat("}", 63) + `}`,
	} {
		_, r := decode(body, wire.Options{})
		require.Nil(t, r.Err)
		require.False(t, r.Refused())
	}
}

func TestFindingsAreCountedBeyondTheLimit(t *testing.T) {
	t.Parallel()
	_, r := decode(`{`+strings.Repeat(`"x":1,`, 150)+`"amount":"a"}`, wire.Options{})
	require.Len(t, r.Findings, 102)
	require.Equal(t, "/amount", r.Findings[100].Pointer, "a refusal is not lost behind advice")
	require.Equal(t, "request.more-findings", r.Findings[101].Clause)
	require.True(t, r.Findings[101].Advisory)
	require.True(t, r.Refused())
}

// hostile are bodies of about so many bytes that are meant to cost a lot.
func hostile(size int) map[string]string {
	return map[string]string{
		"brackets":       strings.Repeat("[", size),
		"open objects":   strings.Repeat(`{"a":`, size/5),
		"digits":         `{"amount":` + strings.Repeat("9", size) + `}`,
		"secret":         `{"ssn":"` + strings.Repeat("9", size) + `"}`,
		"duplicates":     `{` + strings.Repeat(`"amount":1,`, size/11) + `"amount":1}`,
		"unknown":        `{` + strings.Repeat(`"amuont":1,`, size/11) + `"amount":1}`,
		"raw":            `{"metadata":{` + strings.Repeat(`"a":1,`, size/6) + `"b":1}}`,
		"elements":       `{"employees":[` + strings.Repeat(`{},`, size/3) + `{}]}`,
		"escapes":        `{"text":"` + strings.Repeat(`\u0041`, size/6) + `"}`,
		"open escapes":   `{"text":"` + strings.Repeat(`\"`, size/2),
		"white space":    `{` + strings.Repeat(" ", size) + `}`,
		"quotes":         strings.Repeat(`"`, size),
		"nested unknown": `{"x":[` + strings.Repeat(`{"ssn":"1"},`, size/12) + `0]}`,
	}
}

// TestHostileBodies would not come to its end if any part of the decoder were
// quadratic; BenchmarkHostileBodies has the figures.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	for name, body := range hostile(10 << 20) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := []byte(body)
			var e everything
			r := wire.Decode(b, &e, wire.Options{})
			secret.Mask(b, r.Spans)
			require.LessOrEqual(t, len(r.Findings), 202)
			require.LessOrEqual(t, len(e.People), 10_000)
		})
	}
}

func TestLongListIsRefused(t *testing.T) {
	t.Parallel()
	e, r := decode(`{"tags":[`+strings.Repeat(`"a",`, 10_000)+`"ssn"]}`, wire.Options{})
	require.Len(t, e.Tags, 10_000)
	require.Len(t, r.Findings, 1)
	require.Equal(t, "request.array-length", r.Findings[0].Clause)
	require.Equal(t, "10001 elements", r.Findings[0].Received)
}

// TestValuesOfALongBodyAreCopies keeps short values of long bodies: they must
// not keep the bodies. It is not parallel because it looks at the heap.
func TestValuesOfALongBodyAreCopies(t *testing.T) {
	var kept [64]everything
	body := []byte(`{"clientSecret":"short","metadata":{"a":1},"x":"` + strings.Repeat("a", 1<<20) + `"}`)
	before := heap()
	for i := range kept {
		require.False(t, wire.Decode(body, &kept[i], wire.Options{}).Refused())
	}
	require.Less(t, heap()-before, int64(len(kept)<<18))
	require.Equal(t, "short", kept[0].Secret)
	require.Equal(t, `{"a":1}`, kept[63].Metadata)
}

// heap is the number of bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestTargetsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	type loop struct {
		Next *struct{ N float64 } `json:"next"`
	}
	for name, dst := range map[string]any{
		"no pointer": everything{}, "no tag": &struct{ A string }{}, "float": &loop{},
		"secret number": &struct {
			A int64 `json:"a" mask:"true"`
		}{},
		"twice": &struct {
			A string `json:"a"`
			B string `json:"A"`
		}{},
	} {
		require.Panics(t, func() { wire.Decode([]byte(`{}`), dst, wire.Options{}) }, name)
	}
}
