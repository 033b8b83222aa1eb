package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/check"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// maxFile is how large a file of the corpus may be.
const maxFile = 60_000

func main() {
	binary := flag.String("binary", ".build/paysandbox", "the sandbox")
	out := flag.String("out", "fixtures/reports", "where the reports go")
	tools := flag.String("tools", ".build/reports-tools", "where the npm packages are, or go")
	chromium := flag.String("chromium", "/usr/bin/chromium", "the browser")
	only := flag.String("only", "", "the beginning of the names of those to make")
	flag.Parse()
	if err := run(context.Background(), *binary, *out, *tools, *chromium, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, out, tools, chromium, only string) error {
	list, err := readStories()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(tools)
	if err != nil {
		return err
	}
	k := &kit{ctx: ctx, dir: dir, chromium: chromium}
	var failed []error
	for i := range list {
		if s := &list[i]; strings.HasPrefix(s.Name, only) {
			if err := record(ctx, binary, out, k, s); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", s.Name, err))
			}
		}
	}
	return errors.Join(failed...)
}

// made says which tools are real here, and which forms are written.
var made = map[string]string{
	"playwright": "Playwright recorded it in Chromium, without the token call of the server behind the page", "devtools": "the DevTools protocol of Chromium recorded it (chrome-har), without the token call",
	"curl -v": "curl -v printed it", "curl -v $": "curl -v printed it, with the commands", "curl --trace": "curl --trace-ascii printed it",
	"httpyac": "httpyac printed it", "newman": "newman ran it (one run a call, put together)",
}

// record makes one report.
func record(ctx context.Context, binary, out string, k *kit, s *story) error {
	st, err := start(ctx, binary, s, made[s.Tool] == "" && !s.Real)
	if err != nil {
		return err
	}
	defer st.stop()
	t, err := k.tool(s, st)
	if err != nil {
		return err
	}
	if err := st.play(t); err != nil {
		return err
	}
	files, err := t.files()
	if err != nil {
		return err
	}
	if err := st.hooks(files); err != nil {
		return err
	}
	return st.finish(filepath.Join(out, s.Name), files)
}

func (k *kit) tool(s *story, st *stage) (tool, error) {
	if made[s.Tool] != "" {
		if err := k.fetch(); err != nil {
			return nil, fmt.Errorf("fetch the tools: %w", err)
		}
	}
	switch s.Tool {
	case "playwright", "devtools":
		return k.browser(s.Tool, s.Bodies, st.proxy)
	case "curl -v", "curl -v $", "curl --trace":
		return &curlTool{ctx: k.ctx, trace: s.Tool == "curl --trace", commands: s.Tool == "curl -v $"}, nil
	case "httpyac":
		return &yacTool{kit: k}, nil
	case "newman":
		return &newmanTool{kit: k, proxy: st.proxy}, nil
	default:
		return &plainTool{stage: st, form: s.Tool}, nil
	}
}

// hooks adds what the receiver has heard.
func (s *stage) hooks(files map[string][]byte) error {
	s.receiver.mu.Lock()
	defer s.receiver.mu.Unlock()
	switch s.story.Hooks {
	case "raw":
		files["webhooks.txt"] = rawHooks(s.receiver.hooks, s.skew())
	case "jsonl":
		data, err := hookLines(s.receiver.hooks, s.skew())
		if err != nil {
			return err
		}
		files["webhooks.jsonl"] = data
	case "bodies":
		files["webhooks.log"] = bareHooks(s.receiver.hooks)
		return nil
	}
	if s.story.Hooks != "" {
		s.story.Expect.WebhookSecret, s.story.Expect.ReceivedComplete = secret, true
	}
	return nil
}

// finish writes the report, when it holds what it is said to hold.
func (s *stage) finish(dir string, files map[string][]byte) error {
	e := &s.story.Expect
	for name := range files {
		e.Files = append(e.Files, name)
	}
	slices.Sort(e.Files)
	if e.Made = made[s.story.Tool]; e.Made == "" {
		e.Made = "written in the documented form of " + s.story.Tool
	}
	if err := s.confirm(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // fixtures are read by everybody
		return err
	}
	var names []string
	for _, name := range e.Files {
		if len(files[name]) > maxFile {
			return fmt.Errorf("%s has %d bytes", name, len(files[name]))
		}
		names = append(names, filepath.Join(dir, name))
		if err := write(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	if e.Exchanges == 0 { // the story does not say it
		r, err := read.Files(names, read.Options{WebhookSecret: e.WebhookSecret, ReceivedComplete: e.ReceivedComplete})
		if err != nil {
			return err
		}
		e.Exchanges, e.Webhooks = len(r.Exchanges), len(r.Received)
	} else if s.story.Hooks != "" {
		e.Webhooks = s.receiver.count()
	}
	text, err := yaml.Marshal(e)
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %-12s %d calls, %d webhooks\n", s.story.Name, s.story.Tool, e.Exchanges, e.Webhooks)
	return write(filepath.Join(dir, "expect.yaml"), text)
}

// confirm holds what is to be found against the sandbox's own tape: the clauses of the
// partner that it breaks, and none of an innocent one.
func (s *stage) confirm() error {
	meta, entries, _, err := s.tape()
	if err != nil {
		return err
	}
	var broken []string
	for _, result := range check.Judge(trail.New(meta, entries), check.Integration()) {
		if result.Word == verdict.Fail {
			broken = append(broken, result.Check)
		}
	}
	for i := range s.proxy.calls {
		if x := &s.proxy.calls[i]; x.status >= 400 {
			fmt.Printf("  %s %s: %d %v\n", x.method, x.target, x.status, clauses(x.answer))
		}
	}
	if len(broken) > 0 {
		fmt.Printf("  breaks %v\n", broken)
	}
	e := &s.story.Expect
	if e.Innocent && len(broken) > 0 {
		return fmt.Errorf("an innocent partner breaks %v", broken)
	}
	if partner := func(id string) bool { return strings.HasPrefix(id, "partner.") }; len(e.Clause) > 0 && !slices.ContainsFunc(e.Clause, func(id string) bool {
		return !partner(id) || slices.Contains(broken, id)
	}) {
		return fmt.Errorf("none of %v is broken", e.Clause)
	}
	return nil
}

// clauses are those that an answer says are broken.
func clauses(answer []byte) []string {
	var problem struct {
		Findings []struct {
			Clause   string `json:"clause"`
			Advisory bool   `json:"advisory"`
		} `json:"findings"`
	}
	_ = json.Unmarshal(answer, &problem) // a gateway's answer has none
	var list []string
	for _, f := range problem.Findings {
		if !f.Advisory {
			list = append(list, f.Clause)
		}
	}
	return list
}
