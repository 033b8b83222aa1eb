package correlate

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Value is one value at one place of a call.
type Value struct {
	Type Type
	Text string
	// Where says it for people: "path registrationId", "/companyId", "header Authorization".
	Where string
}

// Takes are the values of known type that a call is made with.
func Takes(r *Routes, x *recording.Exchange) []Value {
	operation, list := r.Match(x.Method, x.Path)
	for arg := range strings.SplitSeq(x.Query, "&") {
		name, value, _ := strings.Cut(arg, "=")
		if plain, err := url.QueryUnescape(value); err == nil && plain != "" {
			list = append(list, Value{members[strings.ToLower(name)], plain, "query " + name})
		}
	}
	if key, ok := trail.Header(x.Header, "Idempotency-Key"); ok {
		list = append(list, Value{Key, key, "header Idempotency-Key"})
	}
	if token := Bearer(x.Header); token != "" {
		list = append(list, Value{Token, token, "header Authorization"})
	}
	list = append(list, InBody(operation, x.Body)...)
	return slices.DeleteFunc(list, func(v Value) bool { return v.Type == "" })
}

// Bearer is the access token of a call, "" for none.
func Bearer(header []tape.Header) string {
	auth, _ := trail.Header(header, "Authorization")
	scheme, token, ok := strings.Cut(auth, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// InBody are the values of known type in a JSON body of an operation, in its order.
// Company references and keys are chosen by the partner: they are there as well.
func InBody(operation string, body []byte) []Value {
	var list []Value
	Walk(body, func(path []string, v any) {
		if text, ok := v.(string); ok && text != "" && !recording.Struck(text) {
			if t := typeOf(operation, path); t != "" {
				list = append(list, Value{t, text, Pointer(path)})
			}
		}
	})
	return list
}

// Pointer writes a JSON pointer.
func Pointer(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(p, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// Walk visits what a JSON body holds that is neither object nor array, in the order
// of the body. What is no JSON is not visited, but for what stands before the fault. The
// path is the visitor's only while it visits.
func Walk(body []byte, visit func(path []string, v any)) {
	w := walker{json: trail.Tokens(body), visit: visit}
	_ = w.value(nil)
}

// deepest bounds the nesting of foreign bodies.
const deepest = 64

// walker goes through one body.
type walker struct {
	json  *jsontext.Decoder
	visit func(path []string, v any)
}

var errDeep = errors.New("the body is nested too deeply")

// value visits what is in the value that comes next.
func (w *walker) value(path []string) error {
	t, err := w.json.ReadToken()
	if err != nil {
		return err
	}
	if len(path) > deepest {
		return errDeep
	}
	switch t.Kind() {
	case '{':
		for w.json.PeekKind() == '"' {
			name, err := w.json.ReadToken()
			if err != nil {
				return err
			}
			if err := w.value(append(path, name.String())); err != nil {
				return err
			}
		}
	case '[':
		for i := 0; w.json.PeekKind() != ']'; i++ {
			if err := w.value(append(path, strconv.Itoa(i))); err != nil {
				return err
			}
		}
	default:
		w.visit(path, trail.Scalar(&t))
		return nil
	}
	_, err = w.json.ReadToken()
	return err
}
