// go-jose 2: a JSONWebKeySet, and Expected for issuer, audience and time. It takes no list of algorithms: this code checks the header.
package main

import (
	"errors"
	"strings"
	"time"

	jose "gopkg.in/square/go-jose.v2"
	"gopkg.in/square/go-jose.v2/jwt"
)

func init() {
	library = adapter{
		offered: strings.Fields("HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA P-256 P-384 P-521"),
		lacks:   append(beyondJWT, "required", "several-audience", "keys"),
		accepts: accepts,
		opens:   opens, unopened: strings.Fields("X25519 cty no-zip"),
	}
}

func opens(token string, key jose.JSONWebKey) (string, error) {
	sealed, err := jose.ParseEncrypted(token)
	if err != nil {
		return "", err
	}
	content, err := sealed.Decrypt(key.Key)
	return string(content), err
}

func accepts(q question) (bool, error) {
	if !q.checksClaims() {
		return isSigned(q)
	}
	token, err := jwt.ParseSigned(q.Token)
	if err != nil || len(token.Headers) != 1 || !contains(q.algorithms(), token.Headers[0].Algorithm) {
		return false, err
	}
	kid, algorithm := q.header()
	refusal := errors.New("no key has this kid")
	for _, key := range q.candidates(kid, algorithm) {
		var claims jwt.Claims
		if refusal = token.Claims(key, &claims); refusal == nil {
			return claimsHold(q, claims)
		}
	}
	return false, refusal
}

func isSigned(q question) (bool, error) {
	token, err := jose.ParseSigned(q.Token)
	if err != nil || len(token.Signatures) != 1 || !contains(q.algorithms(), token.Signatures[0].Protected.Algorithm) {
		return false, err
	}
	kid, algorithm := q.header()
	for _, key := range q.candidates(kid, algorithm) {
		if _, err = token.Verify(key); err == nil {
			return true, nil
		}
	}
	return false, err
}

func claimsHold(q question, claims jwt.Claims) (bool, error) {
	if claims.Expiry == nil && q.requiresExpiration() {
		return false, errors.New("no exp")
	}
	issuers := q.Policy.Issuer
	if issuers == nil {
		issuers = texts{""}
	}
	err := errors.New("no issuer")
	for _, issuer := range issuers {
		expected := jwt.Expected{Issuer: issuer, Audience: jwt.Audience(q.Policy.Audience), Time: time.Unix(0, int64(q.Now*1e9))}
		if err = claims.ValidateWithLeeway(expected, time.Duration(q.leeway()*1e9)); err == nil {
			return true, nil
		}
	}
	return false, err
}
