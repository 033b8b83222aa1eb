package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/sampling"
)

// elsewhere is a sandbox at an address of its own, with its control API apart.
func elsewhere(t *testing.T, args ...string) announced {
	t.Helper()
	said, _ := beside(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--announce", "json"}, args...)...)
	var a announced
	require.NoError(t, json.Unmarshal([]byte(said.until(t, "\n")), &a))
	return a
}

type announced struct{ BaseURL, ControlURL, ClientID, ClientSecret string }

const (
	brokenService = "../../fixtures/reports/service-500/session.har"
	tooMuch       = "../../fixtures/reports/refund-too-much/session.har"
)

// TestACaseIsPlayedToATarget: what the service got wrong is gone there, what the partner
// did wrong is refused there too; and one that answers otherwise is told.
func TestACaseIsPlayedToATarget(t *testing.T) {
	sampling.NotRaced(t, "TestPeopleDoWhatAClosedTargetCannotBeAsked does the same with it")
	t.Parallel()
	at := elsewhere(t)
	code, said, _ := ran(t, "replay", brokenService, "--target", at.BaseURL)
	require.Equal(t, 0, code, said)
	require.Contains(t, said, "recorded 500           there 200            GET /Company/List")
	require.Contains(t, said, "The fault of the files is gone there")
	code, said, _ = ran(t, "replay", tooMuch, "--target", at.BaseURL)
	require.Equal(t, 0, code, said)
	require.Contains(t, said, "The same fault shows there as in the files.")

	asked(t, http.MethodPost, at.ControlURL+"/integrations/default/faults", `{"match":{"operation":"listCompanies"},"effect":{"status":500}}`)
	code, said, err := ran(t, "replay", brokenService, "--target", at.BaseURL, "--control-url", "none", "--client-id", at.ClientID, "--client-secret", at.ClientSecret)
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "The same fault shows there as in the files.")
	require.Contains(t, err, "at the target, the first fault is the service's")
}

// TestATargetIsNamedWell: what cannot be carried out is refused before anything is.
func TestATargetIsNamedWell(t *testing.T) {
	sampling.NotRaced(t, "TestACaseIsPlayedToATarget goes the same way with it")
	t.Parallel()
	at := elsewhere(t, "--control-addr", "127.0.0.1:0")
	credentials := []string{"--client-id", at.ClientID, "--client-secret", at.ClientSecret}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "there is none", []string{"--control-url", "none"}},
		{2, "is no address of a service", []string{"--target", "sandbox"}},
		{2, "tells people what shows", []string{"--target", at.BaseURL, "--format", "json"}},
		{2, "has no control API that is open", []string{"--target", at.BaseURL}},
		{2, "the control API at", []string{"--target", at.BaseURL, "--control-url", at.BaseURL}},
		{2, "3 things have to be done at " + at.BaseURL + " by hand", append([]string{"--target", at.BaseURL}, credentials...)},
		{4, "the target: ", []string{"--target", "http://127.0.0.1:1"}},
	} {
		code, _, said := ran(t, append([]string{"replay", tooMuch}, c.args...)...)
		require.Equal(t, c.code, code, said)
		require.Contains(t, said, c.says)
	}
	require.NotContains(t, asked(t, http.MethodGet, at.ControlURL+"/integrations/default/tape", ""), "/Company/Create")
}

// person reads what has to be done by hand, does it by the control API, and presses Enter.
type person struct {
	t       *testing.T
	control string
	enter   io.Writer
	said    strings.Builder
	idle    bool
}

var idThere = regexp.MustCompile(`is (\S+) there`)

func (p *person) Write(b []byte) (int, error) {
	p.said.Write(b)
	text := string(b)
	if !strings.HasSuffix(text, "Press Enter when it is done: ") {
		return len(b), nil
	}
	if id := idThere.FindStringSubmatch(text); !p.idle && id != nil {
		switch at := p.control + "/integrations/default"; {
		case strings.Contains(text, "linked a bank"):
			asked(p.t, http.MethodPost, at+"/registrations/"+id[1]+"/complete", "{}")
		case strings.Contains(text, "approved"):
			asked(p.t, http.MethodPost, at+"/payments/"+id[1]+"/approve", "{}")
		case strings.Contains(text, "pass, by the end of which payment"):
			asked(p.t, http.MethodPost, at+"/payments/"+id[1]+"/pay", "{}")
		}
	}
	go func() { _, _ = p.enter.Write([]byte("\n")) }()
	return len(b), nil
}

// TestPeopleDoWhatAClosedTargetCannotBeAsked: where the control API is apart, somebody
// who does what is said makes the same case there; somebody who only presses Enter makes
// another.
func TestPeopleDoWhatAClosedTargetCannotBeAsked(t *testing.T) {
	t.Parallel()
	for _, idle := range []bool{false, true} {
		at := elsewhere(t, "--control-addr", "127.0.0.1:0")
		inside, _, stop, err := replaySandbox(t.Context())
		require.NoError(t, err)
		raw, err := os.ReadFile(tooMuch)
		require.NoError(t, err)
		o := replay.Options{Sandbox: inside}
		same := func(r recording.Recording) recording.Recording { return r }
		c, err := replay.MakeCase(t.Context(), []source.File{{Name: "session.har", Data: raw}}, same, o)
		require.NoError(t, err)
		script := c.ToTarget()
		sandbox := &play.Sandbox{Base: at.BaseURL, HTTP: http.DefaultClient, Routes: inside.Routes}
		hand := &play.ByHand{ClientID: at.ClientID, ClientSecret: at.ClientSecret, Due: c.Due(), Now: time.Now}
		in, enter := io.Pipe()
		p := &person{t: t, control: at.ControlURL, enter: enter, idle: idle}
		there, err := playByHand(t.Context(), sandbox, &script, hand, in, p)
		require.NoError(t, err)
		_, compared, err := c.Against(t.Context(), there, o)
		require.NoError(t, err)
		require.NoError(t, stop())
		require.Contains(t, p.said.String(), "By hand, 1 of 3: the payer ")
		require.Contains(t, p.said.String(), "page: "+at.BaseURL+"/pages/default/pay/")
		require.Equal(t, !idle, compared == "The same fault shows there as in the files.", compared)
	}
}
