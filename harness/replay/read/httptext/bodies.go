package httptext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

func (t *transcript) finishAnswer(x *recording.Exchange) {
	a, body := &x.Answer, bytes.Clone(t.body.Bytes())
	length, err := strconv.Atoi(source.Header(a.Header, "Content-Length"))
	t.between, t.printed = body, body
	if exact, after := ofLength(body, length); exact != nil && err == nil {
		body, t.between = exact, after
	} else if one := printedAnswer(body, x.Header); one != nil {
		body, err = one, nil
		length = len(one)
	}
	switch {
	case t.lost || a.Known == recording.NeverArrived:
		*a = recording.Answer{Known: recording.NeverArrived}
	case err == nil && length > len(body) || err != nil && len(body) == 0 && a.Status != 204 && x.Method != "HEAD":
		a.Known = recording.WithoutBody
		t.part.SkipKind(recording.AnswerBody, x.Place, "the transcript does not show the answer's body")
	default:
		a.Body = mended(exactBody(body, a.Header))
	}
}

// finishBody takes the request's body from the command that made it, or from what was printed before it.
func (t *transcript) finishBody(x *recording.Exchange, before []byte) {
	length, unknown := strconv.Atoi(source.Header(x.Header, "Content-Length"))
	if x.Body != nil {
		x.Body = mended(exactBody(x.Body, x.Header))
		return
	}
	for i := range t.commands {
		c := &t.commands[i]
		if c.Method == x.Method && strings.EqualFold(c.Path, x.Path) && (len(c.Body) == length || c.BodyMissing || unknown != nil) {
			x.Body, x.BodyMissing, x.Scheme = c.Body, c.BodyMissing, c.Scheme
			t.commands = append(t.commands[:i:i], t.commands[i+1:]...)
			return
		}
	}
	for _, shown := range [][]byte{before, t.printed} {
		if body, _ := ofLength(shown, length); body != nil && !bytes.Equal(body, x.Answer.Body) {
			x.Body = body
			return
		}
	}
	if x.BodyMissing = length > 0; x.BodyMissing {
		t.part.SkipKind(recording.OfCall, x.Place, "curl -v does not show the request's body; --trace-ascii - does, or the command in the same file")
	}
}

// ofLength is the JSON of a length that stands in a text, however it is printed there, and what follows it; nil for none.
func ofLength(text []byte, length int) (exact, after []byte) {
	for at := 0; length > 1 && at+length <= len(text) && at < commands.MaxScript; at++ {
		if (text[at] == '{' || text[at] == '[') && json.Valid(text[at:at+length]) {
			return text[at : at+length], text[at+length:]
		}
	}
	return nil, text
}

// printedAnswer is the object that stands among what a program has printed behind an answer's head, where its
// length is no longer what the head says: the last one, which is not what was sent. nil where the text is a body, or none stands in it.
func printedAnswer(text []byte, sent []tape.Header) (found []byte) {
	length, _ := strconv.Atoi(source.Header(sent, "Content-Length"))
	if len(text) > commands.MaxScript || json.Valid(text) {
		return nil
	}
	for tries := 0; tries < source.MaxHeader; tries++ {
		at := bytes.IndexByte(text, '{')
		if at < 0 {
			break
		}
		var one json.RawMessage
		d := json.NewDecoder(bytes.NewReader(text[at:]))
		if err := d.Decode(&one); errors.Is(err, io.ErrUnexpectedEOF) {
			return nil // it is cut
		} else if err != nil {
			text = text[at+1:]
			continue
		}
		if len(one) != length {
			found = one
		}
		text = text[at+int(d.InputOffset()):]
	}
	return found
}

// mended is JSON in which a trace shows dots for line ends, with these: outside of texts and of numbers; as it is, if that is not so.
func mended(body []byte) []byte {
	if json.Valid(body) || len(body) == 0 {
		return body
	}
	digit := func(i int) bool { return i >= 0 && i < len(body) && body[i] >= '0' && body[i] <= '9' }
	laid, quoted := bytes.Clone(body), false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '.' && !quoted && (!digit(i-1) || !digit(i+1)):
			laid[i] = '\n'
		}
	}
	if json.Valid(laid) {
		return laid
	}
	return body
}
