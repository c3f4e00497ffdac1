// What the adapters in Go share: the protocol, and the keys of a JWK Set, read by go-jose, for libraries that read none.
// Built together with the file of one library, which sets `library`.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	jose "gopkg.in/square/go-jose.v2"
)

var asymmetric = append(strings.Fields("RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA Ed25519 Ed448"),
	"ML-DSA-44", "ML-DSA-65", "ML-DSA-87")
var known = append(strings.Fields("HS256 HS384 HS512 P-256 P-384 P-521 secp256k1"), asymmetric...)

// What no library here checks, and what none offers.
var beyondJWT = strings.Fields("nonce access_token code max_age maximum_age acr amr azp revoked_jti types b64")

// offered has names of algorithms and curves; lacks has names of Docs/Scoreboard.md.
type adapter struct {
	offered, lacks []string
	accepts        func(question) (bool, error)
	// Decrypts with one key, if the library does; unopened has names of Docs/Scoreboard.md for encrypted tokens.
	opens    func(token string, key jose.JSONWebKey) (string, error)
	unopened []string
}

var library adapter

var errUnsupported = errors.New("the library has no call for this")

type texts []string

func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

type question struct {
	ID             string          `json:"id"`
	Kind           string          `json:"kind"`
	Token          string          `json:"token"`
	Encrypted      string          `json:"encrypted"`
	Keys           json.RawMessage `json:"keys"`
	DecryptionKeys json.RawMessage `json:"decryption_keys"`
	Now            float64         `json:"now"`
	Policy         struct {
		Algorithms        []string `json:"algorithms"`
		KeyManagement     []string `json:"key_management"`
		Encryptions       []string `json:"encryptions"`
		Nested            *bool    `json:"nested"`
		Issuer            texts    `json:"issuer"`
		Audience          texts    `json:"audience"`
		Leeway            *float64 `json:"leeway"`
		RequireExpiration *bool    `json:"require_expiration"`
		Claims            *bool    `json:"claims"`
	} `json:"policy"`
}

func (q question) algorithms() (allowed []string) {
	from := q.Policy.Algorithms
	if from == nil {
		from = asymmetric
	}
	for _, name := range from {
		if contains(library.offered, name) {
			allowed = append(allowed, name)
		}
	}
	return
}

func (q question) checksClaims() bool { return q.Policy.Claims == nil || *q.Policy.Claims }

func (q question) requiresExpiration() bool { return q.Policy.RequireExpiration == nil || *q.Policy.RequireExpiration }

func (q question) leeway() float64 {
	if q.Policy.Leeway == nil {
		return 60
	}
	return *q.Policy.Leeway
}

// keySet reads key by key: one that is broken does not stand in the way of the others (RFC 7517 section 5).
func (q question) keySet() (keys []jose.JSONWebKey) {
	var set struct{ Keys []json.RawMessage }
	_ = json.Unmarshal(q.Keys, &set)
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) == nil && isUsable(key) {
			keys = append(keys, key)
		}
	}
	return
}

// isUsable leaves out public keys that are none. Valid knows no secrets.
func isUsable(key jose.JSONWebKey) bool {
	_, isSecret := key.Key.([]byte)
	return isSecret || key.Valid()
}

// candidates are the keys that a careful caller would try: for signatures, of the token's kid, for its algorithm.
func (q question) candidates(kid interface{}, algorithm string) (keys []interface{}) {
	for _, key := range q.keySet() {
		if (kid == nil || kid == key.KeyID) && (key.Use == "" || key.Use == "sig") && (key.Algorithm == "" || key.Algorithm == algorithm) {
			keys = append(keys, key.Key)
		}
	}
	return
}

// header is the token's header before its verification, by which a caller chooses a key.
func (q question) header() (kid interface{}, algorithm string) {
	text, _ := base64.RawURLEncoding.DecodeString(strings.SplitN(q.Token, ".", 2)[0])
	var members map[string]interface{}
	_ = json.Unmarshal(text, &members)
	algorithm, _ = members["alg"].(string)
	return members["kid"], algorithm
}

// recipients are the private keys that a careful caller would try: of the token's kid, for its algorithms, which are allowed.
func (q question) recipients() (keys []jose.JSONWebKey) {
	text, _ := base64.RawURLEncoding.DecodeString(strings.SplitN(q.Encrypted, ".", 2)[0])
	var header struct {
		Algorithm  string  `json:"alg"`
		Encryption string  `json:"enc"`
		KeyID      *string `json:"kid"`
		Sender     struct {
			Curve string `json:"crv"`
		} `json:"epk"`
	}
	var set struct{ Keys []json.RawMessage }
	if json.Unmarshal(text, &header) != nil || json.Unmarshal(q.DecryptionKeys, &set) != nil ||
		!contains(q.Policy.KeyManagement, header.Algorithm) || !contains(q.Policy.Encryptions, header.Encryption) {
		return
	}
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		var names struct {
			Type  string `json:"kty"`
			Curve string `json:"crv"`
		}
		if json.Unmarshal(text, &key) != nil || json.Unmarshal(text, &names) != nil {
			continue
		}
		if header.KeyID != nil && key.KeyID != "" && key.KeyID != *header.KeyID {
			continue
		}
		bound := key.Algorithm
		switch {
		case header.Algorithm == "dir":
			if names.Type != "oct" || bound != header.Encryption {
				continue
			}
		case bound != "" && bound != header.Algorithm:
			continue
		case strings.HasPrefix(header.Algorithm, "RSA"):
			if names.Type != "RSA" {
				continue
			}
		case names.Type != "EC" || header.Sender.Curve != "" && header.Sender.Curve != names.Curve:
			continue
		}
		keys = append(keys, key)
	}
	return
}

// opened is the content of an encrypted token, with the token in it judged.
func opened(q question) (string, error) {
	if q.Kind != "encrypted" || library.opens == nil {
		return "", errUnsupported
	}
	err := errors.New("no key fits the token")
	for _, key := range q.recipients() {
		var content string
		if content, err = library.opens(q.Encrypted, key); err != nil {
			continue
		}
		if q.Policy.Nested == nil || *q.Policy.Nested {
			q.Token = content
			if said, reason := verdict(q); said != "valid" {
				return "", errors.New("the token inside: " + reason)
			}
		}
		return content, nil
	}
	return "", err
}

// answered is the answer to a question of a kind of its own.
func answered(q question, lacks []string) map[string]interface{} {
	lacks = append(append([]string{}, lacks...), library.unopened...)
	content, err := opened(q)
	switch {
	case err == errUnsupported:
		return map[string]interface{}{"id": q.ID, "verdict": "unsupported", "lacks": lacks, "reason": err.Error()}
	case err != nil:
		return map[string]interface{}{"id": q.ID, "verdict": "invalid", "lacks": lacks, "reason": err.Error()}
	}
	found := map[string]interface{}{"id": q.ID, "verdict": "valid", "lacks": lacks}
	if len(content) <= 65536 {
		found["content"] = content
	}
	return found
}

func contains(list []string, name string) bool {
	for _, item := range list {
		if item == name {
			return true
		}
	}
	return false
}

func verdict(q question) (string, string) {
	switch {
	case string(q.Keys) == "null":
		return "invalid", "no keys"
	case len(q.algorithms()) == 0:
		return "unsupported", "none of the allowed algorithms is offered"
	}
	accepted, err := library.accepts(q)
	switch {
	case err == errUnsupported:
		return "unsupported", err.Error()
	case accepted && err == nil:
		return "valid", ""
	}
	return "invalid", fmt.Sprint(err)
}

func main() {
	lacks := append([]string{}, library.lacks...)
	for _, name := range known {
		if !contains(library.offered, name) {
			lacks = append(lacks, name)
		}
	}
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
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
		if q.Kind != "" {
			_ = output.Encode(answered(q, lacks))
			continue
		}
		said, reason := verdict(q)
		_ = output.Encode(map[string]interface{}{"id": q.ID, "verdict": said, "lacks": lacks, "reason": reason})
	}
}
