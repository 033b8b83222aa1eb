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
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/harness/trail/told"
)

// controlFlags say which running sandbox a command speaks to.
type controlFlags struct{ url, token, integration string }

func (f *controlFlags) declare(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.url, "url", "http://"+defaultAddr, "address of the running sandbox")
	fs.StringVar(&f.token, "control-token", "", "token of its control API, when it wants one")
	fs.StringVar(&f.integration, "integration", "default", "id of the integration")
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 20

// call sends one request to the integration's control API and gives the answer.
func (f *controlFlags) call(ctx context.Context, method, path string, body any) ([]byte, error) {
	return f.callAt(ctx, method, "/"+url.PathEscape(f.integration)+path, body)
}

// callAt is call at a path below that of the integrations.
func (f *controlFlags) callAt(ctx context.Context, method, path string, body any) ([]byte, error) {
	if body == nil {
		return f.sendAt(ctx, method, path, "application/json", nil)
	}
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return f.sendAt(ctx, method, path, "application/json", sent)
}

// send is call with a body of any kind.
func (f *controlFlags) send(ctx context.Context, method, path, media string, sent []byte) ([]byte, error) {
	return f.sendAt(ctx, method, "/"+url.PathEscape(f.integration)+path, media, sent)
}

func (f *controlFlags) sendAt(ctx context.Context, method, path, media string, sent []byte) ([]byte, error) {
	target := strings.TrimSuffix(f.url, "/") + "/_sandbox/integrations" + path
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(sent))
	if err != nil {
		return nil, badUsage("give an address such as http://"+defaultAddr, "--url %q: %w", f.url, err)
	}
	req.Header.Set("Content-Type", media)
	if f.token != "" {
		req.Header.Set("Authorization", "Bearer "+f.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, unreachable("start one with `paysandbox serve`, or name it with --url", "no sandbox answers at %s: %w", f.url, errors.Unwrap(err))
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusBadRequest {
		return nil, refusal(res.StatusCode, answer)
	}
	return answer, nil
}

// refusal turns problem details into a usage error.
func refusal(status int, answer []byte) error {
	var p struct {
		Detail   string `json:"detail"`
		Findings []struct {
			Pointer, Received, Expected, Fix string
		} `json:"findings"`
	}
	if json.Unmarshal(answer, &p) != nil || p.Detail == "" {
		p.Detail = http.StatusText(status)
	}
	hint := ""
	for _, f := range p.Findings {
		if where := strings.TrimPrefix(f.Pointer, "/"); where != "" {
			hint += where + ": "
		}
		hint += "expected " + f.Expected
		if f.Received != "" {
			hint += ", received " + f.Received
		}
		hint += "; "
		if f.Fix != "" {
			hint += f.Fix + "; "
		}
	}
	if status == http.StatusUnauthorized {
		hint = "send the control token that `paysandbox serve` has printed with --control-token"
	}
	tell := badUsage
	if status >= http.StatusInternalServerError {
		tell = unreachable
	}
	return tell(strings.TrimSuffix(hint, "; "), "the sandbox answered %d: %s", status, p.Detail)
}

// pretty prints an answer as indented JSON.
func pretty(w io.Writer, answer []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, answer, "", "  "); err != nil {
		return fmt.Errorf("the sandbox's answer is not JSON: %w", err)
	}
	text := b.String()
	if terminal(w) {
		text = told.Clean(text)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
