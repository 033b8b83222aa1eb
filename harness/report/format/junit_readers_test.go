package format_test

import (
	"encoding/xml"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/sample"
)

// junitNumbers is what the viewers of GitHub, GitLab and Jenkins add up.
type junitNumbers struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Time     string `xml:"time,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
		Cases    []struct {
			Name      string     `xml:"name,attr"`
			Classname string     `xml:"classname,attr"`
			Time      string     `xml:"time,attr"`
			Failures  []junitSay `xml:"failure"`
			Errors    []junitSay `xml:"error"`
			Skips     []junitSay `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// junitSay is why a case did not pass.
type junitSay struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// TestJUnitAddsUp: the numbers are those of the cases, each case has one outcome
// and a name of its own, whoever fails says why, and times are numbers in any
// language.
func TestJUnitAddsUp(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*report.Report{
		"acceptance": sample.Service(), "hostile": sample.HostileService(), "readiness": sample.Integration(), "hostile readiness": sample.HostileIntegration(), "never": sample.Silent(), "ready": sample.Ready(t), "nothing": {},
	} {
		var d junitNumbers
		require.NoError(t, xml.Unmarshal(sample.Written(t, "junit", r), &d), name)
		tests, failures, errored := 0, 0, 0
		named := map[string]bool{}
		requireNumber(t, d.Time)
		for _, s := range d.Suites {
			require.NotEmpty(t, s.Name)
			requireNumber(t, s.Time)
			counted := [4]int{len(s.Cases)}
			for _, c := range s.Cases {
				requireNumber(t, c.Time)
				require.NotEmpty(t, c.Name, s.Name)
				require.NotEmpty(t, c.Classname, c.Name)
				require.False(t, named[s.Name+"\x00"+c.Classname+"\x00"+c.Name], "%s: %s stands twice", name, c.Name)
				named[s.Name+"\x00"+c.Classname+"\x00"+c.Name] = true
				require.LessOrEqual(t, len(c.Failures)+len(c.Errors)+len(c.Skips), 1, c.Name)
				for i, list := range [][]junitSay{c.Failures, c.Errors, c.Skips} {
					for _, why := range list {
						require.NotEmpty(t, why.Message, "%s: %s", name, c.Name)
						require.NotContains(t, why.Message, "\n", "%s: %s", name, c.Name)
					}
					counted[i+1] += len(list)
				}
			}
			require.Equal(t, counted, [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}, "%s: %s", name, s.Name)
			tests, failures, errored = tests+s.Tests, failures+s.Failures, errored+s.Errors
		}
		require.Equal(t, []int{tests, failures, errored}, []int{d.Tests, d.Failures, d.Errors}, name)
	}
}

func requireNumber(t *testing.T, text string) {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, n, 0.0)
}
