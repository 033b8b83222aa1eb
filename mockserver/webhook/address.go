package webhook

import (
	"fmt"
	"net/netip"
	"syscall"
)

// The flags of the sandbox that permit what is refused.
const (
	flagPrivate  = "--allow-private-networks"
	flagLoopback = "--allow-loopback"
)

// refusal is the error of an address that may not be called.
type refusal struct {
	addr netip.Addr
	kind string
	flag string // permits it
}

func (r *refusal) Error() string {
	return fmt.Sprintf("address %s is refused, it is %s; %s permits it", r.addr, r.kind, r.flag)
}

// block is a range of addresses that are not of the public internet.
type block struct {
	prefix netip.Prefix
	kind   string
}

// blocks are the ranges that are refused, after IANA's registries of special
// purpose addresses. Loopback has been judged before they are asked.
var blocks = [...]block{
	{netip.MustParsePrefix("0.0.0.0/8"), "an unspecified address"},
	{netip.MustParsePrefix("10.0.0.0/8"), "in a private network"},
	{netip.MustParsePrefix("100.64.0.0/10"), "in a carrier's private network"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local, where clouds keep their metadata"},
	{netip.MustParsePrefix("172.16.0.0/12"), "in a private network"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved for protocols"},
	{netip.MustParsePrefix("192.0.2.0/24"), "reserved for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a relay into other networks"},
	{netip.MustParsePrefix("192.168.0.0/16"), "in a private network"},
	{netip.MustParsePrefix("198.18.0.0/15"), "reserved for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "reserved for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "reserved for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("::/128"), "an unspecified address"},
	{netip.MustParsePrefix("::/96"), "an embedded IPv4 address"},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), "an embedded IPv4 address"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "in a private network"},
	{netip.MustParsePrefix("100::/64"), "reserved for discarding"},
	{netip.MustParsePrefix("2001::/23"), "reserved for protocols"},
	{netip.MustParsePrefix("2001:db8::/32"), "reserved for documentation"},
	{netip.MustParsePrefix("2002::/16"), "a relay into other networks"},
	{netip.MustParsePrefix("3fff::/20"), "reserved for documentation"},
	{netip.MustParsePrefix("5f00::/16"), "reserved for protocols"},
	{netip.MustParsePrefix("fc00::/7"), "in a private network"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "in a private network"},
	{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
}

// nat64 holds a whole IPv4 address in its last four bytes.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// allowed says whether an address may be called: public ones; those of the
// sandbox's own machine when nobody else can call the sandbox, or when that is
// permitted; the rest when private networks are. What stands for an IPv4 address
// is judged as that one.
func (o *Options) allowed(addr netip.Addr) error {
	bare := addr.WithZone("").Unmap()
	switch own := bare.IsLoopback() || bare.IsUnspecified(); { // a connection to 0.0.0.0 comes out at this machine
	case own && !o.AllowLoopback:
		return &refusal{addr, "of the sandbox's own machine", flagLoopback}
	case bare.IsLoopback(), o.AllowPrivate:
		return nil
	}
	if nat64.Contains(bare) {
		b := bare.As16()
		bare = netip.AddrFrom4([4]byte(b[12:]))
		if bare.IsLoopback() {
			return &refusal{addr, "a loopback address of another host", flagPrivate}
		}
	}
	for _, b := range blocks {
		if b.prefix.Contains(bare) {
			return &refusal{addr, b.kind, flagPrivate}
		}
	}
	return nil
}

// screen is asked by the dialer when a name has become an address and before
// anything is sent to it, so that no answer of a name server gets around it.
func (o *Options) screen(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read the address %q: %w", address, err)
	}
	return o.allowed(ap.Addr())
}
