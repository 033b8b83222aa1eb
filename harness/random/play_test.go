package random_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/partner"
	"paysandbox/harness/random"
	"paysandbox/mockserver/mocktest"
)

// played plays calls for an integration of a sandbox, whose partner API is called through
// a handler that may answer itself.
func played(t *testing.T, own func(w http.ResponseWriter, r *http.Request) bool) (mistake, err error) {
	t.Helper()
	sandbox := mocktest.Start(t, mocktest.Options{})
	to, err := url.Parse(sandbox.URL)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = &http.Transport{DisableKeepAlives: true} // a connection that a fault has cut is none for the next call
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !own(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(between.Close)
	stage := &partner.Stage{Base: sandbox.URL}
	made, err := stage.Create(t.Context(), partner.NewIntegration{Seed: 1, Clock: partner.Clock{Mode: "manual"}})
	require.NoError(t, err)
	stage.Integration = made.ID
	p := random.Player{
		Client: &partner.Client{Base: between.URL, ID: made.ClientID, Secret: made.ClientSecret, Integration: made.ID},
		Stage:  stage, Visitor: &partner.Visitor{},
	}
	return p.Play(t.Context(), 300, 1, nil)
}

// TestMistakesAreTold: an answer that is the service's own mistake is told with its call,
// and a call that is not answered is an error, unless a fault was asked for.
func TestMistakesAreTold(t *testing.T) {
	t.Parallel()
	of := func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/Consent/List") }
	mistake, err := played(t, func(http.ResponseWriter, *http.Request) bool { return false })
	require.NoError(t, err, "faults that were asked for cut what they like")
	require.NoError(t, mistake)
	for _, status := range []int{http.StatusInternalServerError, http.StatusCreated} {
		mistake, err = played(t, func(w http.ResponseWriter, r *http.Request) bool {
			if of(r) {
				w.WriteHeader(status)
			}
			return of(r)
		})
		require.NoError(t, err)
		require.ErrorContains(t, mistake, "GET /Consent/List")
		require.ErrorContains(t, mistake, ": the service answers ")
	}
	_, err = played(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if of(r) {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	require.ErrorContains(t, err, "GET /Consent/List")
}
