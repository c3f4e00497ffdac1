package assay

// #include "bridge.h"
import "C"

import (
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// Claims are the claims of a verified token. Nothing else makes one. They are immutable, and any number of goroutines may read them. A nil
// pointer has no claims.
type Claims struct {
	payload, header, issuer, subject, tokenID, keyID, algorithm string

	expiration, notBefore, issuedAt, authenticationTime int64
	dates                                               uint32

	once    sync.Once
	members map[string]json.RawMessage
}

// newClaims copies what a slot has into one piece of memory.
func newClaims(s *C.assay_go_slot) *Claims {
	texts := [...]C.assay_text{s.payload, s.header, s.issuer, s.subject, s.token_id, s.key_id, s.algorithm}
	size := 0
	for _, text := range texts {
		size += int(text.len)
	}
	var all strings.Builder
	all.Grow(size)
	for _, text := range texts {
		all.Write(bytes(text))
	}
	whole := all.String()
	next := func(text C.assay_text) string {
		part := whole[:text.len]
		whole = whole[text.len:]
		return part
	}
	return &Claims{
		payload: next(texts[0]), header: next(texts[1]), issuer: next(texts[2]), subject: next(texts[3]), tokenID: next(texts[4]),
		keyID: next(texts[5]), algorithm: next(texts[6]), dates: uint32(s.dates), expiration: int64(s.expiration),
		notBefore: int64(s.not_before), issuedAt: int64(s.issued_at), authenticationTime: int64(s.authentication_time),
	}
}

// Issuer returns `iss`; empty if the token has none. Subject, TokenID, KeyID and Algorithm do the same with `sub`, `jti`, and `kid` and `alg` of
// the header.
func (c *Claims) Issuer() string    { return c.own().issuer }
func (c *Claims) Subject() string   { return c.own().subject }
func (c *Claims) TokenID() string   { return c.own().tokenID }
func (c *Claims) KeyID() string     { return c.own().keyID }
func (c *Claims) Algorithm() string { return c.own().algorithm }

var noClaims Claims

func (c *Claims) own() *Claims {
	if c == nil {
		return &noClaims
	}
	return c
}

// Expiration returns `exp`, without a fraction of a second; false if the token has none. NotBefore, IssuedAt and AuthenticationTime do the same with
// `nbf`, `iat` and `auth_time`.
func (c *Claims) Expiration() (time.Time, bool) {
	c = c.own()
	return c.date(c.expiration, C.ASSAY_GO_EXPIRATION)
}
func (c *Claims) NotBefore() (time.Time, bool) {
	c = c.own()
	return c.date(c.notBefore, C.ASSAY_GO_NOT_BEFORE)
}
func (c *Claims) IssuedAt() (time.Time, bool) {
	c = c.own()
	return c.date(c.issuedAt, C.ASSAY_GO_ISSUED_AT)
}
func (c *Claims) AuthenticationTime() (time.Time, bool) {
	c = c.own()
	return c.date(c.authenticationTime, C.ASSAY_GO_AUTHENTICATION_TIME)
}

func (c *Claims) date(seconds int64, bit uint32) (time.Time, bool) {
	if c.dates&bit == 0 {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0), true
}

// Payload returns the JSON of the claims, as the token has it.
func (c *Claims) Payload() string { return c.own().payload }

// Header returns the JSON of the header.
func (c *Claims) Header() string { return c.own().header }

// Has tells whether the token has a claim of exactly this name.
func (c *Claims) Has(name string) bool { return c.raw(name) != nil }

// String returns a claim that is a string; false if it is absent or of another type.
func (c *Claims) String(name string) (string, bool) {
	var value *string
	if c.Claim(name, &value) != nil || value == nil {
		return "", false
	}
	return *value, true
}

// Claim decodes a claim as encoding/json does. The name is exactly this one. An absent claim is an error.
func (c *Claims) Claim(name string, into any) error {
	raw := c.raw(name)
	if raw == nil {
		return withoutClaim(name, "the token has no claim "+name)
	}
	if err := oneSpelling(raw); err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

func withoutClaim(name, sentence string) error {
	refusal := refused(MissingClaim, sentence)
	refusal.Claim = name
	return refusal
}

func (c *Claims) raw(name string) json.RawMessage {
	c = c.own()
	c.once.Do(func() {
		// The payload of a verified token is an object whose names are unique.
		_ = json.Unmarshal([]byte(c.payload), &c.members)
	})
	return c.members[name]
}
