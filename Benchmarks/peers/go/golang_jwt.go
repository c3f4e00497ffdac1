// golang-jwt 4: claims into a struct; the library checks exp and nbf, and has methods for iss and aud that the caller calls.
package main

import "github.com/golang-jwt/jwt"

type idToken struct {
	jwt.RegisteredClaims
	AuthTime int64  `json:"auth_time"`
	Nonce    string `json:"nonce"`
	Name     string `json:"name"`
}

func newVerifier(common setting) func(string) bool {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{common.algorithm}))
	key := func(*jwt.Token) (interface{}, error) { return common.key, nil }
	return func(text string) bool {
		var claims idToken
		token, err := parser.ParseWithClaims(text, &claims, key)
		return err == nil && token.Valid && claims.ExpiresAt != nil &&
			claims.VerifyIssuer(common.issuer, true) && claims.VerifyAudience(common.audience, true)
	}
}
