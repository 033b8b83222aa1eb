package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"paysandbox/cmd/paysandbox/tapes"
	"paysandbox/harness/trail/told"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

func newTapeGrep() *cobra.Command {
	var f choiceFlags
	var ignore, count, names bool
	cmd := &cobra.Command{
		Use: "grep PATTERN FILE…", Short: "Search tapes for a regular expression: bodies, paths, headers, ids",
		Long: "Search every text of tapes for a regular expression (RE2), and tell where it stands. Ends with 0 when something\n" +
			"was found, 1 when nothing was, 2 when a file or the expression cannot be read.",
		Example: "  paysandbox tape grep -i 'inv-1001' session.tape\n  paysandbox tape grep 'R0[0-9]' *.tape --kind attempt,event",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return badUsage("`paysandbox tape grep --help` shows how it is called", "give a pattern and at least one tape")
			}
			if err := f.read(); err != nil {
				return err
			}
			text := args[0]
			if ignore {
				text = "(?i)" + text
			}
			pattern, err := regexp.Compile(text)
			if err != nil {
				return badUsage("quote characters such as ( [ * with a backslash", "PATTERN %q: %w", args[0], err)
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer func() { _ = out.Flush() }()
			all := 0
			for _, path := range args[1:] {
				t, err := openTape(path, cmd.InOrStdin())
				if err != nil {
					return err
				}
				hits := tapes.Grep(f.From(t.Entries), pattern)
				all += len(hits)
				tellHits(out, path, hits, len(args) > 2, count, names)
			}
			if all == 0 {
				return &verdictError{code: verdict.CodeFailed, text: "nothing was found"}
			}
			return nil
		},
	}
	f.declare(cmd)
	fs := cmd.Flags()
	fs.BoolVarP(&ignore, "ignore-case", "i", false, "take letters in either case")
	fs.BoolVarP(&count, "count", "c", false, "only how many places there are in each file")
	fs.BoolVarP(&names, "files-with-matches", "l", false, "only the names of the files in which there is one")
	return cmd
}

func tellHits(out io.Writer, path string, hits []tapes.Hit, several, count, names bool) {
	prefix := ""
	if several {
		prefix = path + ":"
	}
	switch {
	case names && len(hits) > 0:
		_, _ = fmt.Fprintln(out, path)
	case names:
	case count:
		_, _ = fmt.Fprintf(out, "%s%d\n", prefix, len(hits))
	default:
		for _, h := range hits {
			_, _ = fmt.Fprintf(out, "%s#%d %s %s: %s\n", prefix, h.Entry.Seq, h.Entry.Kind, told.Clean(h.Pointer), h.Around)
		}
	}
}

func newTapeDiff() *cobra.Command {
	var f choiceFlags
	var asJSON bool
	most := 20
	cmd := &cobra.Command{
		Use: "diff A B", Short: "Compare two tapes: the first difference first",
		Long: "Compare two tapes. Entries are laid side by side by what they are, and ids by the role in which both sides use\n" +
			"them; drawn values such as tokens and times do not count. Ends with 0 when they say the same, 1 when they differ.",
		Example: "  paysandbox tape diff yesterday.tape today.tape\n  paysandbox tape diff a.tape b.tape --label team-checkout",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 || slices.Equal(args, []string{"-", "-"}) {
				return badUsage("`paysandbox tape diff --help` shows how it is called", "give two tapes")
			}
			if most < 0 {
				return badUsage("give how many, for example --most 20", "--most: %d differences cannot be told", most)
			}
			if err := f.read(); err != nil {
				return err
			}
			sides, err := f.sides(args, cmd.InOrStdin())
			if err != nil {
				return err
			}
			c := tapes.Diff(sides[0], sides[1])
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer func() { _ = out.Flush() }()
			if asJSON {
				if err := json.NewEncoder(out).Encode(c.Brief()); err != nil {
					return err
				}
			} else {
				tellDifferences(out, &c, most)
			}
			if len(c.Differences) > 0 {
				return &verdictError{code: verdict.CodeFailed, text: fmt.Sprintf("%d differences", len(c.Differences))}
			}
			return nil
		},
	}
	f.declare(cmd)
	cmd.Flags().IntVar(&most, "most", most, "how many differences are told")
	cmd.Flags().BoolVar(&asJSON, "json", false, "all differences as one JSON object")
	return cmd
}

func tellDifferences(out io.Writer, c *tapes.Comparison, most int) {
	left := ""
	if c.Watched > 0 {
		left = fmt.Sprintf("; left out: %d notes and control calls of who watched", c.Watched)
	}
	if len(c.Differences) == 0 {
		_, _ = fmt.Fprintf(out, "the same: %d entries say the same on both sides%s\n", c.Same, left)
		return
	}
	_, _ = fmt.Fprintf(out, "%d entries say the same, %d differ%s; the first difference first\n", c.Same, len(c.Differences), left)
	for n, d := range c.Differences {
		if n == most {
			_, _ = fmt.Fprintf(out, "\nand %d more: --most tells them\n", len(c.Differences)-most)
			return
		}
		switch {
		case d.A == nil:
			_, _ = fmt.Fprintf(out, "\nonly in B: %s\n", told.Says(d.B))
		case d.B == nil:
			_, _ = fmt.Fprintf(out, "\nonly in A: %s\n", told.Says(d.A))
		default:
			_, _ = fmt.Fprintf(out, "\nA: %s\nB: %s\n", told.Says(d.A), told.Says(d.B))
		}
		for _, m := range d.Members {
			_, _ = fmt.Fprintf(out, "   %s: %s → %s\n", m.Pointer, tapes.Quoted(m.A), tapes.Quoted(m.B))
		}
	}
}

// sides reads two tapes, both at once, and chooses from them.
func (f *choiceFlags) sides(paths []string, stdin io.Reader) (sides [2][]tape.Entry, err error) {
	var wrong [2]error
	var both sync.WaitGroup
	for n, path := range paths {
		both.Go(func() {
			t, err := openTape(path, stdin)
			if wrong[n] = err; err != nil {
				return
			}
			for _, e := range f.From(t.Entries) {
				sides[n] = append(sides[n], *e)
			}
		})
	}
	both.Wait()
	return sides, cmp.Or(wrong[0], wrong[1])
}
