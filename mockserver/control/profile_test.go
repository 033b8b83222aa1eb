package control_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/delivery"
)

func TestSetProfile(t *testing.T) {
	t.Parallel()
	s := start(t)
	var made control.Endpoint
	s.post("/webhooks", `{"url":"http://localhost:9/hooks","secret":"hush-hush-1234","profile":"delay"}`).ok(&made)
	set := "/webhooks/" + made.ID + "/profile"
	var v delivery.EndpointView
	s.post(set, `{"profile":"wrong-secret,duplicate","next":2}`).ok(&v)
	require.Equal(t, []any{"duplicate,wrong-secret", 2, "hush-hush-1234"}, []any{v.Profile, v.Next, v.Secret})
	s.post(set, `{"profile":"stale-signature"}`).ok(&v)
	require.Equal(t, []any{"stale-signature", 0}, []any{v.Profile, v.Next})
	s.post(set, `{"profile":"duplicate","next":1,"forStatus":"paid"}`).ok(&v)
	require.Equal(t, []any{"duplicate", 1, "Paid"}, []any{v.Profile, v.Next, v.ForStatus})
	s.post(set, `{"profile":""}`).ok(&v)
	require.Empty(t, v.Profile+v.ForStatus)

	for body, pointers := range map[string][]string{
		`{}`:                                 {"/profile"},
		`{"profile":null}`:                   {"/profile"},
		`{"profile":"nope","next":-1}`:       {"/profile", "/next"},
		`{"profile":"","next":1.5,"more":1}`: {"/next", "/more"},
		`{"profile":"","next":1000001}`:      {"/next"},
		`{"profile":"","forStatus":"Paidd"}`: {"/forStatus"},
	} {
		p := s.post(set, body).problem(http.StatusBadRequest)
		got := []string{}
		for _, f := range p.Findings {
			got = append(got, f.Pointer)
		}
		require.Equal(t, pointers, got, body)
	}
	s.post("/webhooks/"+someID+"/profile", `{"profile":""}`).problem(http.StatusNotFound)
	require.NotContains(t, text(t, s.entries()), "hush-hush-1234")
}
