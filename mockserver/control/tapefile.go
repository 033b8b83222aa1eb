package control

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/tape"
)

// The most that one call may ask for.
const (
	maxWait   = 60 * time.Second
	tapeChunk = 500
	// chunkBytes is how much of a tape is in memory for one reader, encoded, unless a
	// single entry is larger.
	chunkBytes = 1 << 20
	// maxReaders is how many readers are served at once, and readerWait how long one
	// more waits for its turn.
	maxReaders = 16
	readerWait = 10 * time.Second
	// chunkTime is how long a reader may take to take a chunk.
	chunkTime = 10 * time.Second
)

// tapeMedia is the media type of a tape file.
const tapeMedia = "application/jsonl; charset=utf-8"

// readTape writes the tape as JSON lines, chunk by chunk, so that a long tape
// needs little memory.
func readTape(x *exchange, i *integration.Integration) (door.Empty, error) {
	q := x.asked()
	f := tape.Filter{
		Since: q.number("since"), Kinds: q.kinds(), Operation: q.operation(x.control), Entity: q.text("entity"),
		Label: q.text("label"), Text: q.text("q"),
	}
	limit, wait, end := q.number("limit"), q.wait(), q.choice("end", []string{"true", "false"}) == "true"
	if err := q.err(); err != nil {
		return door.Empty{}, err
	}
	ctx, cancel := x.waiting(wait)
	defer cancel()
	i.Await(ctx, f)
	if !x.control.turn(x.Req.Context()) {
		return door.Empty{}, &kernel.Error{Code: kernel.Unavailable, Detail: "too many read tapes at once, or do not read what they asked for: call again later"}
	}
	defer func() { <-x.control.readers }()
	x.streamed = true
	s := &tapeStream{x: x, i: i, left: limit, unbounded: limit == 0}
	if s.run(over(ctx), f) && end {
		s.end()
	}
	return door.Empty{}, nil
}

// turn waits until fewer than maxReaders are being served, and says whether it came
// to that.
func (c *Control) turn(ctx context.Context) bool {
	select {
	case c.readers <- struct{}{}:
		return true
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, readerWait)
	defer cancel()
	select {
	case c.readers <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// tapeStream is a tape on its way to a reader.
type tapeStream struct {
	x         *exchange
	i         *integration.Integration
	left      uint64
	unbounded bool
	begun     bool
	gap       bool // the header told of one
	// chunk takes what out writes: a tape file has the same bytes wherever it
	// comes from.
	chunk bytes.Buffer
	out   *tape.Writer
}

// run writes until nothing is left, the limit is reached, or a stretch has been
// dropped while the reader was reading: the next call then shows the gap. It says
// whether the reader got all of what was asked for, with nothing missing.
func (s *tapeStream) run(ctx context.Context, f tape.Filter) bool {
	for {
		f.Limit, f.Bytes = tapeChunk, chunkBytes
		if !s.unbounded {
			f.Limit = int(min(s.left, tapeChunk))
		}
		r := s.i.Read(ctx, f)
		if s.begun && !r.Gap.Empty() || !s.write(&r) {
			return false
		}
		if s.left -= uint64(len(r.Entries)); !r.More || s.left == 0 && !s.unbounded {
			return !s.gap
		}
		f.Since = r.Last
	}
}

// write sends a chunk and says whether the reader is still there.
func (s *tapeStream) write(r *integration.Reading) bool {
	s.chunk.Reset()
	if !s.begun {
		s.begin(r)
	}
	if s.x.Req.Method == http.MethodHead {
		return false
	}
	for n := range r.Entries {
		if err := s.out.WriteEntry(r.Entries[n]); err != nil {
			return false
		}
	}
	return s.send()
}

// end writes the line that ends a file.
func (s *tapeStream) end() {
	s.chunk.Reset()
	if s.out.WriteEnd() == nil {
		s.send()
	}
}

// send hands the chunk over. Who does not read is let go: others wait for the turn.
func (s *tapeStream) send() bool {
	_ = http.NewResponseController(s.x.Writer).SetWriteDeadline(integration.Wall().Add(chunkTime))
	_, err := s.x.Writer.Write(s.chunk.Bytes())
	return err == nil
}

// begin sends the status and writes the header line. A gap stands in both: the
// entries between from and to have been dropped, and nothing may be said about
// them.
func (s *tapeStream) begin(r *integration.Reading) {
	s.begun = true
	s.out = tape.NewWriter(&s.chunk)
	h := s.x.Writer.Header()
	h["Date"] = nil
	h.Set("Content-Type", tapeMedia)
	r.Meta.ToolVersion = s.x.control.opts.Version
	_ = s.out.WriteMeta(r.Meta) // a buffer takes all, and a header has only plain members
	if s.gap = !r.Gap.Empty(); s.gap {
		from, to := strconv.FormatUint(r.Gap.From, 10), strconv.FormatUint(r.Gap.To, 10)
		h.Set("Sandbox-Gap", from+"-"+to)
		s.chunk.Truncate(s.chunk.Len() - len("}\n"))
		s.chunk.WriteString(`,"gap":{"from":` + from + `,"to":` + to + "}}\n")
	}
	s.x.Writer.WriteHeader(http.StatusOK)
}

// waiting gives the context of a call that may wait: it ends after the wait,
// with the caller, or with the server. A call that does not wait gets one that
// has ended, which reads what is there.
func (x *exchange) waiting(wait time.Duration) (context.Context, context.CancelFunc) {
	if wait == 0 {
		return over(x.Req.Context()), func() {}
	}
	x.patient()
	ctx, end := x.control.life.During(x.Req.Context())
	ctx, cancel := context.WithTimeout(ctx, wait)
	return ctx, func() { cancel(); end() }
}

// patient takes the server's deadlines off a call that may take long.
func (x *exchange) patient() {
	rc := http.NewResponseController(x.Writer)
	_ = rc.SetReadDeadline(time.Time{})
	_ = rc.SetWriteDeadline(time.Time{})
}

// over is a context that has ended.
func over(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

func tapeRoutes() []*route {
	r := row("readTape", http.MethodGet, Prefix+"/integrations/{i}/tape", reads(readTape), nil, Line{}).
		About("Tape", "Read the tape as JSON lines").
		Says("The first line is the header, each further one an entry. When entries behind since have been dropped, the header line and Sandbox-Gap say which.").
		With(
			queryParam("since", "120", "Leave out entries up to and with this number."),
			queryParam("end", "true", "End with a line that says how many entries there are, and their digest, unless some are missing: that nothing was lost on the way."),
			queryParam("wait", "10s", "Wait until an entry passes the filter, at most so long (at most 60s)."),
		).
		With(choiceParams("transition", "Only entries with this Sandbox-Label, their own or that of what caused them.")...).
		With(
			queryParam("q", "inv-1001", "Only entries with this text, A to Z in either case, in a path, header, body, id or any other text."),
			queryParam("limit", "100", "At most so many entries; all when it is left out."),
		).Fails(http.StatusBadRequest)
	r.Media = []string{strings.TrimSuffix(tapeMedia, "; charset=utf-8")}
	return []*route{r}
}

// choiceParams choose entries of a tape by what they are and whose.
func choiceParams(kind, label string) []openapi.Param {
	return []openapi.Param{
		queryParam("kind", kind, "Only entries of this kind; may be given several times. One of "+joined(kindNames())+"."),
		queryParam("operation", "createPayment", "Only exchanges, pages and control calls of this operation. route means the same."),
		queryParam("entity", "3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e", "Only entries about this entity."),
		queryParam("label", "team-checkout", label),
	}
}

func kindNames() []string {
	var names []string
	for _, k := range tape.Kinds() {
		names = append(names, k.String())
	}
	return names
}

// operation reads the filter by operation, under either of its names.
func (a *asked) operation(c *Control) string {
	name, value := "operation", a.text("operation")
	if other := a.text("route"); other != "" {
		name, value = "route", other
	}
	if value == "" {
		return ""
	}
	var known []string
	for _, op := range c.opts.API {
		known = append(known, op.ID)
	}
	for _, op := range c.Operations() {
		known = append(known, op.ID)
	}
	if len(c.opts.API) > 0 && !slices.Contains(known, value) {
		a.refuse(name, quoted(value), "the id of an operation", "nearest: "+spelling.Nearest(value, known))
	}
	return value
}
