// Package browser opens a real Chromium for tests of what people look at. It is
// for tests alone, and must not know any page.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

// patience bounds the life of one tab: a machine that runs much else takes a minute for
// what otherwise takes seconds.
const patience = 5 * time.Minute

// Start starts a browser whose window is so many pixels wide and 900 high, and
// gives its context, which ends with the test. It belongs to `make check`: a quick
// run skips the test. Where no Chromium is found it is skipped, too, and standard error says so and what was not looked at; where CI is
// true it fails.
func Start(t *testing.T, width int, what string) context.Context {
	t.Helper()
	sampling.OnlyAll(t, "it looks at "+what+" in a real browser")
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t, what)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(width, 900),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-back-forward-cache", true), chromedp.Flag("lang", "en-US"))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, closeBrowser := chromedp.NewContext(ctx)
	t.Cleanup(closeBrowser)
	require.NoError(t, chromedp.Do(ctx))
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	return ctx
}

// chromium finds a browser: $CHROMIUM, or one of the usual names on PATH.
func chromium(t *testing.T, what string) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	missing := "NOT LOOKED AT: no Chromium was found, and it is to look at " + what + ": set CHROMIUM to one, or install chromium, and run " + t.Name() + " again"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	fmt.Fprintln(os.Stderr, "SKIPPED:", missing)
	t.Skip(missing)
	return ""
}

// Tab opens a tab of a browser, with scripts on or off, and gives its context,
// which ends with the test, or when patience is at its end.
func Tab(browser context.Context, t *testing.T, scripts bool) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(browser, patience)
	t.Cleanup(cancel)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	require.NoError(t, chromedp.Do(ctx))
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
	require.NoError(t, err)
	return ctx
}
