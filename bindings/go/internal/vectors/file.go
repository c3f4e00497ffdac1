// Package vectors reads the vectors of the repository, for the test of the package and for the scoreboard's adapter.
package vectors

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"assay.local/assay"
)

// none are keys of nobody.
var none, _ = assay.NewKeys([]byte(`{"keys": [{"kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]}`))

// A File is a file of tokens, or one question of the scoreboard.
type File struct {
	Kind   string
	Keys   json.RawMessage
	Policy map[string]json.RawMessage
	Now    float64
	Cases  []struct{ ID, Expect, Token string }
}

// list reads a member of a policy that is a text or an array of texts.
func (f *File) list(name string) []string {
	var one string
	if json.Unmarshal(f.Policy[name], &one) == nil && f.Policy[name] != nil {
		return []string{one}
	}
	var many []string
	_ = json.Unmarshal(f.Policy[name], &many)
	return many
}

func (f *File) text(name string) *string {
	if all := f.list(name); len(all) == 1 {
		return &all[0]
	}
	return nil
}

func (f *File) seconds(name string) *time.Duration {
	var number *float64
	_ = json.Unmarshal(f.Policy[name], &number)
	if number == nil {
		return nil
	}
	return assay.Duration(time.Duration(*number) * time.Second)
}

func (f *File) isFalse(name string) bool { return string(f.Policy[name]) == "false" }

// policy has the rules of a preset, without the issuer and the audience that the functions for presets require.
func (f *File) policy() assay.Policy {
	p := assay.Policy{
		Issuers: f.list("issuer"), Audiences: f.list("audience"), TrustedAudiences: f.list("trusted_audiences"),
		Algorithms: offered(f.list("algorithms")), RequiredClaims: f.list("required"), ContextClasses: f.list("acr"),
		AuthenticationMethods: f.list("amr"), RevokedTokenIDs: f.list("revoked_jti"), Leeway: f.seconds("leeway"),
		MaximumAge: f.seconds("maximum_age"), MaximumAuthenticationAge: f.seconds("max_age"),
		ExpirationOptional: f.isFalse("require_expiration"), Nonce: f.text("nonce"), AccessToken: f.text("access_token"),
		Code: f.text("code"),
	}
	if party := f.text("authorized_party"); party != nil {
		p.AuthorizedParty = *party
	}
	switch preset := f.text("preset"); {
	case preset == nil:
	case *preset == "id_token":
		p.TrustedAudiencesOnly, p.Types = true, []string{"", "JWT"}
		p.RequiredClaims = append(p.RequiredClaims, "iss", "sub", "aud", "exp", "iat")
	case *preset == "access_token":
		p.Types = []string{"at+jwt"}
		p.RequiredClaims = append(p.RequiredClaims, "iss", "exp", "aud", "sub", "client_id", "iat", "jti")
	}
	if _, has := f.Policy["types"]; has {
		p.Types = f.list("types")
	}
	return p
}

// offered leaves out what this libcrypto lacks.
func offered(algorithms []string) []string {
	var kept []string
	for _, algorithm := range algorithms {
		if verifier, err := assay.NewVerifier(assay.Policy{Algorithms: []string{algorithm}}, none); err == nil {
			_ = verifier.Close()
			kept = append(kept, algorithm)
		}
	}
	return kept
}

// Verifier makes the verifier of a file, for the file's time.
func (f *File) Verifier() (*assay.Verifier, error) {
	now := time.Unix(0, int64(f.Now*1e9))
	clock := assay.WithClock(func() time.Time { return now })
	if string(f.Keys) == "null" {
		keys, err := assay.NewRemoteKeysAt("https://keys.invalid/", assay.Fetching{})
		if err != nil {
			return nil, err
		}
		defer keys.Close()
		return assay.NewVerifier(f.policy(), keys, clock)
	}
	keys, err := assay.NewKeys(f.Keys)
	if err != nil {
		return nil, err
	}
	return assay.NewVerifier(f.policy(), keys, clock)
}

// Verify gives the verdict on one token of the file.
func (f *File) Verify(verifier *assay.Verifier, token string) error {
	if f.IsAboutSignatures() {
		_, err := verifier.VerifyPayload(token)
		return err
	}
	_, err := verifier.Verify(token)
	return err
}

// IsAboutSignatures: the payload need not be claims.
func (f *File) IsAboutSignatures() bool { return f.isFalse("claims") }

// Offers tells whether libcrypto has an algorithm: libassay knows the names of all.
func Offers(algorithm string) bool {
	verifier, err := assay.NewVerifier(assay.Policy{Algorithms: []string{algorithm}}, none)
	if err != nil {
		return false
	}
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"` + algorithm + `"}`))
	_, err = verifier.Verify(header + ".e30.AA")
	return !errors.Is(err, assay.UnsupportedAlgorithm)
}
