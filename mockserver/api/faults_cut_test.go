package api_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/tape"
)

func TestCommitThenDrop(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	_, _, err := g.over(http.MethodPost, "/Company/Create", companyJSON(t, "dropped"), fault.Header, "commit-then-drop")
	require.ErrorIs(t, err, io.EOF)
	e := g.last()
	require.EqualValues(t, "header: commit-then-drop", e.Fault)
	require.Equal(t, tape.Response{}, e.Response)
	require.Equal(t, []int{0}, g.statuses)
	require.Contains(t, g.call(http.MethodGet, companyList, "").Body.String(), `"dropped"`, "it was carried out")
}

func TestCommitThenDropAndTheSameKeyAgain(t *testing.T) {
	t.Parallel()
	g := troubled(t, "idempotency=honoured")
	g.company("a")
	body := `{"amount":5000,"contactNumber":"+12025550140"}`
	w := g.call(http.MethodPost, "/Payment/Create", body, "Idempotency-Key", "k", fault.Header, "commit-then-drop")
	require.Zero(t, w.Body.Len(), "a recorder is no connection to cut, and gets nothing")
	w = g.call(http.MethodPost, "/Payment/Create", body, "Idempotency-Key", "k")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "true", w.Header().Get("Idempotent-Replayed"))
}

func TestCutConnection(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	_, _, err := g.over(http.MethodPost, "/Company/Create", companyJSON(t, "a"), fault.Header, "cut-connection")
	require.ErrorIs(t, err, io.EOF)
	require.NotContains(t, g.call(http.MethodGet, companyList, "").Body.String(), `"a"`, "nothing was done")

	_, _, err = g.over(http.MethodPost, "/Company/Create", companyJSON(t, "b"), fault.Header, "cut-connection=headers")
	require.Error(t, err, "the answer breaks off somewhere in its headers")
	require.Equal(t, tape.Response{}, g.last().Response)
	require.Contains(t, g.call(http.MethodGet, companyList, "").Body.String(), `"b"`)

	status, got, err := g.over(http.MethodPost, "/Company/Create", companyJSON(t, "c"), fault.Header, "cut-connection=body; slow-body=1s")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, http.StatusOK, status)
	require.NotEmpty(t, got)
	require.Equal(t, got, string(g.last().Response.Body), "the tape holds what went out")
	require.False(t, json.Valid([]byte(got)))

	status, _, err = g.over(http.MethodGet, companyList, "", fault.Header, "cut-connection=body; status=503")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, 503, status)

	_, _, err = g.over(http.MethodHead, companyList, "", fault.Header, "cut-connection=body")
	require.Error(t, err, "an answer without a body is cut in its headers")
}

// TestCutWithABodyThatIsNotRead: what an operation without a body is sent, of unknown length, is not waited for where the
// connection is gone.
func TestCutWithABodyThatIsNotRead(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	ended := make(chan any, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { ended <- recover() }()
		g.api.ServeHTTP(w, r)
	}))
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL+"/Payment/"+uuid.Nil.String()+"/Cancel", io.NopCloser(strings.NewReader("{}")))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+g.token)
	r.Header.Set(fault.Header, "cut-connection")
	answer, err := server.Client().Do(r)
	if err == nil {
		_ = answer.Body.Close()
	}
	require.Error(t, err)
	require.Nil(t, <-ended)
}

// unhijackable hides the connection, as HTTP/2 does.
type unhijackable struct{ http.ResponseWriter }

func TestCutWithoutHijackerAborts(t *testing.T) {
	t.Parallel()
	g := troubled(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.api.ServeHTTP(unhijackable{w}, r) }))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	defer server.Close()
	for _, header := range []string{"cut-connection", "cut-connection=headers", "cut-connection=body", "commit-then-drop"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+companyList, http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+g.token)
		r.Header.Set(fault.Header, header)
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			_ = resp.Body.Close()
		}
		require.Error(t, err, header)
	}
	g.company("after")
}
