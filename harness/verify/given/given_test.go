package given_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verify/given"
	"paysandbox/mockserver/tape"
)

// TestWhatIsAnotherThingIsTold writes down what was given in a scenario, and gives
// something else in it.
func TestWhatIsAnotherThingIsTold(t *testing.T) {
	t.Parallel()
	key := given.Key("a.feature", "A payer pays")
	first := given.Read("")
	require.Empty(t, first.Add(key, []string{"an answer", "an event"}), "what does not stand there is not judged")
	for name, c := range map[string]struct {
		now  []string
		told string
	}{
		"the same":      {[]string{"an answer", "an event"}, ""},
		"another event": {[]string{"an answer", "no event"}, "the 2. of 2, where there were 2: no event"},
		"one is gone":   {[]string{"an answer"}, "the first 1 of 2 and nothing more"},
		"one more":      {[]string{"an answer", "an event", "a message"}, "the 3. of 3, where there were 2: a message"},
	} {
		require.Equal(t, c.told, given.Read(first.Text()).Add(key, c.now), name)
	}
	require.NotEqual(t, key, given.Key("a.featureA", " payer pays"))
	require.Contains(t, first.Full(), "\tan answer\n\tan event\n")
}

// TestWhatChangesAnywayIsLeftOut gives the same with other ports, versions and ids that
// follow from them.
func TestWhatChangesAnywayIsLeftOut(t *testing.T) {
	t.Parallel()
	run := func(port, version, id, status string) []string {
		entries := []tape.Entry{
			{Seq: 1, Kind: tape.KindExchange, Exchange: &tape.Exchange{Request: tape.Request{Body: []byte(`"http://127.0.0.1:` + port + `/file"`)}}},
			{Seq: 2, Cause: 1, Kind: tape.KindAttempt, Entities: []string{id}, Attempt: &tape.Attempt{
				URL: "http://127.0.0.1:" + port + "/hooks", Header: []tape.Header{{Name: "User-Agent", Value: "paysandbox/" + version}},
				Body: []byte(id + status),
			}},
		}
		return given.Settled(given.Entries(entries), given.Drawn(entries))
	}
	usual := run("8081", "dev", "one", "Paid")
	require.Equal(t, usual, run("9091", "v1.2", "two", "Paid"))
	require.NotEqual(t, usual, run("8081", "dev", "one", "Canceled"))
}
