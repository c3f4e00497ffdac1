// go-jose 2: claims into a struct; the library checks exp, nbf, iss and aud. It takes no list of algorithms: this code checks the header.
package main

import (
	"time"

	"gopkg.in/square/go-jose.v2/jwt"
)

type idToken struct {
	jwt.Claims
	AuthTime int64  `json:"auth_time"`
	Nonce    string `json:"nonce"`
	Name     string `json:"name"`
}

func newVerifier(common setting) func(string) bool {
	return func(text string) bool {
		token, err := jwt.ParseSigned(text)
		if err != nil || len(token.Headers) != 1 || token.Headers[0].Algorithm != common.algorithm {
			return false
		}
		var claims idToken
		if token.Claims(common.key, &claims) != nil || claims.Expiry == nil {
			return false
		}
		expected := jwt.Expected{Issuer: common.issuer, Audience: jwt.Audience{common.audience}, Time: time.Now()}
		return claims.ValidateWithLeeway(expected, 0) == nil
	}
}
