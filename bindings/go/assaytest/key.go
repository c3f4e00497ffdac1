// Package assaytest makes keys, tokens and an issuer for tests of programs that use package assay. It has nothing of assay in it: keys and
// signatures are those of Go's standard library.
package assaytest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	_ "crypto/sha512" // crypto.SHA384, crypto.SHA512
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"time"
)

// A Key signs tokens by one algorithm.
type Key struct {
	// Algorithm is `alg`, KeyID is `kid`.
	Algorithm, KeyID string
	secret           any
}

// NewKey makes a new key for RS, PS, ES and HS with 256, 384 and 512, or for EdDSA (Ed25519). It panics for another algorithm.
func NewKey(algorithm, keyID string) *Key {
	secret, err := newSecret(algorithm)
	if err != nil {
		panic(err)
	}
	return &Key{Algorithm: algorithm, KeyID: keyID, secret: secret}
}

func newSecret(algorithm string) (any, error) {
	switch algorithm {
	case "RS256", "RS384", "RS512", "PS256", "PS384", "PS512":
		return rsa.GenerateKey(rand.Reader, 2048)
	case "ES256":
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "ES384":
		return ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case "ES512":
		return ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	case "EdDSA":
		_, secret, err := ed25519.GenerateKey(rand.Reader)
		return secret, err
	case "HS256", "HS384", "HS512":
		secret := make([]byte, 64)
		_, err := rand.Read(secret)
		return secret, err
	}
	return nil, fmt.Errorf("assaytest: no keys for %q", algorithm)
}

// JWK returns the public key (RFC 7517), of an HMAC key the secret.
func (k *Key) JWK() map[string]any {
	jwk := map[string]any{"alg": k.Algorithm, "use": "sig", "kid": k.KeyID}
	switch secret := k.secret.(type) {
	case *rsa.PrivateKey:
		jwk["kty"], jwk["n"], jwk["e"] = "RSA", encoded(secret.N.Bytes()), encoded(big.NewInt(int64(secret.E)).Bytes())
	case *ecdsa.PrivateKey:
		size := (secret.Curve.Params().BitSize + 7) / 8
		jwk["kty"], jwk["crv"] = "EC", secret.Curve.Params().Name
		jwk["x"], jwk["y"] = encoded(secret.X.FillBytes(make([]byte, size))), encoded(secret.Y.FillBytes(make([]byte, size)))
	case ed25519.PrivateKey:
		jwk["kty"], jwk["crv"], jwk["x"] = "OKP", "Ed25519", encoded(secret.Public().(ed25519.PublicKey))
	case []byte:
		jwk["kty"], jwk["k"] = "oct", encoded(secret)
	}
	return jwk
}

// Thumbprint returns the SHA-256 thumbprint (RFC 7638) of a key for ES, for the member `jkt` of `cnf`.
func (k *Key) Thumbprint() string {
	jwk := k.JWK()
	digest := sha256.Sum256([]byte(fmt.Sprintf(`{"crv":%q,"kty":"EC","x":%q,"y":%q}`, jwk["crv"], jwk["x"], jwk["y"])))
	return encoded(digest[:])
}

// Prove makes a DPoP proof (RFC 9449) of claims, with the public key in its header.
func (k *Key) Prove(claims any) string {
	jwk := k.JWK()
	for _, name := range []string{"alg", "use", "kid"} {
		delete(jwk, name)
	}
	return k.Sign(claims, map[string]any{"typ": "dpop+jwt", "jwk": jwk, "kid": nil})
}

// Certificate makes a client's certificate of the key, signed by itself, for a day.
func (k *Key) Certificate() tls.Certificate {
	signer := k.secret.(crypto.Signer)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: signer}
}

// KeySet returns the JWK Set of keys.
func KeySet(keys ...*Key) []byte {
	all := []map[string]any{}
	for _, key := range keys {
		all = append(all, key.JWK())
	}
	return marshalled(map[string]any{"keys": all})
}

// Sign makes a token of claims. Members of `header` come beside `alg` and `kid`, or replace them; one that is nil is left out. It may be nil.
func (k *Key) Sign(claims any, header map[string]any) string {
	all := map[string]any{"alg": k.Algorithm, "kid": k.KeyID}
	for name, value := range header {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	input := encoded(marshalled(all)) + "." + encoded(marshalled(claims))
	signature, err := k.signature([]byte(input))
	if err != nil {
		panic(err)
	}
	return input + "." + encoded(signature)
}

func (k *Key) signature(input []byte) ([]byte, error) {
	hash := map[string]crypto.Hash{"256": crypto.SHA256, "384": crypto.SHA384, "512": crypto.SHA512}[k.Algorithm[2:]]
	digest := func() []byte {
		state := hash.New()
		state.Write(input)
		return state.Sum(nil)
	}
	switch secret := k.secret.(type) {
	case *rsa.PrivateKey:
		if k.Algorithm[0] == 'P' {
			return rsa.SignPSS(rand.Reader, secret, hash, digest(), &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
		}
		return rsa.SignPKCS1v15(rand.Reader, secret, hash, digest())
	case *ecdsa.PrivateKey:
		r, s, err := ecdsa.Sign(rand.Reader, secret, digest())
		if err != nil {
			return nil, err
		}
		size := (secret.Curve.Params().BitSize + 7) / 8
		return append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...), nil
	case ed25519.PrivateKey:
		return ed25519.Sign(secret, input), nil
	case []byte:
		state := hmac.New(hash.New, secret)
		state.Write(input)
		return state.Sum(nil), nil
	}
	return nil, fmt.Errorf("assaytest: no signatures of %T", k.secret)
}

func encoded(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func marshalled(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
