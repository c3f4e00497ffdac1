package assay

import (
	"net/netip"
	"strings"
	"testing"
)

// The table is that of the service, so that both judge an address alike.
var kinds = map[kind]string{
	loopback: "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ::1%lo",
	private: "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255 fc00::1 fdff::1 fec0::1 ::ffff:10.0.0.1 " +
		"2002:a00:1::1 fd00::1%eth0",
	reserved: "0.0.0.0 0.1.2.3 :: 169.254.0.1 fe80::1 febf::1 fe80::1%eth0 169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 " +
		"192.0.0.192 fd00:ec2::254 fd20:ce::254 224.0.0.1 239.255.255.255 ff02::1 255.255.255.255 240.0.0.1 192.0.0.1 192.0.2.1 " +
		"198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 192.88.99.1 2001:db8::1 2001::1 3fff::1 100::1 64:ff9b:1::1 4000::1 " +
		"::ffff:0:127.0.0.1 ::ffff:169.254.169.254 ::ffff:0.0.0.0 ::a9fe:a9fe 64:ff9b::a9fe:a9fe 64:ff9b::e000:1 2002:a9fe:a9fe:: " +
		"2001:db8::1%eth0 64:ff9b::a9fe:a9fe%eth0",
	global: "1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.0 " +
		"172.15.255.255 172.32.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2002:101:101::1 64:ff9b::101:101 " +
		"::ffff:1.1.1.1",
}

// What an issuer's metadata names must not make this machine ask its own network.
func TestAddressesAreChecked(t *testing.T) {
	for expected, all := range kinds {
		for _, text := range strings.Fields(all) {
			address := netip.MustParseAddr(text)
			for _, how := range []Fetching{{}, {Loopback: true}, {Private: true}, {Loopback: true, Private: true}} {
				fine := expected == global || expected == loopback && how.Loopback || expected == private && how.Private
				if permits(address, how) != fine {
					t.Errorf("%s, loopback %v, private %v: %v", text, how.Loopback, how.Private, !fine)
				}
			}
		}
	}
}
