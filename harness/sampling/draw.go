package sampling

import (
	"cmp"
	"flag"
	"os"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Check tries a property on what rapid draws: 100 cases when every case is wanted,
// else 20 (5 with the race detector), and by a fixed seed, so that a run tells of what was changed and not of what
// it happened to draw. PAYSANDBOX_DRAW=7 draws by another seed, and 0 by chance; the
// flags -rapid.seed and -rapid.checks go before.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	settle()
	rapid.Check(t, property)
}

// settle gives rapid's flags their values where nobody has.
var settle = sync.OnceFunc(func() {
	usual := map[string]string{"rapid.seed": cmp.Or(os.Getenv("PAYSANDBOX_DRAW"), "1")}
	if !All() {
		usual["rapid.checks"] = strconv.Itoa(20 / min(fewer(), 4))
	}
	flag.Visit(func(given *flag.Flag) { delete(usual, given.Name) })
	for name, value := range usual {
		if err := flag.Set(name, value); err != nil {
			panic("sampling: " + name + ": " + err.Error())
		}
	}
})
