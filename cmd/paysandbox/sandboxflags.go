package main

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strconv"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"paysandbox/harness/clause"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// The credentials on a loopback address, where nobody else can call.
const (
	defaultAddr   = "127.0.0.1:8484"
	defaultID     = "sandbox-client"
	defaultSecret = "sandbox-secret"
)

// sandboxFlags are the flags of every command that starts a sandbox.
type sandboxFlags struct {
	dataFlags
	addr, controlAddr, clientID, clientSecret, webhookURL, webhookSecret string
	environment, clock, start, surface, controlToken, readToken          string
	statusKey, logFormat, logLevel, announce                             string
	latitude                                                             []string
	seed                                                                 uint64
	vary                                                                 string
	strict, quiet, allowPrivate, allowLoopback, behindProxy              bool
	tapeEntries                                                          int
	tapeBytes                                                            int64
	memory                                                               string
	webhookTimeout                                                       time.Duration
	from, saveOnExit, reports                                            string
	// given says whether a flag was set, by the command line or the environment.
	given func(name string) bool
}

// declare adds the flags to a command.
func (f *sandboxFlags) declare(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	f.given = fs.Changed
	fs.StringVar(&f.addr, "addr", defaultAddr, "address to listen on; port 0 takes a free one")
	fs.StringVar(&f.controlAddr, "control-addr", "", "address of the control API and the figures (default: they are served at --addr)")
	fs.BoolVar(&f.behindProxy, "behind-proxy", false, "a proxy of ours stands before: X-Forwarded-Proto and -Host are believed, secrets are drawn at random")
	fs.StringVar(&f.clientID, "client-id", defaultID, "client id of the default integration")
	fs.StringVar(&f.clientSecret, "client-secret", "", "client secret (loopback: "+defaultSecret+"; elsewhere drawn at random)")
	fs.StringVar(&f.webhookURL, "webhook-url", "", "address that receives webhooks")
	fs.StringVar(&f.webhookSecret, "webhook-secret", "", "secret that signs webhooks (default: drawn from the seed)")
	fs.StringVar(&f.environment, "environment", string(world.Sandbox), "sandbox (companies are Verified at once) or rehearsal (production's rules)")
	fs.StringVar(&f.clock, "clock", string(integration.Real), "real (runs with the wall clock) or manual (stands still until moved)")
	fs.StringVar(&f.start, "start", "", "virtual time to start at, RFC 3339 (manual: "+integration.DefaultStart.Format(time.RFC3339)+")")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of every id and duration, and on a loopback address of every secret (elsewhere drawn at random)")
	fs.StringArrayVar(&f.latitude, "latitude", nil, "NAME=VALUE: choose where the specification is silent (repeatable; see paysandbox latitude)")
	fs.StringVar(&f.vary, "vary", "", "N: vary every such choice from seed N, those given by --latitude excepted")
	fs.BoolVar(&f.strict, "strict", false, "refuse also what is accepted with a warning, but for query names and keys that are ignored")
	fs.StringVar(&f.surface, "surface", "all", "spec, documented or all: which operations exist")
	fs.StringVar(&f.controlToken, "control-token", "", "token of the control API (loopback: open; elsewhere drawn at random)")
	fs.StringVar(&f.readToken, "read-token", "", "second token of the control API, for those who look and move nothing (wants a control token)")
	fs.StringVar(&f.statusKey, "status-key", "", "key that encrypts the status added to a returnUrl")
	fs.IntVar(&f.tapeEntries, "tape-entries", tape.DefaultEntries, "how many entries a tape keeps")
	fs.Int64Var(&f.tapeBytes, "tape-bytes", tape.DefaultBytes, "how many bytes of entries a tape keeps")
	fs.StringVar(&f.memory, "memory", defaultMemory, "how much memory the process may take, for example 512MiB; what does not fit is refused")
	fs.StringVar(&f.reports, "reports", "", "folder of stored reports (--format json=DIR/NAME.json): the console shows their trend")
	fs.BoolVar(&f.allowPrivate, "allow-private-networks", false, "let webhooks and attachments reach private addresses")
	fs.BoolVar(&f.allowLoopback, "allow-loopback", false, "let webhooks and attachments reach this machine, though others can call the sandbox")
	f.dataFlags.declare(cmd)
	fs.DurationVar(&f.webhookTimeout, "webhook-timeout", 15*time.Second, "how long a webhook receiver may take to answer")
	fs.StringVar(&f.logFormat, "log-format", "text", "text or json, on standard error; json tells calls, events and deliveries as records")
	fs.BoolVar(&f.quiet, "quiet", false, "do not tell calls, events and deliveries as they happen, as is done on a terminal")
	fs.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	fs.StringVar(&f.announce, "announce", "text", "text or json (one line on standard output when serving)")
	completeWords(cmd, map[string][]string{
		"environment": {"sandbox", "rehearsal"}, "clock": {"real", "manual"}, "surface": {"spec", "documented", "all"},
		"log-format": {"text", "json"}, "log-level": {"debug", "info", "warn", "error"}, "announce": {"text", "json"},
	})
	_ = cmd.RegisterFlagCompletionFunc("latitude", completeLatitude)
}

// leastToken is how many characters a token has that strangers may try to guess: each is
// slowed, but they may be many.
const leastToken = 12

// tokens gives the control API its token, drawn where others can call, and
// refuses tokens that would not guard what they are to guard.
func (f *sandboxFlags) tokens(open bool) error {
	if f.controlToken == "" && !open && f.cluster.URLs != "" {
		return badUsage("give all sandboxes of the cluster the same --control-token", "--cluster: each sandbox would draw a control token of its own")
	}
	for _, is := range [][2]string{{"--control-token", f.controlToken}, {"--read-token", f.readToken}} {
		if token := is[1]; !open && token != "" && len(token) < leastToken {
			return badUsage("give a longer one, or none: a control token is drawn then", "%s: where others can call, a token of fewer than %d characters is guessed", is[0], leastToken)
		}
	}
	if f.controlToken == "" {
		f.controlToken = secretFor(open, "")
	}
	if f.readToken != "" && (f.controlToken == "" || f.readToken == f.controlToken) {
		return badUsage("give a --control-token that differs from it", "--read-token: without a control token of its own everybody may do everything")
	}
	return nil
}

// options turns flags into the server's options. Anything but a loopback
// address gets drawn secrets.
func (f *sandboxFlags) options(log *slog.Logger) (mockserver.Options, error) {
	settings, err := f.settings()
	if err != nil {
		return mockserver.Options{}, err
	}
	start, err := f.startTime()
	if err != nil {
		return mockserver.Options{}, err
	}
	surface, ok := map[string]openapi.Surface{"spec": openapi.Spec, "documented": openapi.Docs, "all": ""}[f.surface]
	if !ok {
		return mockserver.Options{}, badUsage("use spec, documented or all", "--surface: %q is not a surface", f.surface)
	}
	if err := f.words(); err != nil {
		return mockserver.Options{}, err
	}
	open, err := f.loopback()
	if err != nil {
		return mockserver.Options{}, err
	}
	if f.clientSecret == "" {
		f.clientSecret = secretFor(open, defaultSecret)
	}
	if err := f.tokens(open); err != nil {
		return mockserver.Options{}, err
	}
	budget, err := memory(f.memory)
	if err != nil {
		return mockserver.Options{}, err
	}
	stored, err := reportsOf(f.reports)
	if err != nil {
		return mockserver.Options{}, err
	}
	var secret []byte
	if !open {
		secret = f.draw()
	}
	return mockserver.Options{
		Integration: integration.Options{
			Name: "default", Seed: f.seed, Environment: world.Environment(f.environment), ClientID: f.clientID,
			ClientSecret: f.clientSecret, Clock: integration.ClockMode(f.clock), Start: start, Settings: settings,
			Strict: f.strict, StatusKey: f.statusKey, WebhookURL: f.webhookURL, WebhookSecret: f.webhookSecret, Secret: secret, Budget: budget,
			Tape: tape.Limits{Entries: f.tapeEntries, Bytes: f.tapeBytes},
		},
		Surface: surface, ControlToken: f.controlToken, ReadToken: f.readToken, Titles: clause.Title, Judge: judgeTape, Case: caseOf, Report: storedReport, Reports: stored, Perform: performTask, Loopback: open, BehindProxy: f.behindProxy,
		AllowPrivateNetworks: f.allowPrivate, AllowLoopback: f.allowLoopback, WebhookTimeout: f.webhookTimeout, Version: version, Log: log,
	}, nil
}

// draw takes from the system's randomness what others must not be able to compute
// where they can call: the seed, unless it was given, and what the secrets of all
// integrations are drawn from. A seed has 53 bits: each number of JSON holds it.
func (f *sandboxFlags) draw() []byte {
	b := make([]byte, 32+8)
	_, _ = rand.Read(b) // it never fails
	if !f.given("seed") {
		f.seed = binary.BigEndian.Uint64(b[32:]) >> 11
	}
	return b[:32]
}

// words checks the flags that take one of a few words, and the bounds.
func (f *sandboxFlags) words() error {
	switch {
	case f.environment != string(world.Sandbox) && f.environment != string(world.Rehearsal):
		return badUsage("use sandbox or rehearsal", "--environment: %q is not an environment", f.environment)
	case f.clock != string(integration.Real) && f.clock != string(integration.Manual):
		return badUsage("use real or manual", "--clock: %q is not a clock mode", f.clock)
	case f.tapeEntries < 1 || f.tapeBytes < tape.MinBytes:
		return badUsage("keep at least one entry and "+strconv.Itoa(tape.MinBytes)+" bytes",
			"--tape-entries %d, --tape-bytes %d: the tape would hold nothing", f.tapeEntries, f.tapeBytes)
	case f.webhookTimeout <= 0:
		return badUsage("give a duration such as 15s", "--webhook-timeout: %s is no time to answer in", f.webhookTimeout)
	}
	return f.unnamed()
}

// choices are the flags that decide how the sandbox fills the gaps of the
// specification, as words of a command line.
func choices(latitude []string, vary string, strict bool) []string {
	var words []string
	for _, choice := range latitude {
		words = append(words, "--latitude", choice)
	}
	if vary != "" {
		words = append(words, "--vary", vary)
	}
	if strict {
		words = append(words, "--strict")
	}
	return words
}

func (f *sandboxFlags) settings() (latitude.Settings, error) {
	var s latitude.Settings
	if f.vary != "" {
		n, err := strconv.ParseUint(f.vary, 10, 64)
		if err != nil {
			return s, badUsage("give a whole number, for example --vary 7", "--vary: %q is not a seed", f.vary)
		}
		s = latitude.Vary(n)
	}
	s, err := s.WithAll(f.latitude)
	if err != nil {
		return s, badUsage("`paysandbox latitude` lists the names and values", "--latitude: %w", err)
	}
	return s, nil
}

func (f *sandboxFlags) startTime() (time.Time, error) {
	if f.start == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, f.start)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return time.Time{}, badUsage("give a time such as --start 2026-03-02T17:00:00Z", "--start: %q is not an RFC 3339 time between 1970 and 2200", f.start)
	}
	return t, nil
}

// loopback says whether only this machine can reach the address.
func loopback(flag, addr string) (bool, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false, badUsage("give "+flag+" HOST:PORT, for example "+flag+" "+defaultAddr, "%s: %q is not an address: %w", flag, addr, err)
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback(), nil
}

// loopback says whether only this machine can reach what the sandbox serves.
func (f *sandboxFlags) loopback() (bool, error) {
	open, err := loopback("--addr", f.addr)
	if err != nil || f.controlAddr == "" {
		return open && !f.behindProxy, err
	}
	apart, err := loopback("--control-addr", f.controlAddr)
	return open && apart && !f.behindProxy, err
}

// secretFor is the friendly secret on a loopback address, a drawn one elsewhere.
func secretFor(open bool, friendly string) string {
	if open {
		return friendly
	}
	return rand.Text()
}

// logger makes the log that goes to standard error.
func (f *sandboxFlags) logger(stderr io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, badUsage("use debug, info, warn or error", "--log-level: %q is not a level", f.logLevel)
	}
	switch f.logFormat {
	case "json":
		return slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: mockserver.MaskAttr})), nil
	case "text":
		return slog.New(tint.NewTextHandler(stderr, &tint.Options{
			Level: level, ReplaceAttr: mockserver.MaskAttr, NoColor: !coloured(stderr), TimeFormat: time.TimeOnly,
		})), nil
	default:
		return nil, badUsage("use text or json", "--log-format: %q is not a format", f.logFormat)
	}
}

// coloured says whether what is written may be coloured: a terminal that can, and whose
// user has not set NO_COLOR.
func coloured(w any) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// terminal says whether a person is likely to read along.
func terminal(w any) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
