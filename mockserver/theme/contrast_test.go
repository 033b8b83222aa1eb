package theme_test

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/theme"
)

var (
	comment    = regexp.MustCompile(`(?s)/\*.*?\*/`)
	rootRule   = regexp.MustCompile(`:root \{([^}]*)\}`)
	colour     = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6})`)
	cssRule    = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	foreground = regexp.MustCompile(`(?:^|; | )color: var\(--([a-z-]+)\)`)
	background = regexp.MustCompile(`background: var\(--([a-z-]+)\)`)
)

// css is the stylesheet without its comments.
func css() string { return comment.ReplaceAllString(string(theme.Style()), "") }

// palettes are the light and the dark colours of the style sheet.
func palettes(t *testing.T) []map[string]string {
	t.Helper()
	var list []map[string]string
	for _, m := range rootRule.FindAllStringSubmatch(css(), -1) {
		p := map[string]string{}
		for _, c := range colour.FindAllStringSubmatch(m[1], -1) {
			p[c[1]] = c[2]
		}
		list = append(list, p)
	}
	require.Len(t, list, 2)
	return list
}

// alone are the colours of text that may stand on any ground.
var alone = []string{"ink", "muted", "link", "bad"}

func TestContrast(t *testing.T) {
	t.Parallel()
	bare := rootRule.ReplaceAllString(css(), "")
	require.NotRegexp(t, `#[0-9a-fA-F]{3,8}\b|rgb|hsl`, bare, "every colour is in the palette")
	pairs := map[[2]string]float64{{"edge", "card"}: 3, {"edge", "bg"}: 3, {"accent", "card"}: 3, {"accent", "soft"}: 3, {"accent", "bg"}: 3}
	// text that names no background of its own stands on one of these
	for _, on := range []string{"bg", "card", "soft"} {
		for _, text := range alone {
			pairs[[2]string{text, on}] = 4.5
		}
	}
	for _, rule := range cssRule.FindAllStringSubmatch(bare, -1) {
		fg, bg := foreground.FindStringSubmatch(rule[2]), background.FindStringSubmatch(rule[2])
		if fg != nil && bg != nil {
			pairs[[2]string{fg[1], bg[1]}] = 4.5
		} else if fg != nil {
			require.Contains(t, alone, fg[1], rule[1]+" needs its pairs above")
		}
	}
	require.GreaterOrEqual(t, len(pairs), 20)
	for _, p := range palettes(t) {
		for pair, least := range pairs {
			require.NotEmpty(t, p[pair[0]], pair)
			require.NotEmpty(t, p[pair[1]], pair)
			require.GreaterOrEqual(t, contrast(t, p[pair[0]], p[pair[1]]), least, pair)
		}
	}
	require.InDelta(t, 21, contrast(t, "#000000", "#ffffff"), 0.01)
	require.InDelta(t, 4.54, contrast(t, "#767676", "#ffffff"), 0.01)
}

// contrast is the ratio of WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	l := []float64{luminance(t, a), luminance(t, b)}
	slices.Sort(l)
	return (l[1] + 0.05) / (l[0] + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		require.NoError(t, err)
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestFocusIsVisible(t *testing.T) {
	t.Parallel()
	require.Contains(t, css(), ":focus-visible")
	require.NotRegexp(t, `outline: *(none|0)`, css())
}
