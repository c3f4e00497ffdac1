// go-jose 2: ParseSigned and VerifyMulti, which takes the first signature that holds. The caller chooses the keys, and checks the algorithm.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	jose "gopkg.in/square/go-jose.v2"
)

var offered = strings.Fields("HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA P-256 P-384 P-521")
var lacks = strings.Fields("keys b64 unprotected ES256K Ed25519 Ed448 secp256k1 ML-DSA-44 ML-DSA-65 ML-DSA-87")

type question struct {
	ID       string          `json:"id"`
	Document string          `json:"document"`
	Detached *string         `json:"detached"`
	Keys     json.RawMessage `json:"keys"`
	Policy   struct {
		Requirement string   `json:"requirement"`
		Signers     []string `json:"signers"`
		Types       []string `json:"types"`
		Algorithms  []string `json:"algorithms"`
	} `json:"policy"`
}

type answer struct {
	ID      string   `json:"id"`
	Verdict string   `json:"verdict"`
	Lacks   []string `json:"lacks"`
	Reason  string   `json:"reason,omitempty"`
	Payload *string  `json:"payload,omitempty"`
}

// allows tells whether the policy allows an algorithm that the library offers.
func (q question) allows(algorithm string) bool {
	if q.Policy.Algorithms == nil {
		return contains(offered, algorithm) && !strings.HasPrefix(algorithm, "HS")
	}
	return contains(offered, algorithm) && contains(q.Policy.Algorithms, algorithm)
}

// keysFor are the keys that a careful caller would try for a signature.
func (q question) keysFor(header jose.Header) (keys []interface{}) {
	var set struct{ Keys []json.RawMessage }
	_ = json.Unmarshal(q.Keys, &set)
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) != nil || (key.Use != "" && key.Use != "sig") {
			continue
		}
		if (header.KeyID == "" || header.KeyID == key.KeyID) && (key.Algorithm == "" || key.Algorithm == header.Algorithm) {
			keys = append(keys, key.Key)
		}
	}
	return
}

func verify(q question) (payload []byte, err error) {
	document, err := jose.ParseSigned(q.Document)
	if err != nil {
		return nil, err
	}
	err = fmt.Errorf("no signature is of an allowed algorithm")
	for _, signature := range document.Signatures {
		if !q.allows(signature.Header.Algorithm) {
			continue
		}
		for _, key := range q.keysFor(signature.Header) {
			if _, _, payload, err = document.VerifyMulti(key); err == nil {
				return payload, nil
			}
		}
	}
	return nil, err
}

// absentRule names what the library would leave to its caller.
func absentRule(q question) string {
	var document struct{ Signatures []json.RawMessage }
	_ = json.Unmarshal([]byte(q.Document), &document)
	switch {
	case q.Detached != nil:
		return "detached"
	case q.Policy.Signers != nil:
		return "signers"
	case q.Policy.Types != nil:
		return "types"
	case q.Policy.Requirement == "all" && len(document.Signatures) > 1:
		return "all"
	}
	return ""
}

func answerTo(q question) answer {
	if string(q.Keys) == "null" {
		return answer{ID: q.ID, Verdict: "invalid", Lacks: lacks, Reason: "no keys"}
	}
	if rule := absentRule(q); rule != "" {
		return answer{ID: q.ID, Verdict: "unsupported", Lacks: lacks, Reason: "has no rule for " + rule}
	}
	payload, err := verify(q)
	if err != nil {
		return answer{ID: q.ID, Verdict: "invalid", Lacks: lacks, Reason: err.Error()}
	}
	text := base64.RawURLEncoding.EncodeToString(payload)
	return answer{ID: q.ID, Verdict: "valid", Lacks: lacks, Payload: &text}
}

func contains(list []string, name string) bool {
	for _, item := range list {
		if item == name {
			return true
		}
	}
	return false
}

func main() {
	input, output := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_ = output.Encode(answerTo(q))
	}
}
