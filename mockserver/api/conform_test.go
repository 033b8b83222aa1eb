package api_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/conform"
	"paysandbox/mockserver/api"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
)

// validators are those of the descriptions that the sandbox serves, by the choices
// that they follow.
var validators sync.Map

// described is the validator of the description under these choices.
func described(s latitude.Settings) (*conform.Validator, error) {
	once, _ := validators.LoadOrStore(s, sync.OnceValues(func() (*conform.Validator, error) {
		document, err := openapi.Document(openapi.Info{Version: "test", Choices: s, Events: api.Events(s)}, api.New(api.Options{}).OperationsUnder(s))
		if err != nil {
			return nil, err
		}
		return conform.NewValidator(document)
	}))
	return once.(func() (*conform.Validator, error))()
}

// conforms holds every answer of these tests to the OpenAPI description. It
// leaves out what the description does not speak of: faults, and requests that no
// operation takes.
func (s *sandbox) conforms(r *http.Request, w *httptest.ResponseRecorder) {
	s.t.Helper()
	for _, i := range s.reg.List() {
		if i.Settings() != s.reg.Default().Settings() {
			return // whose answer it is, is not told here
		}
	}
	if w.Code == http.StatusMethodNotAllowed || w.Header().Get("Sandbox-Fault") != "" || r.Method == http.MethodHead {
		return
	}
	operation := s.operationOf(r, w)
	if operation == "" {
		return
	}
	validator, err := described(s.reg.Default().Settings())
	require.NoError(s.t, err)
	path := r.URL.EscapedPath()
	for _, op := range s.api.Operations() {
		if op.ID == operation && op.Method == r.Method {
			path = filled(op.Path, r.URL.EscapedPath())
		}
	}
	header := w.Header().Clone()
	header.Set("Sandbox-Warning", "answers alone are judged: these tests bend requests on purpose")
	require.NoError(s.t, validator.Exchange(r.Method, path, w.Code, header, nil, w.Body.Bytes()), "%s %s", r.Method, r.URL)
}

// operationOf is the operation of an answer, as the tape has it; "" when the
// answer is not on the default integration's tape.
func (s *sandbox) operationOf(r *http.Request, w *httptest.ResponseRecorder) string {
	seq, err := strconv.ParseUint(w.Header().Get("Sandbox-Exchange"), 10, 64)
	e, found := s.reg.Default().Entry(seq)
	if err != nil || !found || e.Exchange == nil || e.Exchange.Path != r.URL.EscapedPath() || e.Exchange.Method != r.Method {
		return ""
	}
	return e.Exchange.Operation
}

// filled writes a path as the route table spells it, with the parameters of the
// path that was called.
func filled(template, path string) string {
	want, got := strings.Split(template, "/"), strings.Split(strings.TrimSuffix(path, "/"), "/")
	for i := range want {
		if strings.HasPrefix(want[i], "{") && i < len(got) {
			want[i] = got[i]
		}
	}
	return strings.Join(want, "/")
}
