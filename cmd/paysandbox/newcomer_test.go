package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
)

// printedConsole is the line of the announcement that a newcomer clicks.
var printedConsole = regexp.MustCompile(`^ +console +(http://\S+)$`)

// newcomer is somebody before a browser who has read nothing.
type newcomer struct {
	t       *testing.T
	tab     context.Context
	scripts bool
}

// starts starts the program as `make run` does, and clicks the link that it prints.
func (n *newcomer) starts() {
	self, err := exec.LookPath("paysandbox")
	require.NoError(n.t, err)
	cmd := exec.CommandContext(n.t.Context(), self, "serve", "--addr", "127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	require.NoError(n.t, err)
	require.NoError(n.t, cmd.Start())
	n.t.Cleanup(func() { _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := printedConsole.FindStringSubmatch(lines.Text()); m != nil {
			require.NoError(n.t, chromedp.Do(n.tab, chromedp.Navigate(m[1])))
			return
		}
	}
	n.t.Fatal("no console is announced")
}

// presses what has a data-testid, or what a selector finds, and waits for the page that follows.
func (n *newcomer) presses(selector string) {
	n.t.Helper()
	_, err := chromedp.RunResponse(n.tab, chromedp.Click(chromedp.CSS(selector)))
	require.NoError(n.t, err, selector)
}

func (n *newcomer) reads(id string) string {
	n.t.Helper()
	text, err := chromedp.Run(n.tab, chromedp.Text(chromedp.CSS(`[data-testid="`+id+`"]`)))
	require.NoError(n.t, err, id)
	return strings.TrimSpace(text)
}

// sees waits until the page shows a text; without scripts it is asked for again.
func (n *newcomer) sees(selector, text string) {
	n.t.Helper()
	require.Eventually(n.t, func() bool {
		if !n.scripts {
			require.NoError(n.t, chromedp.Do(n.tab, chromedp.Reload()))
		}
		all, err := chromedp.Run(n.tab, chromedp.Evaluate[string](`[...document.querySelectorAll(`+"`"+selector+"`"+`)].map(e => e.textContent).join(" ")`))
		return err == nil && strings.Contains(all, text)
	}, 2*time.Minute, 20*time.Millisecond, "%s in %s", text, selector)
}

// TestANewcomerNeedsNothingElse begins at the link that is printed, runs in a shell what the
// page says, and does what pages offer, until a payment is Paid and it is clear why a delivery
// failed.
func TestANewcomerNeedsNothingElse(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the console as a newcomer meets it")
	for mode, scripts := range map[string]bool{"scripts on": true, "scripts off": false} {
		t.Run(mode, func(t *testing.T) {
			n := &newcomer{t, browser.Tab(chromium, t, scripts), scripts}
			n.starts()
			if scripts {
				n.sees("#live", "live")
			}
			line := n.reads("try")
			require.Contains(t, n.reads("waiting"), "Waiting for your first call")
			told, err := exec.CommandContext(t.Context(), "bash", "-c", line).CombinedOutput()
			require.NoError(t, err, "%s", told)
			require.JSONEq(t, `{"companies":[]}`, string(told))
			n.sees("#rows tr.entry", "GET /Company/List")

			n.presses(`[data-testid="make-first"]`)
			require.Equal(t, "Pending", n.reads("status"))
			require.NoError(t, chromedp.Do(n.tab, chromedp.SendKeys(chromedp.CSS(`[name="body.url"]`), "http://127.0.0.1:9/hooks")))
			n.presses(`[data-testid="register"]`)
			require.Contains(t, n.reads("flash"), "Nobody answers there: connection refused")
			n.presses(`[data-testid="move-approve"]`)
			require.Equal(t, "Processing", n.reads("status"))
			require.Contains(t, n.reads("flash"), "was answered 200")
			require.NotContains(t, n.reads("flash"), "Fix:", "nothing warns who has read nothing")
			require.Contains(t, n.reads("due"), "the bank pays a payment")
			n.sees(`[data-testid="status"]`, "Paid")
			require.Contains(t, n.reads("why"), "The payment went from Processing to Paid by pay")
			n.sees(`[data-testid="entity-deliveries"]`, "PAYMENT_STATUS_CHANGED Processing failing no answer")
			n.sees(`[data-testid="entity-deliveries"]`, "connection refused; attempt 3 of 8 after 5m")
			n.presses(`[data-testid="entity-deliveries"] a[href*="/entries/"]`)
			require.Contains(t, n.reads("entry"), "Nothing listens at 127.0.0.1:9: start the receiver")
		})
	}
}
