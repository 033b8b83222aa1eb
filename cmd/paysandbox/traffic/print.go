package traffic

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"paysandbox/harness/report/words"
	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/console/feed"
)

// Printer shows lines to somebody.
type Printer interface {
	// Line shows one thing of an integration.
	Line(integration string, l *told.Line)
	// Crowd shows many things at once.
	Crowd(integration string, c *Crowd)
}

// Text prints lines for people.
type Text struct {
	W io.Writer
	// Colour is for terminals whose user has nothing against it.
	Colour bool
	// Link gives the address of an entry of an integration, for terminals that can
	// follow one.
	Link func(integration string, seq uint64) string
	// Width is how wide the terminal is, so that no word is broken; 0 breaks no line.
	Width int
	// Main is the integration whose name is not worth telling.
	Main string
}

// The colours by outcome, of what is told besides, and the way back.
var (
	colours = map[told.Outcome]string{told.Aside: "\x1b[2m", told.Good: "\x1b[32m", told.Warned: "\x1b[33m", told.Bad: "\x1b[31m"}
	dim     = "\x1b[2m"
	plain   = "\x1b[0m"
)

// Line prints, for example: 14:02:11 #12 ▸ POST /Payment/Create 400 amount: whole
// number of cents [anna].
func (t *Text) Line(integration string, l *told.Line) {
	number := t.number(integration, l.Seq)
	text, note := clean(l.Text), clean(l.Note)
	if t.Colour {
		text = colours[l.Outcome] + text + plain
	}
	line := strings.TrimRight(l.At.Format(time.TimeOnly)+" "+t.whose(integration)+number+" "+l.Mark+" "+text+" "+note, " ")
	if l.Label != "" {
		line += " [" + clean(feed.Tag(l.Label)) + "]"
	}
	if t.Width > 0 {
		line = strings.TrimSuffix(words.FoldLines(line+"\n", t.Width, strings.Repeat(" ", len(time.TimeOnly)+1)), "\n")
	}
	_, _ = fmt.Fprintln(t.W, line)
}

// Crowd prints, for example: 14:02:12 #13–#1204 … 800 calls (12 failed), 400
// deliveries.
func (t *Text) Crowd(integration string, c *Crowd) {
	text := c.String()
	if t.Colour {
		text = dim + text + plain
	}
	_, _ = fmt.Fprintf(t.W, "%s %s#%d–#%d … %s\n", c.At.Format(time.TimeOnly), t.whose(integration), c.From, c.To, text)
}

func (t *Text) whose(integration string) string {
	if integration == t.Main {
		return ""
	}
	return integration + " "
}

// number is the entry's number, as a link where the terminal can follow one.
func (t *Text) number(integration string, seq uint64) string {
	number := fmt.Sprintf("#%d", seq)
	if t.Link != nil {
		if address := t.Link(integration, seq); address != "" {
			return "\x1b]8;;" + address + "\x1b\\" + number + "\x1b]8;;\x1b\\"
		}
	}
	return number
}

// clean takes out what a terminal would obey: foreign text is shown as text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '�'
		}
		return r
	}, s)
}

// Log writes lines as records of a log.
type Log struct{ Log *slog.Logger }

// Line writes one record.
func (p Log) Line(integration string, l *told.Line) {
	level := slog.LevelInfo
	if l.Outcome == told.Bad {
		level = slog.LevelWarn
	}
	attrs := []slog.Attr{
		slog.String("integration", integration), slog.Uint64("entry", l.Seq),
		slog.String("kind", l.Kind.String()), slog.Time("at", l.At), slog.String("note", l.Note),
	}
	if l.Label != "" {
		attrs = append(attrs, slog.String("label", l.Label))
	}
	p.Log.LogAttrs(context.Background(), level, l.Text, attrs...) //nolint:sloglint // what happened is the message
}

// Crowd writes one record for many things.
func (p Log) Crowd(integration string, c *Crowd) {
	p.Log.LogAttrs(context.Background(), slog.LevelInfo, c.String(), slog.String("integration", integration), //nolint:sloglint // what happened is the message
		slog.Uint64("from", c.From), slog.Uint64("to", c.To), slog.Time("at", c.At))
}
