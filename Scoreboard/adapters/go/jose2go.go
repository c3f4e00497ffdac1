// jose2go: the signature under a key that a function chooses by the header. The caller checks the algorithm, and all claims.
package main

import (
	"errors"
	"strings"

	jose "github.com/dvsekhvalnov/jose2go"
	jwk "gopkg.in/square/go-jose.v2"
)

func init() {
	library = adapter{
		offered: strings.Fields("HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 P-256 P-384 P-521"),
		lacks:   append(beyondJWT, strings.Fields("json claims exp nbf iat issuer audience required required-exp leeway keys")...),
		accepts: accepts,
		opens:   opens, unopened: strings.Fields("X25519 cty no-zip"),
	}
}

func opens(token string, key jwk.JSONWebKey) (string, error) {
	content, _, err := jose.Decode(token, key.Key)
	return content, err
}

func accepts(q question) (bool, error) {
	kid, algorithm := q.header()
	err := errors.New("no key has this kid")
	for _, key := range q.candidates(kid, algorithm) {
		candidate := key
		_, _, err = jose.DecodeBytes(q.Token, func(headers map[string]interface{}, payload string) interface{} {
			if name, _ := headers["alg"].(string); !contains(q.algorithms(), name) {
				return errors.New("the algorithm is not allowed")
			}
			return candidate
		})
		if err == nil {
			return true, nil
		}
	}
	return false, err
}
