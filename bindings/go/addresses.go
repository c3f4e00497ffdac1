package assay

import "net/netip"

// A kind is that of an address, as far as it matters for a URL from a document of somebody else.
type kind int

const (
	global kind = iota
	loopback
	// private is RFC 1918, unique local (RFC 4193), shared by carriers (RFC 6598), and the former site-local range.
	private
	// reserved are addresses that no rule allows: link-local, multicast, documentation, unassigned ones, and the services of clouds that
	// give out the machine's credentials.
	reserved
)

// ranges are the IANA registries of special-purpose addresses (RFC 6890). The first match decides, so narrow ranges come first.
var ranges = []struct {
	prefix netip.Prefix
	kind   kind
}{
	// Metadata services of clouds outside of link-local addresses.
	{netip.MustParsePrefix("100.100.100.200/32"), reserved},
	{netip.MustParsePrefix("168.63.129.16/32"), reserved},
	{netip.MustParsePrefix("fd00:ec2::254/128"), reserved},
	{netip.MustParsePrefix("fd20:ce::254/128"), reserved},

	{netip.MustParsePrefix("0.0.0.0/8"), reserved},
	{netip.MustParsePrefix("10.0.0.0/8"), private},
	{netip.MustParsePrefix("100.64.0.0/10"), private},
	{netip.MustParsePrefix("127.0.0.0/8"), loopback},
	{netip.MustParsePrefix("169.254.0.0/16"), reserved},
	{netip.MustParsePrefix("172.16.0.0/12"), private},
	{netip.MustParsePrefix("192.0.0.0/24"), reserved},
	{netip.MustParsePrefix("192.0.2.0/24"), reserved},
	{netip.MustParsePrefix("192.88.99.0/24"), reserved},
	{netip.MustParsePrefix("192.168.0.0/16"), private},
	{netip.MustParsePrefix("198.18.0.0/15"), reserved},
	{netip.MustParsePrefix("198.51.100.0/24"), reserved},
	{netip.MustParsePrefix("203.0.113.0/24"), reserved},
	{netip.MustParsePrefix("224.0.0.0/3"), reserved},
	{netip.MustParsePrefix("0.0.0.0/0"), global},

	{netip.MustParsePrefix("::1/128"), loopback},
	{netip.MustParsePrefix("2001::/23"), reserved},
	{netip.MustParsePrefix("2001:db8::/32"), reserved},
	{netip.MustParsePrefix("3fff::/20"), reserved},
	{netip.MustParsePrefix("2000::/3"), global},
	{netip.MustParsePrefix("fc00::/7"), private},
	{netip.MustParsePrefix("fec0::/10"), private},
}

// kindOf returns the kind of an address. An IPv6 address that embeds an IPv4 address has the kind of that one.
func kindOf(address netip.Addr) kind {
	// No range contains an address with a zone.
	address = address.WithZone("").Unmap()
	if inner, embeds := embedded(address); embeds {
		address = inner
	}
	for _, row := range ranges {
		if row.prefix.Contains(address) {
			return row.kind
		}
	}
	return reserved
}

var (
	translated = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
	compatible = netip.MustParsePrefix("::/96")
)

// embedded returns the IPv4 address within one that NAT64 (RFC 6052) or 6to4 (RFC 3056) translates, or that is compatible with IPv4 (RFC 4291
// section 2.5.5.1). `::` and `::1` are no IPv4 addresses.
func embedded(address netip.Addr) (netip.Addr, bool) {
	bytes := address.As16()
	last := netip.AddrFrom4(*(*[4]byte)(bytes[12:16]))
	switch {
	case address.Is4():
	case translated.Contains(address):
		return last, true
	case sixToFour.Contains(address):
		return netip.AddrFrom4(*(*[4]byte)(bytes[2:6])), true
	case compatible.Contains(address) && !address.IsLoopback() && !address.IsUnspecified():
		return last, true
	}
	return netip.Addr{}, false
}

// permits tells whether an address may be asked.
func permits(address netip.Addr, how Fetching) bool {
	switch kindOf(address) {
	case global:
		return true
	case loopback:
		return how.Loopback
	case private:
		return how.Private
	}
	return false
}
