package assay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"strings"
	"time"
)

// Claims are the claims of a verified token. Nothing else makes one. They are immutable, and any number of goroutines may read them. A nil
// pointer has no claims.
type Claims struct{ payload, header string }

// newClaims copies what a slot has into one piece of memory.
func newClaims(s *C.assay_go_slot) *Claims {
	payload, header := bytes(s.payload), bytes(s.header)
	var all strings.Builder
	all.Grow(len(payload) + len(header))
	all.Write(payload)
	all.Write(header)
	whole := all.String()
	return &Claims{whole[:len(payload)], whole[len(payload):]}
}

// Issuer returns `iss`; empty if the token has none. Subject, TokenID, KeyID and Algorithm do the same with `sub`, `jti`, and `kid` and `alg` of
// the header.
func (c *Claims) Issuer() string    { return unquoted(member(c.own().payload, "iss")) }
func (c *Claims) Subject() string   { return unquoted(member(c.own().payload, "sub")) }
func (c *Claims) TokenID() string   { return unquoted(member(c.own().payload, "jti")) }
func (c *Claims) KeyID() string     { return unquoted(member(c.own().header, "kid")) }
func (c *Claims) Algorithm() string { return unquoted(member(c.own().header, "alg")) }

var noClaims Claims

func (c *Claims) own() *Claims {
	if c == nil {
		return &noClaims
	}
	return c
}

// Expiration returns `exp`, without a fraction of a second; false if the token has none. NotBefore, IssuedAt and AuthenticationTime do the same with
// `nbf`, `iat` and `auth_time`.
func (c *Claims) Expiration() (time.Time, bool)         { return c.date("exp") }
func (c *Claims) NotBefore() (time.Time, bool)          { return c.date("nbf") }
func (c *Claims) IssuedAt() (time.Time, bool)           { return c.date("iat") }
func (c *Claims) AuthenticationTime() (time.Time, bool) { return c.date("auth_time") }

func (c *Claims) date(name string) (time.Time, bool) {
	seconds, has := date(member(c.own().payload, name))
	if !has {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0), true
}

// Payload returns the JSON of the claims, as the token has it.
func (c *Claims) Payload() string { return c.own().payload }

// Header returns the JSON of the header.
func (c *Claims) Header() string { return c.own().header }

// Has tells whether the token has a claim of exactly this name.
func (c *Claims) Has(name string) bool { return member(c.own().payload, name) != "" }

// String returns a claim that is a string; false if it is absent or of another type.
func (c *Claims) String(name string) (string, bool) {
	raw := member(c.own().payload, name)
	return unquoted(raw), strings.HasPrefix(raw, `"`)
}

// Claim decodes a claim as encoding/json does. The name is exactly this one. An absent claim is an error.
func (c *Claims) Claim(name string, into any) error {
	raw := member(c.own().payload, name)
	if raw == "" {
		return withoutClaim(name, "the token has no claim "+name)
	}
	if err := oneSpelling(raw); err != nil {
		return err
	}
	return json.Unmarshal([]byte(raw), into)
}

func withoutClaim(name, sentence string) error {
	refusal := refused(MissingClaim, sentence)
	refusal.Claim = name
	return refusal
}
