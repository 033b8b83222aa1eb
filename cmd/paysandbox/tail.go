package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/console"
	"paysandbox/mockserver/tape"
)

// tailWait is how long one look at a tape waits for something to happen.
const tailWait = 20 * time.Second

// tailFlags say what of a running sandbox is told.
type tailFlags struct {
	controlFlags
	kind, operation, entity, label, text string
	failed, asJSON, once                 bool
	lines                                int
	// away says that the sandbox did not answer when it was asked last.
	away bool
}

// newTail tells what happens in a running sandbox.
func newTail(env lookup) *cobra.Command {
	var f tailFlags
	cmd := &cobra.Command{
		Use: "tail", Short: "Tell what happens in a running sandbox, line by line",
		Long: "Tell what happens in a running sandbox, a line for each call, event, delivery and failure, beginning with\n" +
			"the last few. What comes too fast is counted together. Ctrl-C ends it.",
		Example: "  paysandbox tail\n  paysandbox tail --failed\n  paysandbox tail --entity 1f0e…\n  paysandbox tail --json --operation createPayment | jq .seq",
		Args:    noArgs,
		RunE: withEnvironment(env, func(cmd *cobra.Command, _ []string) error {
			if f.lines < 0 {
				return badUsage("give how many, for example --lines 20; 0 begins with what comes next", "--lines: %d entries cannot be told", f.lines)
			}
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	f.declare(cmd)
	fs := cmd.Flags()
	fs.IntVarP(&f.lines, "lines", "n", 10, "how many entries from before to begin with")
	fs.StringVar(&f.kind, "kind", "", "only entries of these kinds, for example exchange,event,attempt")
	fs.StringVar(&f.operation, "operation", "", "only calls of this operation, for example createPayment")
	fs.StringVar(&f.entity, "entity", "", "only what is about this id")
	fs.StringVar(&f.label, "label", "", "only entries with this Sandbox-Label")
	fs.StringVar(&f.text, "text", "", "only entries with this text, A to Z in either case")
	fs.BoolVar(&f.failed, "failed", false, "only what failed or was refused")
	fs.BoolVar(&f.asJSON, "json", false, "the entries as they stand on the tape, as JSON lines")
	fs.BoolVar(&f.once, "once", false, "end when everything that is there has been told")
	return cmd
}

func (f *tailFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	since, last, err := f.begin(ctx)
	if err != nil {
		return err
	}
	p := textFor(stdout, entryLink(f.url+console.Prefix))
	p.Main = f.integration
	follower := traffic.Follower{
		Integration: f.integration, Printer: p, Source: f.look, Each: last,
		Wanted: func(l *told.Line) bool { return !f.failed || l.Outcome == told.Bad },
	}
	if f.asJSON {
		follower.Source, follower.Wanted = f.copied(shownBy(stdout)), func(*told.Line) bool { return false }
	}
	if f.once {
		if err := follower.Run(ctx, since); !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	}
	if _, err := f.call(ctx, http.MethodGet, "/tape?"+f.asked(since, 1, 0).Encode(), nil); err != nil {
		return err // what is refused once is refused for ever
	}
	follower.Source = f.patient(follower.Source, stderr)
	return follower.Run(ctx, since)
}

// patient asks again while the sandbox is away, and says so once; when it is back,
// what came meanwhile is told by its number, after how much that was.
func (f *tailFlags) patient(source traffic.Source, stderr io.Writer) traffic.Source {
	begun := int64(0)
	return func(ctx context.Context, since uint64, limit int) (traffic.Reading, error) {
		for {
			r, err := source(ctx, since, limit)
			if err == nil || ctx.Err() != nil {
				switch anew := err == nil && begun != 0 && begun != r.Begun; {
				case anew:
					tellLines(stderr, "  ", "live again: the sandbox was started again, or was reset, and its tape begins anew")
				case f.away && err == nil:
					tellLines(stderr, "  ", "live again: "+missed(len(r.Entries), limit)+" while you were away")
				}
				f.away, begun = false, r.Begun
				return r, err
			}
			if !f.away {
				tellLines(stderr, "  ", fmt.Sprintf("not live since %s: %v; waiting for it to come back", time.Now().Format(time.TimeOnly), err))
				f.away = true
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// begin gives the number behind which to begin, and the last there is: what is told
// first is the last few entries.
func (f *tailFlags) begin(ctx context.Context) (since, last uint64, err error) {
	raw, err := f.call(ctx, http.MethodGet, "", nil)
	if err != nil {
		return 0, 0, err
	}
	var about struct{ TapeEntries uint64 }
	if err := json.Unmarshal(raw, &about); err != nil {
		return 0, 0, err
	}
	raw, err = f.call(ctx, http.MethodGet, "/tape?limit=1", nil)
	if err != nil {
		return 0, 0, err
	}
	_, entries, err := tape.Read(bytes.NewReader(raw))
	if err != nil || len(entries) == 0 {
		return 0, 0, err
	}
	last = entries[0].Seq + about.TapeEntries - 1
	if f.failed || f.kind+f.operation+f.entity+f.label+f.text != "" {
		since, err = f.beforeWanted(ctx, last)
		return since, last, err
	}
	return last - min(about.TapeEntries, uint64(f.lines)), last, nil //nolint:gosec // G115: not below 0
}

// tailPage is how many entries are looked through at a time.
const tailPage = 500

// beforeWanted gives the number behind which the last few entries stand that are asked for; last where there is none.
func (f *tailFlags) beforeWanted(ctx context.Context, last uint64) (uint64, error) {
	var wanted []uint64
	for since := uint64(0); since < last; {
		raw, err := f.call(ctx, http.MethodGet, "/tape?"+f.asked(since, tailPage, 0).Encode(), nil)
		if err != nil {
			return 0, err
		}
		_, entries, err := tape.Read(bytes.NewReader(raw))
		if err != nil {
			return 0, err
		}
		before := since
		for i := range entries {
			since = max(since, entries[i].Seq)
			if l, is := told.Of(&entries[i]); entries[i].Seq > before && (!f.failed || is && l.Outcome == told.Bad) {
				wanted = append(wanted, entries[i].Seq)
			}
		}
		if since == before {
			break
		}
		wanted = wanted[max(0, len(wanted)-f.lines):]
	}
	if len(wanted) == 0 || wanted[0] > last {
		return last, nil
	}
	return wanted[0] - 1, nil
}

// look reads what stands behind a number, and waits for it.
func (f *tailFlags) look(ctx context.Context, since uint64, limit int) (traffic.Reading, error) {
	wait := tailWait
	if f.once || f.away { // whether it is back is known at once
		wait = 0
	}
	raw, err := f.call(ctx, http.MethodGet, "/tape?"+f.asked(since, limit, wait).Encode(), nil)
	if err != nil {
		return traffic.Reading{}, err
	}
	meta, entries, err := tape.Read(bytes.NewReader(raw))
	entries = slices.DeleteFunc(entries, func(e tape.Entry) bool { return e.Seq <= since }) // what was told already is not told for ever
	if err == nil && f.once && len(entries) == 0 {
		err = io.EOF
	}
	return traffic.Reading{Begun: meta.Start, Entries: entries, Missing: meta.Gap().To - min(meta.Gap().To, since)}, err
}

// asked is the query that asks for what the flags say.
func (f *tailFlags) asked(since uint64, limit int, wait time.Duration) url.Values {
	q := url.Values{"since": {strconv.FormatUint(since, 10)}, "limit": {strconv.Itoa(limit)}, "wait": {wait.String()}}
	for name, value := range map[string]string{"kind": f.kind, "operation": f.operation, "entity": f.entity, "label": f.label, "q": f.text} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// copied looks, and writes the entries as they stand on the tape.
func (f *tailFlags) copied(stdout io.Writer) traffic.Source {
	return func(ctx context.Context, since uint64, limit int) (traffic.Reading, error) {
		r, err := f.look(ctx, since, limit)
		out := tape.NewWriter(stdout)
		for i := range r.Entries {
			if l, is := told.Of(&r.Entries[i]); f.failed && (!is || l.Outcome != told.Bad) {
				continue
			}
			if err := out.WriteEntry(r.Entries[i]); err != nil {
				return r, err
			}
		}
		if n := len(r.Entries); n > 0 {
			r.Entries = r.Entries[n-1:] // where to go on from; nothing is told of it
		}
		return r, err
	}
}

// missed counts what came while nobody looked; what fills a look may be more.
func missed(n, limit int) string {
	if n == limit {
		return strconv.Itoa(n) + " or more"
	}
	return strconv.Itoa(n)
}
