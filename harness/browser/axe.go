package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// axe is the judge of accessibility, pinned.
const axe = "axe-core@4.14.1"

// Axe gives the source of axe-core, which is fetched by npm once and then comes
// from its cache. Where npm cannot fetch it the test is skipped, and says so.
func Axe(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "npm", "pack", axe, "--silent", "--prefer-offline", "--pack-destination", dir).CombinedOutput() //nolint:gosec // G204: the package is pinned here
	if err != nil {
		missing := fmt.Sprintf("NOT JUDGED: npm cannot fetch %s (npm pack %s shows why): %v", axe, axe, err)
		fmt.Fprintln(os.Stderr, "SKIPPED:", missing)
		t.Skipf("%s\n%s", missing, out)
	}
	packed, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	require.NoError(t, err)
	require.Len(t, packed, 1)
	body, err := os.ReadFile(packed[0])
	require.NoError(t, err)
	source, err := unpack(body, "package/axe.min.js")
	require.NoError(t, err)
	return source
}

// unpack reads one file of a .tgz.
func unpack(body []byte, name string) (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	for files := tar.NewReader(z); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return "", fmt.Errorf("no %s in it", name)
		} else if err != nil {
			return "", err
		}
		if head.Name == name {
			text, err := io.ReadAll(files)
			return string(text), err
		}
	}
}

// Look is how a page is looked at: as wide as this, in "light" or "dark".
type Look struct {
	Width  int64
	Scheme string
}

// Looks are those of a large screen and of a telephone, light and dark.
func Looks() []Look { return []Look{{1280, "light"}, {1280, "dark"}, {390, "light"}, {390, "dark"}} }

// String names a look, for example 390-dark.
func (l Look) String() string { return fmt.Sprintf("%d-%s", l.Width, l.Scheme) }

// Put gives a tab this look.
func (l Look) Put(ctx context.Context, t *testing.T) {
	t.Helper()
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(l.Width, 900)))
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.Scheme}},
	})
	require.NoError(t, err)
}

// Violations lists what axe-core finds wrong with the page that a tab shows, and
// whether it is wider than its window. All rules go over a light page, those of colour
// over a dark one, which is the same page in other colours. Where PAYSANDBOX_SCREENSHOTS
// names a folder a picture of the whole page is put there under this name and the look's.
func (l Look) Violations(ctx context.Context, t *testing.T, source, name string) []string {
	t.Helper()
	name += "-" + l.String()
	if dir := os.Getenv("PAYSANDBOX_SCREENSHOTS"); dir != "" {
		png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600))
	}
	rules := ""
	if l.Scheme == "dark" {
		rules = `, runOnly: ["cat.color"]`
	}
	judge := `axe.run(document, {resultTypes: ["violations"]` + rules + `}).then(r => JSON.stringify(r.violations.map(v =>
		v.id + ": " + v.help + ": " + v.nodes.slice(0, 4).map(n => n.target + " (" + (n.any[0] || n.all[0] || {message: ""}).message + ")").join("; "))))`
	there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`typeof axe !== "undefined"`))
	require.NoError(t, err)
	if !there { // a page that is looked at once more has it
		_, err = chromedp.Run(ctx, chromedp.Evaluate[int](source+";0"))
		require.NoError(t, err)
	}
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](judge, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	var found []string
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`))
	require.NoError(t, err)
	if wide > 0 {
		found = append(found, fmt.Sprintf("the page is %d pixels wider than its window", wide))
	}
	return found
}

// eachTab is how many pages one tab looks at before another is opened.
const eachTab = 4

// JudgeEach looks at pages, addresses by their names, in every look, and fails a test for
// what axe-core finds. A tab is closed before the next is opened: a page that is kept up to
// date holds a connection, and a browser has six to one server.
func JudgeEach(browser context.Context, t *testing.T, source string, pages map[string]string) {
	t.Helper()
	for names := range slices.Chunk(slices.Sorted(maps.Keys(pages)), eachTab) {
		t.Run(names[0], func(t *testing.T) {
			tab := Tab(browser, t, true)
			for _, name := range names {
				judge(tab, t, source, name, pages[name])
			}
		})
	}
}

// judge looks at one page in every look. It is fetched once: its look is the stylesheet's.
func judge(tab context.Context, t *testing.T, source, name, address string) {
	t.Helper()
	for i, l := range Looks() {
		if l.Put(tab, t); i == 0 {
			require.NoError(t, chromedp.Do(tab, chromedp.Navigate(address)), name)
		}
		for _, found := range l.Violations(tab, t, source, name) {
			t.Error(name, l, found)
		}
	}
}
