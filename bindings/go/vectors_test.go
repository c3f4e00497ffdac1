package assay

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The vectors of the repository: the same verdict and the same code as every other interface, single and in batches.
const vectors = "../../vectors"

type vectorFile struct {
	Kind   string
	Keys   json.RawMessage
	Policy map[string]json.RawMessage
	Now    float64
	Cases  []struct{ ID, Expect, Token string }
}

// list reads a member of a policy that is a text or an array of texts.
func (f *vectorFile) list(name string) []string {
	var one string
	if json.Unmarshal(f.Policy[name], &one) == nil && f.Policy[name] != nil {
		return []string{one}
	}
	var many []string
	_ = json.Unmarshal(f.Policy[name], &many)
	return many
}

func (f *vectorFile) text(name string) *string {
	if all := f.list(name); len(all) == 1 {
		return &all[0]
	}
	return nil
}

func (f *vectorFile) seconds(name string) *time.Duration {
	var number *float64
	_ = json.Unmarshal(f.Policy[name], &number)
	if number == nil {
		return nil
	}
	return Duration(time.Duration(*number) * time.Second)
}

func (f *vectorFile) isFalse(name string) bool { return string(f.Policy[name]) == "false" }

// policy has the rules of a preset, without the issuer and the audience that the functions for presets require.
func (f *vectorFile) policy() Policy {
	p := Policy{
		Issuers: f.list("issuer"), Audiences: f.list("audience"), TrustedAudiences: f.list("trusted_audiences"),
		Algorithms: offered(f.list("algorithms")), RequiredClaims: f.list("required"), ContextClasses: f.list("acr"),
		AuthenticationMethods: f.list("amr"), RevokedTokenIDs: f.list("revoked_jti"), Leeway: f.seconds("leeway"),
		MaximumAge: f.seconds("maximum_age"), MaximumAuthenticationAge: f.seconds("max_age"),
		ExpirationOptional: f.isFalse("require_expiration"), nonce: f.text("nonce"), accessToken: f.text("access_token"),
		authCode: f.text("code"),
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
		made, err := (&Policy{Algorithms: []string{algorithm}}).rules()
		if err == nil {
			made.free()
			kept = append(kept, algorithm)
		}
	}
	return kept
}

// code is the name of the verdict.
func code(err error) string {
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal.Code.String()
	}
	if err != nil {
		return err.Error()
	}
	return "valid"
}

func (f *vectorFile) verifier() (*Verifier, error) {
	now := time.Unix(0, int64(f.Now*1e9))
	clock := WithClock(func() time.Time { return now })
	if string(f.Keys) == "null" {
		keys, err := NewRemoteKeysAt("https://keys.invalid/", Fetching{})
		if err != nil {
			return nil, err
		}
		defer keys.Close()
		return NewVerifier(f.policy(), keys, clock)
	}
	keys, err := NewKeys(f.Keys)
	if err != nil {
		return nil, err
	}
	return NewVerifier(f.policy(), keys, clock)
}

func TestVectorsGiveTheSameVerdictAndCode(t *testing.T) {
	paths, _ := filepath.Glob(vectors + "/*.json")
	count := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file vectorFile
		if json.Unmarshal(text, &file) != nil || file.Kind != "tokens" {
			continue
		}
		v, made := file.verifier()
		if made == nil && filepath.Base(path) == "mldsa.json" {
			if _, err := v.Verify(file.Cases[0].Token); errors.Is(err, unsupportedAlgorithm) {
				t.Logf("this libcrypto has no ML-DSA: %d cases are skipped", len(file.Cases))
				continue
			}
		}
		var tokens []string
		for _, one := range file.Cases {
			err := made
			switch {
			case made != nil:
			case file.isFalse("claims"):
				_, err = v.VerifyPayload(one.Token)
			default:
				_, err = v.Verify(one.Token)
				tokens = append(tokens, one.Token)
			}
			compare(t, one.ID, one.Expect, err)
			count++
		}
		if len(tokens) == 0 {
			continue
		}
		verdicts, err := v.VerifyBatch(tokens)
		if err != nil {
			t.Fatal(path, err)
		}
		for index, verdict := range verdicts {
			compare(t, file.Cases[index].ID+" in a batch", file.Cases[index].Expect, verdict.Err)
		}
	}
	if count < 7_000 {
		t.Errorf("%d cases are too few: is %s there?", count, vectors)
	}
}

func compare(t *testing.T, id, expected string, err error) {
	t.Helper()
	if got := code(err); got != expected && (expected != "invalid" || got == "valid") {
		t.Errorf("%s: %s, and not %s", id, got, expected)
	}
}
