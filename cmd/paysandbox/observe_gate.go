package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paysandbox/harness/clause"
	"paysandbox/harness/observe/judge"
	"paysandbox/harness/signoff"
	"paysandbox/mockserver/tape"
)

// gateFlags decide about the verdict on an integration besides its tape.
type gateFlags struct {
	clauses                                           []string
	allowUnreached                                    bool
	failOn, label, subject, validFor, attest, waivers string
}

// declareGate declares what decides about the verdict besides the tape.
func (f *gateFlags) declareGate(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.clauses, "clauses", nil, `judge these clauses and those below them: "partner.webhook,not partner.webhook.quick" (repeatable)`)
	fs.BoolVar(&f.allowUnreached, "allow-unreached", false, "let the gate be met although a MUST was not seen")
	fs.StringVar(&f.failOn, "fail-on", "should", "lowest level whose broken clauses give exit code 1: must or should")
	fs.StringVar(&f.label, "label", "", "judge only what was done under this Sandbox-Label, of an integration that several share")
	fs.StringVar(&f.subject, "subject", "", "what is judged, for example an image's digest (default: the git revision of this folder, where it has one)")
	fs.StringVar(&f.validFor, "valid-for", "", "how long the verdict holds, for example 30d or 12h (default: nothing is said about it)")
	fs.StringVar(&f.attest, "attest", "", "YAML file of what people saw who looked where traffic does not show: clause, who, at, digest, result, lapses")
	fs.StringVar(&f.waivers, "waivers", "", "YAML file of what is broken and accepted: clause, owner, reason, until")
}

// longestName is how many characters a build's name has, and a label's.
const longestName = 200

// judging says what is judged, and how strictly.
func (f *gateFlags) judging() (judge.Options, error) {
	filter, err := chooseClauses(f.clauses, clause.Integration())
	if err != nil {
		return judge.Options{}, err
	}
	if !slices.ContainsFunc(clause.Integration(), func(c clause.Clause) bool { return filter.Takes(string(c.ID)) }) {
		return judge.Options{}, badUsage("`paysandbox clauses partner` lists them; their ids begin with partner.", "--clauses %s names no clause of an integration", strings.Join(f.clauses, ","))
	}
	for _, is := range [][2]string{{"--subject", f.subject}, {"--label", f.label}} {
		if n := utf8.RuneCountInString(is[1]); n > longestName || !utf8.ValidString(is[1]) || strings.ContainsFunc(is[1], unicode.IsControl) {
			return judge.Options{}, badUsage("for example `git 3f2a1c9`, or an image's digest", "%s: a name has at most %d characters, on one line; received %d characters", is[0], longestName, n)
		}
	}
	failOn := clause.Level(strings.ToUpper(f.failOn))
	if failOn != clause.Must && failOn != clause.Should {
		return judge.Options{}, badUsage("use --fail-on must or --fail-on should", "--fail-on: %q is not a level that can be broken", f.failOn)
	}
	o := judge.Options{
		Clauses: filter, AllowUnreached: f.allowUnreached, FailOn: failOn, Journeys: journeysByClause(), Label: f.label, Subject: f.subject, Now: time.Now(),
	}
	if o.ValidFor, err = days(f.validFor); err != nil {
		return judge.Options{}, err
	}
	if o.Attestations, err = readSigned("attest", f.attest, "each has clause, who, at, digest, result and lapses", signoff.ReadAttestations); err != nil {
		return judge.Options{}, err
	}
	o.Waivers, err = readSigned("waivers", f.waivers, "each has clause, owner, reason and until", signoff.ReadWaivers)
	return o, err
}

// onlyWatching are the flags given on the command line that decide nothing about a saved
// tape. The environment may hold those of other commands.
func onlyWatching(cmd *cobra.Command) []string {
	var own gateFlags
	decide := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.declareGate(decide)
	var names []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if decide.Lookup(f.Name) == nil && !slices.Contains([]string{"tape", "format", "sign", "verbose", "history", "all"}, f.Name) {
			names = append(names, "--"+f.Name)
		}
	})
	slices.Sort(names)
	return names
}

// gate is the flags that decide what meets the gate, as they were given.
func (f *gateFlags) gate() string {
	line := ""
	for _, list := range f.clauses {
		line += " --clauses " + shellWord(list)
	}
	if f.allowUnreached {
		line += " --allow-unreached"
	}
	if !strings.EqualFold(f.failOn, string(clause.Should)) {
		line += " --fail-on " + strings.ToLower(f.failOn)
	}
	for _, file := range [][2]string{{"label", f.label}, {"subject", f.subject}, {"valid-for", f.validFor}, {"attest", f.attest}, {"waivers", f.waivers}} {
		if file[1] != "" {
			line += " --" + file[0] + " " + shellWord(file[1])
		}
	}
	return line
}

// readTape reads a saved tape of which no stretch is missing before its end, and gives
// the digest of its file.
func readTape(path string) (tape.Meta, []tape.Entry, string, error) {
	file, err := openPlain(path)
	if err != nil {
		return tape.Meta{}, nil, "", badUsage("give a file that can be read", "--tape: %w", err)
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	meta, entries, err := tape.Read(io.TeeReader(file, hash))
	if err == nil {
		err = meta.Known()
	}
	if err != nil {
		return meta, nil, "", badUsage("give a file that --save-tape or GET …/tape has written", "--tape %s: %w", path, err)
	}
	if from, to := hole(&meta, entries); from != 0 {
		return meta, nil, "", badUsage("save the whole tape: --save-tape, or GET …/tape without a filter", "--tape %s: the entries %d to %d are missing, and nothing can be said about what they tell", path, from, to)
	}
	return meta, entries, hex.EncodeToString(hash.Sum(nil)), nil
}
