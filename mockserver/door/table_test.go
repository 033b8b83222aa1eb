package door_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/openapi"
)

func table(s door.Options) *door.Table[string] {
	var rows []*door.Row[string]
	for _, op := range []string{"GET /Plan/List", "POST /Plan/Create", "GET /Plan/{id}", "PUT /Plan/{id}/Payers/{who}", "DELETE /Plan/{id}/Payers/{who}", "GET /ready"} {
		method, path, _ := strings.Cut(op, " ")
		rows = append(rows, door.NewRow(op, method, path, op, nil, nil))
	}
	return door.NewTable(rows, s)
}

// TestFind: the spellings, the parameters, and that a literal hides a parameter
// for every method.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		method, path string
		opts         door.Options
		want, id     string
		allow        string
	}{
		{"GET", "/Plan/List", door.Options{}, "GET /Plan/List", "", "GET, HEAD"},
		{"HEAD", "/Plan/List/", door.Options{}, "GET /Plan/List", "", "GET, HEAD"},
		{"PUT", "/Plan/Create", door.Options{}, "", "", "POST"},
		{"PATCH", "/Plan/x", door.Options{}, "", "x", "GET, HEAD"},
		{"GET", "/Plan/Create", door.Options{}, "", "", "POST"},
		{"GET", "/Plan/create", door.Options{}, "GET /Plan/{id}", "create", "GET, HEAD"},
		{"GET", "/Plan/create", door.Options{AnyCase: true}, "", "", "POST"},
		{"PUT", "/pLAN/aB/PAYERS/Cd", door.Options{AnyCase: true}, "PUT /Plan/{id}/Payers/{who}", "aB", "DELETE, PUT"},
		{"PUT", "/plan/aB/Payers/Cd", door.Options{}, "", "", ""},
		{"PUT", "/Plan/List/Payers/Create", door.Options{AnyCase: true}, "PUT /Plan/{id}/Payers/{who}", "List", "DELETE, PUT"},
		{"PUT", "/Plan/-/Payers/{who}", door.Options{}, "PUT /Plan/{id}/Payers/{who}", "-", "DELETE, PUT"},
		{"GET", "/Plan/a%2Fb", door.Options{}, "GET /Plan/{id}", "a/b", "GET, HEAD"},
		{"GET", "/Plan/a%2Fb", door.Options{Decoded: true}, "", "", ""},
		{"GET", "/Plan/a%20b", door.Options{}, "GET /Plan/{id}", "a b", "GET, HEAD"},
		{"GET", "/Pl%61n/x", door.Options{Decoded: true}, "GET /Plan/{id}", "x", "GET, HEAD"},
		{"GET", "/Pl%61n/x", door.Options{}, "", "", ""},
		{"GET", "/Plan//x", door.Options{}, "", "", ""},
		{"GET", "//Plan/x", door.Options{}, "", "", ""},
		{"GET", "/Plan/", door.Options{}, "", "", ""},
		{"GET", "/", door.Options{}, "", "", ""},
		{"OPTIONS", "*", door.Options{}, "", "", ""},
	} {
		var vars door.Vars
		r := httptest.NewRequestWithContext(t.Context(), tc.method, "http://a.co/", http.NoBody)
		require.NoError(t, r.URL.UnmarshalBinary([]byte(tc.path)))
		found, all := table(tc.opts).Find(r, &vars)
		got := ""
		if found != nil {
			got = found.Endpoint
		}
		require.Equal(t, tc.want, got, "%s %s", tc.method, tc.path)
		require.Equal(t, tc.id, vars.Get("id"), tc.path)
		require.Equal(t, tc.allow, strings.Join(door.Allow(all), ", "), "%s %s", tc.method, tc.path)
	}
}

func TestNowhere(t *testing.T) {
	t.Parallel()
	plans := table(door.Options{Noun: "call", Docs: "/docs"})
	for path, want := range map[string]string{
		"/Plans/List": "the nearest is GET /Plan/List;", "/plan/x/payer/y": "the nearest is PUT /Plan/{id}/Payers/{who};",
		"/read": "the nearest is GET /ready;", "/" + strings.Repeat("z/", 300): "",
	} {
		e, allow := plans.Refuse("GET", path, nil, nil)
		require.Equal(t, kernel.NotFound, e.Code)
		require.Contains(t, e.Detail, want)
		require.Contains(t, e.Detail, "/docs lists them all")
		require.Empty(t, allow)
	}
	e, _ := plans.Refuse("GET", "/Plans/List", nil, func(r *door.Row[string]) bool { return r.Path == "/Plan/List" })
	require.NotContains(t, e.Detail, "/Plan/List;")
	rows := plans.Rows()
	e, allow := plans.Refuse("GET", "/Plan/Create", rows[1:2], nil)
	require.Equal(t, kernel.MethodNotAllowed, e.Code)
	require.Equal(t, []string{"POST"}, allow)
	e, _ = plans.Refuse("GET", "/Plan/Create", rows[1:2], func(*door.Row[string]) bool { return true })
	require.Equal(t, kernel.NotFound, e.Code)
}

// TestRow: what follows from a row's body, answer and parameters.
func TestRow(t *testing.T) {
	t.Parallel()
	row := door.NewRow("a", http.MethodPost, "/a/{id}", "", struct{}{}, door.Empty{}).
		With(openapi.Param{Name: "id", In: "path"}).Fails(http.StatusConflict).Fails(http.StatusConflict)
	require.Nil(t, row.Response)
	require.Equal(t, []int{400, 401, 404, 409, 413, 415}, row.Errors)
	require.Equal(t, []int{401}, door.NewRow("b", http.MethodGet, "/b", "", nil, 1).With(openapi.Param{Name: "q", In: "query"}).Errors)
}
