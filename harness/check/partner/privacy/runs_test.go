package privacy

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRunsLoseNothing: what is found in the runs of a text is what is found in all of it.
func TestRunsLoseNothing(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`[A-Za-z0-9+/_-]{12,}`)
	p := &people{phones: map[string]bool{"2025550142": true}, lengths: map[int]bool{10: true}}
	pieces := []string{"2", "02", "555", "0142", "12", "-", " ", ".", "(", ")", "+", "+1", "x", "é", "漢", "_/", "202-555-0142", "123-45-6789", "2025550142"}
	met := map[string]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(13) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		rows := numbers.runs(text)
		for name, f := range map[string]func(string) bool{"phone": p.phone, "ssn": security} {
			want := f(text)
			require.Equal(t, want, slices.ContainsFunc(rows, f), "%s in %q, rows %q", name, text, rows)
			if want {
				met[name]++
			}
		}
		require.Equal(t, form.FindAllString(text, -1), base64s.runs(text))
	}
	require.Positive(t, min(met["phone"], met["ssn"]))
}
