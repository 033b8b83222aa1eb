package console

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/tape"
)

// outcome is what an action has come to, shown once on the page that follows.
type outcome struct {
	Tone, Title, Text, Curl string
	// Entry is the action's number on the tape; "" when it left none.
	Entry    string
	Findings []tape.Finding
}

// outcomes keep the last actions' until the next page shows them.
type outcomes struct {
	mu    sync.Mutex
	order []string
	byKey map[string]*outcome
}

// maxOutcomes bounds what is kept.
const maxOutcomes = 256

func (o *outcomes) put(out *outcome) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byKey == nil {
		o.byKey = map[string]*outcome{}
	}
	if len(o.order) >= maxOutcomes {
		delete(o.byKey, o.order[0])
		o.order = slices.Delete(o.order, 0, 1)
	}
	key := rand.Text()
	o.order = append(o.order, key)
	o.byKey[key] = out
	return key
}

func (o *outcomes) get(key string) *outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byKey[key]
}

// do makes the control call that a form asks for, and leads back.
func (v *visit) do() {
	if !v.readForm() {
		return
	}
	form := v.r.PostForm
	method, path := form.Get("method"), form.Get("path")
	if v.on == nil || !callable(method, path) {
		v.refuse(http.StatusBadRequest, "This cannot be done here", "The form names no control call of this integration. Nothing was changed.")
		return
	}
	body, err := bodyOf(form)
	if err != nil {
		v.refuse(http.StatusBadRequest, "This form could not be read", "A field is not what it should be: "+err.Error()+". Nothing was changed.")
		return
	}
	out := outcomeOf(method, path, v.ask().Do(v.r, method, "/integrations/"+url.PathEscape(v.id)+path, body))
	v.back(form.Get("back"), &out)
}

// back leads to the page that an action came from, which tells what came of it.
func (v *visit) back(address string, out *outcome) {
	u, err := url.Parse(local(address))
	if err != nil {
		u = &url.URL{Path: Prefix}
	}
	q := u.Query()
	q.Set("did", v.console.outcomes.put(out))
	u.RawQuery = q.Encode()
	v.goTo(u.RequestURI())
}

// callable says whether a form may ask for a call: one below the integration's own.
func callable(method, path string) bool {
	u, err := url.Parse(path)
	return err == nil && slices.Contains([]string{http.MethodPost, http.MethodDelete}, method) && strings.HasPrefix(path, "/") &&
		u.Host == "" && u.Scheme == "" && !strings.Contains(u.Path, "..") && !strings.Contains(path, "//") && !strings.ContainsAny(path, "#\\ \r\n")
}

// outcomeOf tells what a call came to.
func outcomeOf(method, path string, a call.Answer) outcome {
	out := outcome{Tone: "good", Title: "Done: " + method + " " + path + " was answered " + strconv.Itoa(a.Status) + ".", Curl: a.Curl, Entry: a.Header.Get("Sandbox-Exchange")}
	var e *call.Error
	if errors.As(a.Err(), &e) {
		out.Tone, out.Title, out.Text, out.Findings = "bad", method+" "+path+" was refused: "+strconv.Itoa(a.Status)+".", e.Detail, e.Findings
	}
	return out
}

var (
	errNumber = errors.New("a whole number is expected")
	errJSON   = errors.New("JSON is expected")
)

// bodyOf makes a JSON object of the fields named body.…: dots lead into objects, and
// after a colon stands what the text means: int, bool, list (of words), raw (JSON).
// Empty fields are left out; without fields there is no body.
func bodyOf(form url.Values) ([]byte, error) {
	root := map[string]any{}
	given := false
	for key, values := range form {
		name, ok := strings.CutPrefix(key, "body.")
		if !ok {
			continue
		}
		given = true
		name, kind, _ := strings.Cut(name, ":")
		text := strings.TrimSpace(values[0])
		if kind == "list" {
			text = strings.Join(values, ",")
		}
		if text == "" {
			continue
		}
		value, err := valueOf(kind, text)
		if err != nil {
			return nil, errors.Join(errors.New(name), err)
		}
		set(root, strings.Split(name, "."), value)
	}
	if !given {
		return nil, nil
	}
	return json.Marshal(root)
}

func valueOf(kind, text string) (any, error) {
	switch kind {
	case "int":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errNumber
		}
		return n, nil
	case "bool":
		return text == "true", nil
	case "list":
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }), nil
	case "raw":
		if !json.Valid([]byte(text)) {
			return nil, errJSON
		}
		return json.RawMessage(text), nil
	default:
		return text, nil
	}
}

// set puts a value at the end of a path of members.
func set(root map[string]any, path []string, value any) {
	for ; len(path) > 1; path = path[1:] {
		next, ok := root[path[0]].(map[string]any)
		if !ok {
			next = map[string]any{}
			root[path[0]] = next
		}
		root = next
	}
	root[path[0]] = value
}
