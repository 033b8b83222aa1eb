package door

import (
	"maps"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// A caller may show so many wrong tokens at once, and one more whenever guessEvery has
// gone by; so many callers are known.
const (
	guessesAtOnce = 10
	guessEvery    = 6 * time.Second
	maxGuessers   = 4096
)

// Guesses slows those who show one wrong control token after the other, each caller by
// itself. The zero value is ready.
type Guesses struct {
	mu sync.Mutex
	// spent is when each caller may guess as often as at the beginning again.
	spent map[netip.Prefix]time.Time
}

// Try takes one guess from a caller. With wait above 0 it has none left: what it shows is
// not to be looked at. Right gives the guess back when it was none.
func (g *Guesses) Try(by netip.Prefix, now time.Time) (wait time.Duration, right func()) {
	if !by.IsValid() {
		return 0, func() {}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	spent := g.spent[by]
	if spent.Before(now) {
		spent = now
	}
	if wait = spent.Add(guessEvery).Sub(now) - guessesAtOnce*guessEvery; wait > 0 {
		return wait, nil
	}
	g.makeRoom(now)
	g.spent[by] = spent.Add(guessEvery)
	return 0, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.spent[by] = g.spent[by].Add(-guessEvery)
	}
}

// makeRoom forgets who may guess as at the beginning, or all where so many are slowed: who
// has so many addresses has as many guesses as it likes.
func (g *Guesses) makeRoom(now time.Time) {
	if g.spent == nil {
		g.spent = map[netip.Prefix]time.Time{}
	}
	if len(g.spent) < maxGuessers {
		return
	}
	maps.DeleteFunc(g.spent, func(_ netip.Prefix, spent time.Time) bool { return spent.Before(now) })
	if len(g.spent) > maxGuessers/2 {
		clear(g.spent)
	}
}

// CallerOf is who a request comes from: an address, or the network that an IPv6 address
// is of. Behind a proxy that is ours it is the last that X-Forwarded-For names, with or
// without a port; where that is none it is the proxy, so that all who come by it are one.
// It is invalid where nobody can tell.
func CallerOf(r *http.Request, behindProxy bool) netip.Prefix {
	addr := addressIn(r.RemoteAddr)
	if behindProxy {
		all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if named := addressIn(strings.Trim(all[len(all)-1], " \t\"")); named.IsValid() {
			addr = named
		}
	}
	if !addr.IsValid() {
		return netip.Prefix{}
	}
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	network, _ := addr.Prefix(bits) // it has that many
	return network
}

// addressIn is the address in a text, which may have a port.
func addressIn(text string) netip.Addr {
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		with, _ := netip.ParseAddrPort(text)
		addr = with.Addr()
	}
	return addr.Unmap().WithZone("")
}
