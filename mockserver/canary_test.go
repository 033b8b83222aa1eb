package mockserver_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
)

// Canaries: values of which nothing may be seen outside of the call that brings them.
const (
	canaryCard    = "4111111111111111"
	canarySSN     = "123-45-6789"
	canaryDotted  = "4111.1111.1111.1111"
	canaryWide    = "４１１１１１１１１１１１１１１１"
	canaryEscaped = `\u0034111\u00a01111\u00201111-1111`
	canaryScript  = "٤١١١١١١١١١١١١١١١"
	canaryWord    = "4242424242424242exp"
	canaryForeign = "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.cAn4ryS1gnature"
	canaryToken   = "cAn4ryT0kenInAnAddress77x"
	canaryPart    = "pAth9Canary8Of7AnAddress6"
	canaryAddress = "https://files.example.com/f/" + canaryPart + "/a.pdf?token=" + canaryToken + "&n=1"
)

// parameter is one of a path.
var parameter = regexp.MustCompile(`\{[^{}]+\}`)

// canaries are the bodies of an operation that hold one in each text field, alone.
func canaries(body any) (list []string) {
	t := reflect.TypeOf(body)
	if t == nil {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, path := range texts(t, 0) {
		for _, canary := range []string{canaryCard, canarySSN, canaryAddress, "see " + canaryCard + " or " + canarySSN, "see " + canaryDotted + " or " + canaryWide, canaryScript + " +" + canaryWord + " " + canaryForeign} {
			var value any = canary
			for n := len(path) - 1; n >= 0; n-- {
				value = map[string]any{path[n]: value}
			}
			text, err := json.Marshal(value)
			if err != nil {
				panic(err)
			}
			list = append(list, string(text))
		}
	}
	return list
}

// texts are the ways to the text fields of a body.
func texts(t reflect.Type, depth int) (paths [][]string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String || t.Kind() == reflect.Interface:
		return [][]string{{}}
	case t.Kind() == reflect.Map:
		return [][]string{{"canary"}}
	case t.Kind() != reflect.Struct || depth > 4:
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		for _, path := range texts(f.Type, depth+1) {
			if f.Anonymous && name == "" {
				paths = append(paths, path)
				continue
			}
			paths = append(paths, append([]string{name}, path...))
		}
	}
	return paths
}

// TestAttackCanaries puts a card number, a social security number and an address with
// tokens into each text field of each operation, and looks for them wherever somebody
// else could see them: the tape, the control API, the console and the log.
func TestAttackCanaries(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	o := rehearsalOptions(23)
	o.Loopback, o.Log = true, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: mockserver.MaskAttr}))
	s, err := mockserver.New(o)
	require.NoError(t, err)
	t.Cleanup(s.Registry().Close)
	d := newDriver(s)
	for n := range 12 {
		moves()[n%len(moves())](d, n)
	}
	sent := 0
	for _, op := range s.Operations() {
		path := strings.NewReplacer("{", "", "}", "").Replace(op.Path)
		for _, canary := range []string{"%22" + canaryCard, "a%3A" + canaryCard, "%41%20" + canarySSN} {
			d.call(op.Method, parameter.ReplaceAllString(op.Path, canary), "{}")
		}
		for _, body := range canaries(op.Request) {
			d.call(op.Method, path, body)
			sent++
		}
	}
	require.Greater(t, sent, 200)
	d.call(http.MethodPost, "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550177","companyReferenceId":"bench-1","attachment":"`+canaryAddress+`","returnUrl":"`+canaryAddress+`"}`)
	d.call(http.MethodPost, "/Payment/Create", `{"attachment":"`+strings.ReplaceAll(canaryAddress, "/", `\/`)+`"}`)
	d.call(http.MethodPost, "/Payment/Create", `{"attachment":,"`+canaryAddress+`"`)
	d.call(http.MethodPost, "/Payment/Create", `{"amount":5000,"contactNumber":"+12025550177","companyReferenceId":"bench-1","shortDescription":"`+canaryEscaped+`"}`)
	d.call(http.MethodPost, "/_sandbox/integrations/default/webhooks", `{"url":"`+canaryAddress+`"}`)
	d.call(http.MethodPost, "/_sandbox/integrations/default/notes", `{"kind":"note","text":"`+canaryCard+" "+canarySSN+`"}`)
	s.Registry().Default().Settle()
	surfaces := map[string]string{"the tape": written(t, s), "the log": log.String()}
	for _, path := range []string{
		"/console", "/console/default", "/console/default/problems", "/console/default/entities", "/console/default/deliveries", "/console/default/inbox",
		"/_sandbox/integrations/default/tape", "/_sandbox/integrations/default/entities", "/_sandbox/integrations/default/messages",
		"/_sandbox/integrations/default/deliveries", "/_sandbox/integrations/default/search?q=canary",
		"/_sandbox/strangers", "/_sandbox/integrations",
	} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, http.NoBody)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		surfaces[path] = w.Body.String()
	}
	for where, text := range surfaces {
		for _, canary := range []string{canaryCard, canarySSN, canaryToken, canaryPart, canaryDotted, canaryWide, canaryEscaped, canaryScript, canaryWord, "cAn4ryS1gnature"} {
			if at := strings.Index(text, canary); at >= 0 {
				t.Errorf("%s shows %s: …%s…", where, canary, text[max(0, at-300):min(len(text), at+100)])
			}
		}
	}
	require.Contains(t, surfaces["the tape"], "a token in an address, struck")
}
