// The Go package of Assay: all claims are checked by its policy.
package main

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log"

	"assay.local/assay"
)

func newVerifier(common setting) func(string) bool {
	keys, err := assay.NewKeys(document(common))
	if err != nil {
		log.Fatal(err)
	}
	keys.Prepare()
	verifier, err := assay.NewVerifier(assay.Policy{
		Algorithms: []string{common.algorithm}, Issuers: []string{common.issuer}, Audiences: []string{common.audience},
	}, keys)
	if err != nil {
		log.Fatal(err)
	}
	return func(text string) bool {
		_, err := verifier.Verify(text)
		return err == nil
	}
}

func document(common setting) []byte {
	if secret, isSecret := common.key.([]byte); isSecret {
		text, _ := json.Marshal(map[string]string{"kty": "oct", "k": base64.RawURLEncoding.EncodeToString(secret)})
		return text
	}
	public, err := x509.MarshalPKIXPublicKey(common.key)
	if err != nil {
		log.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
}
