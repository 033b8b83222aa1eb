package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
)

// TestParallelIntegrations: two hundred clients at once, each with its own
// integration, see what is theirs and nothing else.
func TestParallelIntegrations(t *testing.T) {
	t.Parallel()
	house := start(t, integration.Options{Seed: 7})
	clients := make([]*sandbox, 200)
	for n := range clients {
		_, token := house.neighbour(uint64(1000 + n))
		clients[n] = &sandbox{t: t, api: house.api, reg: house.reg, token: token}
	}
	answers := make([]string, len(clients))
	var wait sync.WaitGroup
	for n, s := range clients {
		wait.Go(func() {
			ref := fmt.Sprint("ref-", n)
			for m := range 5 {
				s.call(http.MethodPost, "/Company/Create", strings.Replace(smallCompany(ref, m), "NAME", fmt.Sprint("Gym ", n), 1))
				s.call(http.MethodPost, "/Payment/Create", fmt.Sprintf(`{"amount":%d,"contactNumber":"2025550123","reference":%q}`, n+1, ref))
			}
			answers[n] = s.call(http.MethodGet, "/Company/List", "").Body.String() + s.call(http.MethodGet, "/Transaction/Report", "").Body.String()
		})
	}
	wait.Wait()
	for n, answer := range answers {
		require.Equal(t, 5, strings.Count(answer, fmt.Sprintf(`"name":"Gym %d"`, n)))
		require.Equal(t, 5, strings.Count(answer, fmt.Sprintf(`"reference":"ref-%d"`, n)))
		require.Equal(t, 5, strings.Count(answer, `"name":"Gym `))
		require.Equal(t, 5, strings.Count(answer, `"reference":`))
	}
	require.Equal(t, `{"companies":[]}`, house.call(http.MethodGet, "/Company/List", "").Body.String())
}

// smallCompany is the smallest company that is accepted, its name to be filled
// in.
func smallCompany(ref string, m int) string {
	return fmt.Sprintf(`{"companyReferenceId":"%s-%d","name":"NAME","emailAddress":"a@b.co","contactNumber":"2025550123","companyType":"LLC","state":"CA","zipCode":"12345",
		"owner":{"emailAddress":"o@b.co","contactNumber":"2025550124","ssn":"1234","state":"CA","zipCode":"12345"}}`, ref, m)
}
