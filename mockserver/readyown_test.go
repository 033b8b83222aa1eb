package mockserver_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// TestAReadyWorldIsItsOwners: the ready world that an integration begins with is made
// under its own id: its links lead to its own pages, its webhook secret is nobody else's,
// and the tape, with what came later, comes out again byte for byte.
func TestAReadyWorldIsItsOwners(t *testing.T) {
	t.Parallel()
	s := server(t, tape.Limits{})
	secrets := map[string]string{}
	for _, name := range fixtures.ReadyWorlds() {
		from := func(client string) *integration.Integration {
			asked(t, s, http.MethodPost, "", `{"from":"`+name+`","clientId":"`+client+`","clock":{"mode":"manual"}}`)
			i := s.Registry().Client(client)
			require.NotNil(t, i)
			return i
		}
		i := from(name)
		secret := i.Options().WebhookSecret
		require.NotContains(t, secrets, secret, "another has it: %s", secrets[secret])
		secrets[secret] = name
		newCaller(s, i).call(t, http.MethodPost, "/User/Register", []byte(`{"redirectUrl":"https://shop.example.com/done","mobileNumber":"+12025550177","amount":5000,"period":"once"}`))
		file := lines(t, i)
		require.Contains(t, file, "/pages/"+i.ID+"/")
		require.NotContains(t, file, "/pages/default/")
		require.NotContains(t, file, "/"+integration.StandIn+"/")
		again, err := s.Load(t.Context(), []byte(file))
		require.NoError(t, err, name)
		require.Equal(t, i.ID, again.Of)
	}
}

// TestATapeOfAForkComesOutAgain: what its forebears were asked has links to their pages,
// and what it was asked itself to its own.
func TestATapeOfAForkComesOutAgain(t *testing.T) {
	t.Parallel()
	s := server(t, tape.Limits{})
	asks := func(i *integration.Integration, phone string) {
		newCaller(s, i).call(t, http.MethodPost, "/User/Register", []byte(`{"redirectUrl":"https://shop.example.com/done","mobileNumber":"`+phone+`","amount":5000,"period":"once"}`))
	}
	i := s.Registry().Default()
	body, err := fixtures.Payload("company-create")
	require.NoError(t, err)
	newCaller(s, i).call(t, http.MethodPost, "/Company/Create", body)
	file := ""
	for n, client := range []string{"child", "grandchild"} {
		asks(i, "+1202555018"+strconv.Itoa(n))
		asked(t, s, http.MethodPost, "", `{"from":"`+i.ID+`","clientId":"`+client+`"}`)
		i = s.Registry().Client(client)
		asks(i, "+1202555019"+strconv.Itoa(n))
		asked(t, s, http.MethodPost, "/"+i.ID+"/clock/advance", `{"by":"48h"}`)
		asked(t, s, http.MethodPost, "/"+i.ID+"/webhooks", `{"url":"http://127.0.0.1:1/hook"}`)
		file = lines(t, i)
		require.Contains(t, file, "/pages/"+i.ID+"/")
		require.Contains(t, file, "/pages/default/")
		_, err := s.Load(t.Context(), []byte(file))
		require.NoError(t, err, client)
	}
	require.Contains(t, file, "/pages/"+s.Registry().Client("child").ID+"/")
}

// TestAReadyWorldsLinksLeadSomewhere: to the address at which it was asked for.
func TestAReadyWorldsLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	s := server(t, tape.Limits{})
	for n, host := range []string{"127.0.0.1:18484", "localhost:18485"} {
		client := "owner-" + strconv.Itoa(n)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+host+"/_sandbox/integrations", strings.NewReader(`{"from":"registered-payer","clientId":"`+client+`"}`))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, w.Body.String())
		i := s.Registry().Client(client)
		links := linked.FindAllStringSubmatch(lines(t, i), -1)
		require.NotEmpty(t, links)
		for _, link := range links {
			require.Equal(t, host, link[1])
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, link[0], http.NoBody)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			require.Equal(t, http.StatusOK, w.Code, link[0])
		}
	}
}

// linked is a link to a hosted page: the whole, its host, and its code.
var linked = regexp.MustCompile(`http://([^/"\\]+)/pages/[0-9a-f-]{36}/[a-z-]+/([0-9a-f-]{36})`)

// TestNobodyKnowsTheLinksOfAnother who has begun with the same ready world, where secrets
// follow from one of the process.
func TestNobodyKnowsTheLinksOfAnother(t *testing.T) {
	t.Parallel()
	s := still(t, mockserver.Options{Integration: integration.Options{Seed: 1, Clock: integration.Manual, Secret: []byte("of the process")}})
	t.Cleanup(s.Registry().Close)
	known := map[string]string{}
	for _, name := range fixtures.ReadyWorlds() {
		for n := range 2 {
			client := name + "-" + strconv.Itoa(n)
			asked(t, s, http.MethodPost, "", `{"from":"`+name+`","clientId":"`+client+`"}`)
			i := s.Registry().Client(client)
			codes := map[string]bool{i.Options().WebhookSecret: true}
			for _, link := range linked.FindAllStringSubmatch(lines(t, i), -1) {
				codes[link[2]] = true
			}
			require.Greater(t, len(codes), 1)
			for code := range codes {
				require.Empty(t, known[code], "%s of %s", code, client)
				known[code] = client
			}
		}
	}
}
