package observe

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/harness/trail"
)

// Secret is a secret of the integration, by its name for people.
type Secret struct{ Name, Value string }

// tokenForm is what an access token looks like.
var tokenForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.(eyJ[A-Za-z0-9_-]{8,})\.[A-Za-z0-9_-]{20,}`)
})

// base64Form is what an access token may be written in once more; hexForm, too.
var (
	base64Form = trail.Pattern(`[A-Za-z0-9+/_-]{80,}`)
	hexForm    = trail.Pattern(`[0-9A-Fa-f]{120,}`)
)

// overlap is how much of what was written before is looked at again, in bytes: what
// is searched may come in parts.
const overlap = 8 << 10

// Output passes on what a stream of the application is given, and says which secrets
// stand there: those that are given, and access tokens. It is safe for concurrent use.
type Output struct {
	to      io.Writer
	secrets []Secret
	found   func(secret string)

	mu    sync.Mutex
	tail  []byte
	noted map[string]bool
}

// NewOutput makes an output; found hears of each secret once.
func NewOutput(to io.Writer, secrets []Secret, found func(secret string)) *Output {
	all := slices.Clone(secrets)
	for _, s := range secrets {
		for _, form := range inBase64(s.Value) {
			all = append(all, Secret{Name: s.Name, Value: form})
		}
		if in := hex.EncodeToString([]byte(s.Value)); in != "" {
			all = append(all, Secret{Name: s.Name, Value: in}, Secret{Name: s.Name, Value: strings.ToUpper(in)})
		}
	}
	return &Output{to: to, secrets: all, found: found, noted: map[string]bool{}}
}

// inBase64 is what stands in the base64 of any text that holds a secret, wherever in the
// text it begins: Basic credentials are written so.
func inBase64(secret string) []string {
	const least = 8 // what is shorter may stand there by chance
	var list []string
	for before, cut := range []int{0, 2, 3} { // characters that what comes before has a part in
		form := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), secret...))[cut:]
		if (before+len(secret))%3 != 0 { // and what comes after in the last one
			form = form[:max(0, len(form)-1)]
		}
		if len(form) >= least {
			list = append(list, form, strings.NewReplacer("+", "-", "/", "_").Replace(form))
		}
	}
	return list
}

// Write passes b on and looks at it.
func (o *Output) Write(b []byte) (int, error) {
	o.look(b)
	return o.to.Write(b)
}

func (o *Output) look(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := append(o.tail, b...)
	for _, s := range o.secrets {
		if s.Value != "" && bytes.Contains(text, []byte(s.Value)) {
			o.tell(s.Name)
		}
	}
	if holdsToken(text) || slices.ContainsFunc(unwrapped(text), holdsToken) {
		o.tell("access token")
	}
	o.tail = bytes.Clone(text[max(0, len(text)-overlap):])
}

func (o *Output) tell(secret string) {
	if !o.noted[secret] {
		o.noted[secret] = true
		o.found(secret)
	}
}

// holdsToken says whether an access token stands in a text.
func holdsToken(text []byte) bool {
	return slices.ContainsFunc(tokenForm().FindAllSubmatch(text, -1), func(m [][]byte) bool { return isToken(m[1]) })
}

// unwrapped are the texts that stand in a text in base64, of either alphabet and wherever
// they begin, or in hex, and are long enough for a token.
func unwrapped(text []byte) [][]byte {
	var list [][]byte
	for _, run := range base64Form().FindAll(text, -1) {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(string(run))
		for from := range 4 { // what stands before it may be of the same alphabet
			rest := plain[from:]
			if raw, err := base64.RawStdEncoding.DecodeString(rest[:len(rest)/4*4]); err == nil {
				list = append(list, raw)
			}
		}
	}
	for _, run := range hexForm().FindAll(text, -1) {
		for from := range 2 {
			rest := run[from:]
			raw := make([]byte, len(rest)/2)
			if _, err := hex.Decode(raw, rest[:len(raw)*2]); err == nil {
				list = append(list, raw)
			}
		}
	}
	return list
}

// isToken says whether the claims of a JWT are those of an access token.
func isToken(claims []byte) bool {
	raw, err := base64.RawURLEncoding.DecodeString(string(claims))
	var c struct {
		ID string `json:"jti"`
	}
	return err == nil && json.Unmarshal(raw, &c) == nil && c.ID != ""
}

// Reads notes that a stream of the application is read from now on, and Spilled that a
// secret stood there. They may be called while Watch runs.
func (s *Session) Reads(ctx context.Context, stream string) {
	s.noteOutput(ctx, trail.Output{Stream: stream})
}

// Spilled notes that the application has printed a secret.
func (s *Session) Spilled(ctx context.Context, stream, secret string) {
	s.say("the application has printed the " + secret + " on " + stream)
	s.noteOutput(ctx, trail.Output{Stream: stream, Found: secret})
}

func (s *Session) noteOutput(ctx context.Context, o trail.Output) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	data := map[string]string{"stream": o.Stream}
	if o.Found != "" {
		data["found"] = o.Found
	}
	s.tellNote(ctx, trail.NoteOutput, "what the application prints", data)
}
