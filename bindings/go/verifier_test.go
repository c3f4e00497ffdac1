package assay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

const issuer, audience = "https://issuer.example", "api"

func sampleClaims() map[string]any {
	now := time.Now().Unix()
	return map[string]any{"iss": issuer, "aud": audience, "sub": "user-1", "iat": now, "exp": now + 60, "admin": false, "level": 7}
}

func verifierOf(t testing.TB, policy Policy, keys ...*assaytest.Key) *Verifier {
	t.Helper()
	set, err := NewKeys(assaytest.KeySet(keys...))
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(policy, set, WithRealm("shop"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var plain = Policy{Issuers: []string{issuer}, Audiences: []string{audience}}

func TestEveryAlgorithmVerifiesItsTokens(t *testing.T) {
	for _, algorithm := range strings.Fields("RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA HS256 HS384 HS512") {
		key := assaytest.NewKey(algorithm, "k")
		policy := plain
		policy.Algorithms = []string{algorithm}
		v := verifierOf(t, policy, key)
		claims, err := v.Verify(key.Sign(sampleClaims(), nil))
		if err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		if claims.Subject() != "user-1" || claims.Issuer() != issuer || claims.KeyID() != "k" || claims.Algorithm() != algorithm {
			t.Errorf("%s: %+v", algorithm, claims)
		}
		_, err = v.Verify(assaytest.NewKey(algorithm, "k").Sign(sampleClaims(), nil))
		if !errors.Is(err, SignatureInvalid) {
			t.Errorf("%s, another key: %v", algorithm, err)
		}
	}
}

func TestARefusalHasCodeClaimStatusAndChallenge(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	v := verifierOf(t, plain, key)
	claims := sampleClaims()
	claims["exp"] = time.Now().Unix() - 3600
	_, err := v.Verify(key.Sign(claims, nil))
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Code != Expired || refusal.Claim != "exp" || refusal.HTTPStatus() != 401 {
		t.Fatalf("%#v", err)
	}
	if !strings.HasPrefix(refusal.Challenge, `Bearer realm="shop", error="invalid_token"`) {
		t.Error(refusal.Challenge)
	}
	if _, err = v.Verify("a.b"); !errors.Is(err, MalformedToken) {
		t.Error(err)
	}
	if _, err = v.Verify(""); !errors.Is(err, MalformedToken) {
		t.Error(err)
	}
	if _, err = v.Verify(strings.Repeat("a", 1<<22)); err == nil {
		t.Error("a huge token passes")
	}
}

func TestClaimsAreReadByTheirExactNames(t *testing.T) {
	key := assaytest.NewKey("EdDSA", "k")
	v := verifierOf(t, plain, key)
	sample := sampleClaims()
	delete(sample, "admin")
	sample["Admin"], sample["scope\x00"], sample["emoji"] = true, "a", "\U0001F600"
	sample["twice"] = map[string]any{"role": "user", "Role": "root"}
	claims, err := v.Verify(key.Sign(sample, nil))
	if err != nil {
		t.Fatal(err)
	}
	var into struct {
		Admin bool   `json:"admin"`
		Level int    `json:"level"`
		Emoji string `json:"emoji"`
	}
	if err := claims.Decode(&into); err != nil || into.Admin || into.Level != 7 || into.Emoji != "\U0001F600" {
		t.Error(err, into)
	}
	var twice struct{ Role string }
	if err := claims.Claim("twice", &twice); err == nil {
		t.Error("two spellings of one name pass: ", twice)
	}
	if err := claims.Claim("absent", &twice); !errors.Is(err, MissingClaim) {
		t.Error(err)
	}
	if _, isString := claims.String("level"); isString || claims.Has("ADMIN") || !claims.Has("scope\x00") {
		t.Error("names or types are taken for others")
	}
	if at, has := claims.Expiration(); !has || time.Until(at) > time.Minute {
		t.Error(at)
	}
	if _, has := claims.NotBefore(); has {
		t.Error("nbf is not there")
	}
}

type base struct {
	Subject string `json:"sub"`
}

type Extended struct {
	Level int `json:"level"`
	*Extended
}

type Absent struct {
	Nothing string `json:"nothing"`
}

// As encoding/json does: the fields of a part are those of the whole.
func TestPartsOfAStructureAreDecoded(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	claims, err := verifierOf(t, plain, key).Verify(key.Sign(sampleClaims(), nil))
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		base
		*Extended
		*Absent
		Issuer string `json:"iss"`
	}
	if err := claims.Decode(&whole); err != nil || whole.Subject != "user-1" || whole.Issuer != issuer {
		t.Error(err, whole)
	}
	if whole.Extended == nil || whole.Level != 7 || whole.Absent != nil {
		t.Error(whole)
	}
	// encoding/json cannot make a part that is not exported, either.
	var hidden struct{ *base }
	if err := claims.Decode(&hidden); err == nil {
		t.Error("a part that cannot be made is left out without a word")
	}
	hidden.base = &base{}
	if err := claims.Decode(&hidden); err != nil || hidden.Subject != "user-1" {
		t.Error(err, hidden)
	}
}

type Loud struct {
	Subject string
	has     map[string]any
}

func (l *Loud) UnmarshalJSON(object []byte) error {
	l.Subject = "read by its own method"
	return json.Unmarshal(object, &l.has)
}

func TestATypeDecodesItself(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	v := verifierOf(t, plain, key)
	sample := sampleClaims()
	claims, err := v.Verify(key.Sign(sample, nil))
	if err != nil {
		t.Fatal(err)
	}
	var own Loud
	var part struct {
		Loud
		Level int `json:"level"`
	}
	var made *Loud
	for _, into := range []any{&own, &part, &made} {
		if err := claims.Decode(into); err != nil {
			t.Error(err)
		}
	}
	for _, loud := range []*Loud{&own, &part.Loud, made} {
		if loud == nil || loud.Subject != "read by its own method" || loud.has["sub"] != "user-1" {
			t.Error(loud)
		}
	}
	if part.Level != 0 {
		t.Error("the method of a part is that of the whole")
	}
	sample["Admin"], sample["admin"] = false, true
	if claims, err = v.Verify(key.Sign(sample, nil)); err != nil {
		t.Fatal(err)
	}
	if err := claims.Decode(&own); err == nil {
		t.Error("two spellings of one name pass")
	}
}

func TestAStructureBehindPointersIsDecodedToTheLetter(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	sample := sampleClaims()
	delete(sample, "admin")
	sample["Admin"] = true
	claims, err := verifierOf(t, plain, key).Verify(key.Sign(sample, nil))
	if err != nil {
		t.Fatal(err)
	}
	type account struct {
		Subject string `json:"sub"`
		Admin   bool   `json:"admin"`
	}
	var made **account
	lent := &account{}
	var held any = lent
	var all any
	for _, into := range []any{&made, &held, &all} {
		if err := claims.Decode(into); err != nil {
			t.Error(err)
		}
	}
	if made == nil || *made == nil || **made != (account{Subject: "user-1"}) || *lent != (account{Subject: "user-1"}) {
		t.Error(made, lent)
	}
	if all.(map[string]any)["Admin"] != true {
		t.Error(all)
	}
}

func TestALoginNeedsItsNonce(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	v := verifierOf(t, IDToken(issuer, audience), key)
	sample := sampleClaims()
	sample["nonce"] = "n-1"
	token := key.Sign(sample, nil)
	if _, err := v.VerifyLogin(token, Login{Nonce: "n-1"}); err != nil {
		t.Error(err)
	}
	for nonce, code := range map[string]Code{"n-2": NonceMismatch, "": InvalidArgument} {
		if _, err := v.VerifyLogin(token, Login{Nonce: nonce}); !errors.Is(err, code) {
			t.Errorf("%q: %v", nonce, err)
		}
	}
}

func TestABatchGivesEveryTokenItsVerdict(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	v := verifierOf(t, plain, key)
	var tokens []string
	for index := 0; index < 200; index++ {
		sample := sampleClaims()
		sample["n"] = index
		if index%7 == 0 {
			sample["aud"] = "other"
		}
		if index == 100 {
			sample["long"] = strings.Repeat("x", 8_000)
		}
		tokens = append(tokens, key.Sign(sample, nil))
	}
	verdicts, err := v.VerifyBatch(append(tokens, ""))
	if err != nil || len(verdicts) != 201 {
		t.Fatal(err, len(verdicts))
	}
	for index, verdict := range verdicts[:200] {
		var n int
		switch {
		case index%7 == 0:
			if !errors.Is(verdict.Err, AudienceMismatch) || verdict.Claims != nil {
				t.Error(index, verdict.Err)
			}
		case verdict.Err != nil || verdict.Claims.Claim("n", &n) != nil || n != index:
			t.Error(index, verdict.Err)
		}
	}
	if !errors.Is(verdicts[200].Err, MalformedToken) {
		t.Error(verdicts[200].Err)
	}
	if none, err := v.VerifyBatch(nil); err != nil || len(none) != 0 {
		t.Error(err)
	}
}

func TestWhatIsClosedRefuses(t *testing.T) {
	key := assaytest.NewKey("ES256", "k")
	set, _ := NewKeys(assaytest.KeySet(key))
	v, _ := NewVerifier(plain, set)
	token := key.Sign(sampleClaims(), nil)
	var done sync.WaitGroup
	for index := 0; index < 8; index++ {
		done.Add(1)
		go func() {
			defer done.Done()
			for {
				if _, err := v.Verify(token); err != nil {
					if err != ErrClosed {
						t.Error(err)
					}
					return
				}
			}
		}()
	}
	v.Close()
	v.Close()
	done.Wait()
	set.Close()
	if _, err := NewVerifier(plain, set); err != ErrClosed {
		t.Error(err)
	}
	if _, err := v.VerifyBatch([]string{token}); err != ErrClosed {
		t.Error(err)
	}
}

func TestAVerifierThatCannotBeMadeSaysSo(t *testing.T) {
	if _, err := NewKeys(nil); err == nil {
		t.Error("no keys are keys")
	}
	if _, err := NewKeys([]byte("{\"keys\": [\x00]}")); err == nil {
		t.Error("a document with NUL has keys")
	}
	set, _ := NewKeys(assaytest.KeySet(assaytest.NewKey("ES256", "k")))
	half := 500 * time.Millisecond
	for name, policy := range map[string]Policy{
		"an unknown algorithm": {Algorithms: []string{"ES257"}}, "half a second": {Leeway: &half},
		"text that is no UTF-8": {Issuers: []string{"\xff"}}, "a preset without an issuer": {preset: idToken},
	} {
		if _, err := NewVerifier(policy, set); err == nil {
			t.Error(name)
		}
	}
	if _, err := NewVerifier(plain, nil); !errors.Is(err, InvalidArgument) {
		t.Error(err)
	}
	if _, err := NewIssuersVerifier(nil); err == nil {
		t.Error("no issuers")
	}
}

// A number that C does not get must not become its default.
func TestACacheLivesForWholeSeconds(t *testing.T) {
	keys, err := NewKeys(assaytest.KeySet(assaytest.NewKey("ES256", "k")))
	if err != nil {
		t.Fatal(err)
	}
	for lifetime, isFine := range map[time.Duration]bool{0: true, time.Second: true, time.Millisecond: false, 1500 * time.Millisecond: false, -time.Second: false} {
		_, err := NewVerifier(Policy{}, keys, WithCache(1<<20, lifetime))
		if (err == nil) != isFine {
			t.Error(lifetime, err)
		}
		_, err = NewGateway(settingsText(t, gatewaySettings("https://idp.example")), WithTokenCache(1<<20, lifetime))
		if (err == nil) != isFine {
			t.Error(lifetime, err)
		}
	}
}

func TestATimeBefore1970IsNotTheSystems(t *testing.T) {
	for _, moment := range []time.Time{{}, time.Unix(-1, 0), time.Unix(0, 0)} {
		if got := now(func() time.Time { return moment }); got != 0 {
			t.Error(moment, got)
		}
	}
}

func TestTheVersionOfTheLibraryIsChecked(t *testing.T) {
	for loaded, fits := range map[string]bool{
		"0.1.0": true, "0.1.7": true, "0.2.0": true, "0.0.9": false, "1.1.0": false, "": false, "0": false, "x.y": false,
	} {
		if err := checkVersion(loaded, 0, 1, 0); (err == nil) != fits {
			t.Error(loaded, err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	key := assaytest.NewKey("ES256", "k")
	v := verifierOf(f, plain, key)
	valid := key.Sign(sampleClaims(), nil)
	f.Add(valid)
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		claims, err := v.Verify(token)
		if (claims == nil) == (err == nil) {
			t.Fatal("neither claims nor an error, or both")
		}
		if err == nil && token != valid {
			t.Fatal(fmt.Sprintf("a forged token passes: %q", token))
		}
	})
}
