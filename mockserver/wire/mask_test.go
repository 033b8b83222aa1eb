package wire_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/wire"
)

func TestMaskKeepsTheForm(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"ssn":"6789","text":"abc 1"}`:               `{"ssn":"1111","text":"abc 1"}`,
		`{"SSN":"A-12 é字１\n"}`:                        `{"SSN":"x-11 ø字１\n"}`,
		`{"ssn":-12.50e+3,"clientSecret":[true,"a"]}`: `{"ssn":-11.11e+1,"clientSecret":[true,"x"]}`,
		`{"ssn":"\u0041\u0039\u00E9\uD83D\uDE00"}`:    `{"ssn":"\u0078\u0031\u00f8\ud83d\ude00"}`,
		`{"onwer":{"SSN":"12","title":"Dr"}}`:         `{"onwer":{"SSN":"11","title":"Dr"}}`,
		`{"password":"Tr0ub4dor"}`:                    `{"password":"xx1xx1xxx"}`,
		`{"text":"abc","clientSecret":"hunt`:          `{"text":"abc","clientSecret":"xxxx`,
		`{"text":"abc" oops:"b1"}`:                    `{"text":"abc" xxxx:"x1"}`,
		`{"onwer":{"SSN":{"a":["b2",3]},"c":"d4"}}`:   `{"onwer":{"SSN":{"x":["x1",1]},"c":"d4"}}`,
		`{"onwer":{"SSN":{"a":["b2",3], "c":"d`:       `{"onwer":{"SSN":{"x":["x1",1], "x":"x`,
		`["a",true,{"b":12}]`:                         `["x",true,{"x":11}]`,
		`a=b&secret=c3`:                               `x=x&xxxxxx=x1`,
	} {
		b := []byte(body)
		var e everything
		secret.Mask(b, wire.Decode(b, &e, wire.Options{}).Spans)
		require.Equal(t, want, string(b))
	}
}

// TestNoSecretSurvivesAMistake breaks a body in one byte at each place outside
// of the secret, in many ways.
func TestNoSecretSurvivesAMistake(t *testing.T) {
	t.Parallel()
	const before, value, after = `{"text":"note","owner":{"documentNumber":"`, "Zq7Zq7Zq7", `","title":"Dr"},"amount":5}`
	whole := before + value + after
	for i := range len(whole) {
		if i >= len(before) && i < len(before)+len(value) {
			continue
		}
		for _, c := range []byte("\"\\{}[]:,0ex \n\xff") {
			b := append(append([]byte(whole[:i]), c), whole[i+1:]...)
			var e everything
			r := wire.Decode(b, &e, wire.Options{})
			if r.Err != nil {
				require.NotContains(t, r.Err.Error(), "Zq")
			}
			require.NotContains(t, fmt.Sprint(r.Findings), "Zq", "%q", b)
			secret.Mask(b, r.Spans)
			require.NotContains(t, string(b), "Zq")
		}
	}
}
