package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed drive.mjs
var driver []byte

// kit is where the foreign tools are.
type kit struct {
	ctx           context.Context
	dir, chromium string
}

// packages are the npm packages, with their versions.
var packages = []string{"newman@6.2.2", "playwright-core@1.65.1", "httpyac@6.16.7", "chrome-har@1.3.1"}

// fetch installs the npm packages once.
func (k *kit) fetch() error {
	if _, err := os.Stat(filepath.Join(k.dir, "node_modules", "newman")); err == nil {
		return nil
	}
	cmd := exec.CommandContext(k.ctx, "npm", append([]string{"install", "--no-audit", "--no-fund", "--prefix", k.dir}, packages...)...) //nolint:gosec // names above
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

func (k *kit) bin(name string) string { return filepath.Join(k.dir, "node_modules", ".bin", name) }

// curlTool makes calls with curl and keeps what a terminal would show.
type curlTool struct {
	ctx             context.Context
	trace, commands bool
	log             bytes.Buffer
}

func (c *curlTool) call(r *request) error {
	args := []string{"-s", "-X", r.Method, r.URL}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		args = append(args, "-H", name+": "+r.Headers[name])
	}
	if r.Body != "" {
		args = append(args, "--data-raw", r.Body)
	}
	verbose := []string{"-v"}
	if c.trace {
		verbose = []string{"--trace-ascii", "/dev/stderr", "--trace-time"}
	}
	cmd := exec.CommandContext(c.ctx, "curl", append(verbose, args...)...) //nolint:gosec // the story's own call
	var said, body bytes.Buffer
	cmd.Stderr, cmd.Stdout = &said, &body
	err := cmd.Run()
	if c.commands {
		c.log.WriteString("$ curl " + shellWords(append(verbose, args...)) + "\n")
	}
	c.log.Write(said.Bytes())
	if !c.trace {
		c.log.Write(body.Bytes())
	}
	if c.log.WriteByte('\n'); err != nil {
		code := cmd.ProcessState.ExitCode()
		fmt.Fprintf(&c.log, "curl: (%d) Empty reply from server\n", code)
	}
	return nil
}

func (c *curlTool) files() (map[string][]byte, error) {
	return map[string][]byte{"terminal.txt": c.log.Bytes()}, nil
}

// shellWords quotes words as a person would.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; strings.ContainsAny(w, " {}\"'&?$") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// yacTool makes calls with httpyac, whose output is a transcript. It keeps the .http file, too.
type yacTool struct {
	kit  *kit
	log  bytes.Buffer
	file bytes.Buffer
}

func (y *yacTool) call(r *request) error {
	one := httpRequest(r)
	y.file.WriteString("###\n" + one + "\n")
	dir, err := os.MkdirTemp("", "httpyac")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := write(filepath.Join(dir, "one.http"), []byte(one)); err != nil {
		return err
	}
	cmd := exec.CommandContext(y.kit.ctx, y.kit.bin("httpyac"), "send", "one.http", "--all", "--no-color") //nolint:gosec // a tool of ours
	cmd.Dir = dir
	out, err := cmd.Output()
	y.log.Write(out)
	if err != nil && len(out) == 0 {
		return err
	}
	return nil
}

func (y *yacTool) files() (map[string][]byte, error) {
	return map[string][]byte{"httpyac.txt": y.log.Bytes()}, nil
}

func httpRequest(r *request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Method, r.URL)
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		fmt.Fprintf(&b, "%s: %s\n", name, r.Headers[name])
	}
	if r.Body != "" {
		fmt.Fprintf(&b, "\n%s\n", r.Body)
	}
	return b.String()
}

// browserTool makes calls from a page in Chromium.
type browserTool struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	har string
}

func (k *kit) browser(mode, bodies string, p *proxy) (*browserTool, error) {
	dir, err := os.MkdirTemp("", "reports")
	if err != nil {
		return nil, err
	}
	script := filepath.Join(dir, "drive.mjs")
	if err := write(script, driver); err != nil {
		return nil, err
	}
	b := &browserTool{har: filepath.Join(dir, "session.har")}
	b.cmd = exec.CommandContext(k.ctx, "node", script, k.dir, mode, "http://"+p.address, b.har, k.chromium, bodies) //nolint:gosec // a tool of ours
	b.cmd.Stderr = os.Stderr
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.out = bufio.NewReader(out)
	return b, b.cmd.Start()
}

func (b *browserTool) call(r *request) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := b.in.Write(append(line, '\n')); err != nil {
		return err
	}
	_, err = b.out.ReadBytes('\n')
	return err
}

func (b *browserTool) files() (map[string][]byte, error) {
	if err := b.in.Close(); err != nil {
		return nil, err
	}
	if err := b.cmd.Wait(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(b.har)
	return map[string][]byte{"session.har": smaller(data)}, err
}

// smaller lays a HAR out without what nobody reads, so that the corpus stays small.
func smaller(data []byte) []byte {
	var har struct {
		Log map[string]any `json:"log"`
	}
	if json.Unmarshal(data, &har) != nil {
		return data
	}
	entries, _ := har.Log["entries"].([]any)
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		for _, name := range []string{"timings", "cache", "_initiator", "_initiator_type", "_initiator_detail", "connection", "_serverAddress", "serverIPAddress"} {
			if name == "timings" || name == "cache" {
				entry[name] = map[string]any{}
				continue
			}
			delete(entry, name)
		}
	}
	out, err := json.MarshalIndent(har, "", " ")
	if err != nil {
		return data
	}
	return out
}
