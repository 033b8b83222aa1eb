package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// TestTheNewestFirst reads exports of searches, which begin with what was written last: an
// answer belongs to the call before it, not to the one above it.
func TestTheNewestFirst(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"a column of a table": "@timestamp,@message\n" +
			"2026-03-02 17:00:09.420,\"response status=400 body={\"\"status\"\":400}\"\n" +
			"2026-03-02 17:00:09.419,GET https://api.example/Payment/two/Status\n" +
			"2026-03-02 17:00:04.002,\"response status=200 body={\"\"status\"\":\"\"Paid\"\"}\"\n" +
			"2026-03-02 17:00:04.003,GET https://api.example/Payment/one/Status\n" +
			"2026-03-02 17:00:03.903,ready\n2026-03-02 17:00:03.902,loading\n2026-03-02 17:00:03.901,began\n",
		"lines, each in an object of its own": `{"labels":{"app":"shop"},"line":"response status=400 body={\"status\":400}","timestamp":"2026-03-02T17:00:09.42Z"}` + "\n" +
			`{"labels":{"app":"shop"},"line":"GET https://api.example/Payment/two/Status","timestamp":"2026-03-02T17:00:09.41Z"}` + "\n" +
			`{"labels":{"app":"shop"},"line":"response status=200 body={\"status\":\"Paid\"}","timestamp":"2026-03-02T17:00:04.42Z"}` + "\n" +
			`{"labels":{"app":"shop"},"line":"GET https://api.example/Payment/one/Status","timestamp":"2026-03-02T17:00:04.41Z"}` + "\n",
		"lines behind their moments": `{"data":{"result":[{"stream":{"app":"shop"},"values":[["1795528269420000000","response status=400 body={\"status\":400}"],["1795528269410000000","GET https://api.example/Payment/two/Status"],` +
			`["1795528264420000000","response status=200 body={\"status\":\"Paid\"}"],["1795528264410000000","GET https://api.example/Payment/one/Status"]]}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readAll(t, read.Options{}, source.File{Name: "export", Data: []byte(data)})
			require.Len(t, r.Exchanges, 2)
			assert.Equal(t, "/Payment/one/Status", r.Exchanges[0].Path)
			assert.Equal(t, 200, r.Exchanges[0].Answer.Status)
			assert.Equal(t, "/Payment/two/Status", r.Exchanges[1].Path)
			assert.Equal(t, 400, r.Exchanges[1].Answer.Status)
			if places := map[string][2]int{"a column of a table": {5, 3}, "lines, each in an object of its own": {4, 2}}[name]; places[0] > 0 {
				assert.Equal(t, places, [2]int{r.Exchanges[0].Place.Line, r.Exchanges[1].Place.Line}, "the lines are those of the file")
			}
		})
	}
}

// TestATableOfADatabase: what is NULL was not sent, and the columns have a database's names.
func TestATableOfADatabase(t *testing.T) {
	t.Parallel()
	r := readAll(t, read.Options{}, source.File{Name: "http_log.csv", Data: []byte("id;created_at;method;url;request_body;response_code;response_body\n" +
		"1;2026-03-02 17:00:04.447841;POST;https://api.example/Authentication/Token;NULL;200;NULL\n" +
		"2;2026-03-02 17:00:05.1;GET;https://api.example/Company/List;\\N;401;{}\n")})
	require.Len(t, r.Exchanges, 2)
	assert.Empty(t, r.Exchanges[0].Body)
	assert.Equal(t, 200, r.Exchanges[0].Answer.Status)
	assert.Equal(t, "2026-03-02T17:00:04.447841Z", r.Exchanges[0].Begin.Format("2006-01-02T15:04:05.999999Z"))
	assert.Equal(t, 401, r.Exchanges[1].Answer.Status)
	assert.Empty(t, r.Exchanges[1].Body)
}
