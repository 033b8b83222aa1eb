package door

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
)

// Why is why a body was not taken in.
type Why string

// The reasons; none is "".
const (
	// TooLarge bodies have more bytes than they may.
	TooLarge Why = "too-large"
	// BrokenOff bodies ended before they were complete.
	BrokenOff Why = "broken-off"
	// NoRoom is said of bodies for which the process had no memory left.
	NoRoom Why = "no-room"
	// Full is said of bodies that would make something when nothing more can be kept.
	Full Why = "full"
	// WrongMedia is said of a body that does not say that it is what the surface reads.
	WrongMedia Why = "media-type"
)

// Unread tells of a body that was not taken in.
type Unread struct {
	Why Why
	// Bytes is how many came of a body that broke off or found no room, and how many
	// were announced of one that is too large, -1 when none were.
	Bytes int64
}

// small bodies are always read: they take no more than what the server's library holds of
// each connection anyway, and who wants to make room has to be heard.
const small = 4 << 10

// step is the most that a body is drawn from the budget at once, before anything of it
// has come, in bytes.
const step = 64 << 10

// read takes in the body, at most so many bytes, as far as the process has room for
// it. It is the one place where a request's body is read.
func (x *Exchange) read(most int64) {
	x.Body.Reset()
	body := http.MaxBytesReader(x.Writer, x.Req.Body, most)
	if n := x.Req.ContentLength; n > most { // who asks whether to send it is not told to
		x.Unread = Unread{TooLarge, n}
	} else if n < 0 || n > step {
		x.readLarge(body)
	} else if !x.draw(n) {
		x.Unread = Unread{NoRoom, 0}
	} else {
		n, err := x.Body.ReadFrom(body)
		x.judgeReading(n, err)
	}
}

// readLarge reads a body into memory that grows as it comes: what announces much and
// sends little holds little.
func (x *Exchange) readLarge(body io.Reader) {
	var taken []byte
	for {
		if len(taken) == cap(taken) {
			larger, ok := x.larger(taken)
			if !ok {
				x.Unread = Unread{NoRoom, int64(len(taken))}
				return
			}
			taken = larger
		}
		n, err := body.Read(taken[len(taken):cap(taken)])
		taken = taken[:len(taken)+n]
		if err == nil {
			continue
		}
		x.Body = *bytes.NewBuffer(taken)
		if !errors.Is(err, io.EOF) {
			x.judgeReading(int64(len(taken)), err)
		}
		return
	}
}

// larger moves what has come to twice the room, or to as much as was announced, and says
// whether there was so much. The budget is drawn for all the room, filled or not, and
// for both while one is copied to the other.
func (x *Exchange) larger(taken []byte) ([]byte, bool) {
	held := int64(cap(taken))
	size := max(step, 2*held)
	if n := x.Req.ContentLength; n >= held && n < size {
		size = n + 1 // and the end of it
	}
	if !x.draw(size) {
		return nil, false
	}
	moved := append(make([]byte, 0, size), taken...)
	x.drawn -= held
	x.door.Budget.Give(held)
	return moved, true
}

// judgeReading notes why the body could not be read to its end.
func (x *Exchange) judgeReading(n int64, err error) {
	if err == nil {
		return
	}
	x.Unread = Unread{BrokenOff, n}
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		x.Unread = Unread{TooLarge, x.Req.ContentLength}
	}
}

// Of a body that was not taken in, so many bytes are read and thrown away, and for so long
// at most: many clients read no answer before they have sent everything. What is not above
// drainLeast the server's library reads by itself.
const (
	drainLeast = 256 << 10
	drainMost  = 64 << 20
	drainFor   = 2 * time.Second
)

// drain reads what is still to come of a body that was not taken in, once the answer is gone.
func (x *Exchange) drain(read bool) {
	taken := read && x.Unread.Why != TooLarge && x.Unread.Why != NoRoom
	if n := x.Req.ContentLength; taken || x.Cut || x.Again != nil || n >= 0 && n <= drainLeast {
		return
	}
	x.Body = bytes.Buffer{} // what came of it is not needed any more
	c := http.NewResponseController(x.Writer)
	if c.Flush() == nil && c.SetReadDeadline(integration.Wall().Add(drainFor)) == nil {
		_, _ = io.CopyN(io.Discard, x.Req.Body, drainMost)
	}
}

// draw takes bytes from the budget of the process until the call has ended; a few always.
func (x *Exchange) draw(n int64) bool {
	if n <= small {
		x.door.Budget.Force(n)
	} else if !x.door.Budget.Take(n) {
		return false
	}
	x.drawn += n
	return true
}

// Bodies is what a surface says of the bodies that it takes.
type Bodies struct {
	// Limit is the largest number of bytes, a whole number of MiB or KiB.
	Limit int64
	// Rule begins the ids of the clauses: "request" of "request.size".
	Rule string
	// Media are the media types that are taken, on Source's word.
	Media  string
	Source kernel.Source
	// Smaller says how to get by with a smaller body.
	Smaller string
}

// Refuse gives the refusal of a body that was not taken in; nil when it was.
// media is the Content-Type of the request.
func (b *Bodies) Refuse(u Unread, media string) *kernel.Error {
	if u.Why == "" {
		return nil
	}
	most := strconv.FormatInt(b.Limit>>20, 10) + " MiB"
	if b.Limit < 1<<20 {
		most = strconv.FormatInt(b.Limit>>10, 10) + " KiB"
	}
	size := strconv.FormatInt(u.Bytes, 10) + " bytes"
	switch u.Why {
	case TooLarge:
		if u.Bytes <= 0 {
			size = "more than " + most
		}
		return refusal(kernel.TooLarge, "the body is larger than "+most, kernel.Finding{
			Clause: b.Rule + ".size", Source: kernel.Assumed, Received: size,
			Expected: "at most " + strconv.FormatInt(b.Limit, 10) + " bytes", Fix: b.Smaller,
		})
	case BrokenOff:
		return refusal(kernel.Malformed, "the body ended before it was complete", kernel.Finding{
			Clause: b.Rule + ".body", Source: kernel.Assumed, Received: size,
			Expected: "as many bytes as Content-Length announces, or a complete chunked body", Fix: "send the whole body",
		})
	case WrongMedia:
		return refusal(kernel.UnsupportedMediaType, "the body's media type is not JSON", kernel.Finding{
			Pointer: "header:Content-Type", Clause: b.Rule + ".media-type", Source: b.Source, Received: strconv.Quote(Clip(media)),
			Expected: b.Media, Fix: "send Content-Type: application/json",
		})
	case NoRoom:
		return &kernel.Error{Code: kernel.Unavailable, Detail: "the sandbox has no memory left to read the body: call again later, " +
			"reset what is not needed any more, or start it with a larger --memory"}
	case Full:
		return &kernel.Error{Code: kernel.Full, Detail: "the sandbox keeps all that its memory holds, and nothing was made: " +
			"reset or delete what is not needed any more, or start it with a larger --memory"}
	default:
		return nil
	}
}

func refusal(code kernel.Code, detail string, f kernel.Finding) *kernel.Error {
	return &kernel.Error{Code: code, Detail: detail, Findings: []kernel.Finding{f}}
}
