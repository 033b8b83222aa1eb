package wire

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// plainBodies are bodies, and whether the quick look knows them for JSON.
var plainBodies = map[string]bool{
	`{}`: true, ` { } `: true, `[]`: true, `{"a":1}`: true, `{"a": [1, -0, 0.5, 1e3, 2.5E-7], "a": {"b": null}}`: true, `[true,false,null,"x"]`: true, `"x"`: true, `-12`: true,
	``: false, ` `: false, `{`: false, `{"a"`: false, `{"a":`: false, `{"a":1`: false, `{"a":1,}`: false, `{"a":1,,"b":2}`: false, `{,}`: false, `{"a" 1}`: false, `{a:1}`: false, `{"a":1]`: false,
	`[1,]`: false, `[1 2]`: false, `[1}`: false, `{"a":01}`: false, `-`: false, `{"a":-}`: false, `{"a":1.}`: false, `{"a":.5}`: false, `{"a":1e}`: false, `{"a":1e+}`: false, `{"a":+1}`: false,
	`{"a":tru}`: false, `{"a":nul`: false, `{"a":nullx}`: false, `{"a":"b}`: false, `{} {}`: false, `{}x`: false, `"`: false, "{\"a\":\"\x01\"}": false, "{\"a\":\"\x7f\"}": true,
	`{"a":"\n"}`: false, "{\n}": false, `{"a":"é"}`: false, // JSON, which is not for the quick look to say
}

func TestPlainly(t *testing.T) {
	t.Parallel()
	for body, want := range plainBodies {
		require.Equal(t, want, plainly(body), "%q", body)
	}
}

// FuzzPlainly holds the quick look to the library: what it takes, that takes too.
func FuzzPlainly(f *testing.F) {
	for body := range plainBodies {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if plainly(body) {
			require.True(t, jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true)), "%q", body)
		}
	})
}
