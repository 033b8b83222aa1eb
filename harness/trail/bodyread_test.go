package trail_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/trail"
)

// standard reads an object as encoding/json does.
func standard(raw []byte) (b trail.Body) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&b) != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return b
}

// FuzzAsStandard: a body says what the standard library reads in it.
func FuzzAsStandard(f *testing.F) {
	for _, body := range []string{
		`{"amount":5000,"a":[1,{"b":null},true,"x"],"e":{},"l":[]}`, `{"a":1,"a":{"b":1},"A":2}`, `{"n":1e400,"m":-0.0,"o":12345678901234567890}`,
		"{\"t\":\"\xff\\ud800 \\u00e9\"}", ` {} `, `{}{}`, `{}x`, `{"a":1,}`, `{"a":[1,]}`, `{"a" 1}`, `{1:2}`, `{`, `null`, `[]`, `"a"`, ``, "\ufeff{}", "{\"a\":\"\x01\"}",
		`{"a":01}`, `{"a":NaN}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.Equal(t, standard(raw), trail.ReadBody(raw), "%.200q", raw)
	})
}

// TestDeepBodies: what the standard library finds too deep is too deep here.
func TestDeepBodies(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9_000, 11_000} {
		raw := []byte(`{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`)
		require.Equal(t, standard(raw) == nil, trail.ReadBody(raw) == nil, n)
	}
}

// BenchmarkReadBody reads a payment, beside the standard library in the same run.
func BenchmarkReadBody(b *testing.B) {
	raw := []byte(`{"amount":5000,"locationId":"8f4ae917-748f-426a-8a2d-94217a20eaf0","registrationId":"973b89b5-21ae-472c-9d61-9bfba82f70bf","shortDescription":"Spring class pass","feePayer":"client","reference":"CP-2207-03","payer":{"email":"a@b.example","list":[1,2,3]}}`)
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			trail.ReadBody(raw)
		}
	})
	b.Run("standard", func(b *testing.B) {
		for b.Loop() {
			standard(raw)
		}
	})
}
