// dgrijalva's jwt-go 3, the forerunner of golang-jwt: an allow-list, MapClaims, and its methods for the issuer and the audience.
package main

import (
	"errors"
	"strings"
	"time"

	"github.com/dgrijalva/jwt-go"
)

func init() {
	library = adapter{
		offered: strings.Fields("HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 P-256 P-384 P-521"),
		lacks:   append(beyondJWT, "required", "leeway", "payload", "keys"),
		accepts: accepts,
	}
}

func accepts(q question) (bool, error) {
	if !q.checksClaims() {
		return false, errUnsupported
	}
	now := time.Unix(0, int64(q.Now*1e9))
	jwt.TimeFunc = func() time.Time { return now }
	kid, algorithm := q.header()
	refusal := errors.New("no key has this kid")
	for _, key := range q.candidates(kid, algorithm) {
		claims := jwt.MapClaims{}
		parser := jwt.Parser{ValidMethods: q.algorithms()}
		_, err := parser.ParseWithClaims(q.Token, claims, func(*jwt.Token) (interface{}, error) { return key, nil })
		if err == nil {
			return claimsHold(q, claims), nil
		}
		refusal = err
	}
	return false, refusal
}

func claimsHold(q question, claims jwt.MapClaims) bool {
	issued, meant := q.Policy.Issuer == nil, q.Policy.Audience == nil
	for _, issuer := range q.Policy.Issuer {
		issued = issued || claims.VerifyIssuer(issuer, true)
	}
	for _, audience := range q.Policy.Audience {
		meant = meant || claims.VerifyAudience(audience, true)
	}
	return issued && meant && (!q.requiresExpiration() || claims.VerifyExpiresAt(jwt.TimeFunc().Unix(), true))
}
