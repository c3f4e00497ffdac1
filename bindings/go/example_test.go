package assay_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"assay.local/assay"
	"assay.local/assay/assaytest"
)

// The tasks of Docs/Go.md. Each block of that page stands here, letter by letter, and its test below runs it.

// An id_token over remote keys

type Login struct {
	verifier *assay.Verifier
}

func NewLogin(issuer, clientID string, how assay.Fetching) (*Login, error) {
	keys, err := assay.NewRemoteKeys(issuer, how)
	if err != nil {
		return nil, err
	}
	verifier, err := assay.NewVerifier(assay.IDToken(issuer, clientID), keys)
	return &Login{verifier}, err
}

func (l *Login) User(idToken, nonce string) (string, error) {
	claims, err := l.verifier.VerifyLogin(idToken, assay.Login{Nonce: nonce})
	if err != nil {
		return "", err
	}
	return claims.Subject(), nil
}

// An access token with a scope

func Answer(verifier *assay.Verifier, text string) (status int, challenge string) {
	_, err := verifier.Verify(text)
	var refusal *assay.Error
	if errors.As(err, &refusal) {
		return refusal.HTTPStatus(), refusal.Challenge
	}
	return http.StatusOK, ""
}

// A check of one's own

func OfTenant(verifier *assay.Verifier, text, tenant string) (*assay.Claims, error) {
	claims, err := verifier.Verify(text)
	if err != nil {
		return nil, err
	}
	if name, _ := claims.String("tenant"); name != tenant {
		return nil, errors.New("a token of another tenant")
	}
	return claims, nil
}

// Several issuers

func ForStaffAndCustomers(staff, customers string, how assay.Fetching) (*assay.Verifier, error) {
	var issuers []assay.Issuer
	for _, issuer := range []string{staff, customers} {
		keys, err := assay.NewRemoteKeys(issuer, how)
		if err != nil {
			return nil, err
		}
		issuers = append(issuers, assay.Issuer{Policy: assay.AccessToken(issuer, "api"), Keys: keys})
	}
	return assay.NewIssuersVerifier(issuers)
}

// Secrets that rotate

func WithSecrets(jwkSet []byte) (*assay.Verifier, error) {
	keys, err := assay.NewKeys(jwkSet)
	if err != nil {
		return nil, err
	}
	return assay.NewVerifier(assay.Policy{Algorithms: []string{"HS256"}, Issuers: []string{"https://issuer.example"}}, keys)
}

// Claims as a type

type Account struct {
	ID    string   `json:"sub"`
	Roles []string `json:"roles"`
}

func AccountOf(claims *assay.Claims) (account Account, err error) {
	err = claims.Decode(&account)
	return account, err
}

// A middleware

func Guarded(settings []byte, next http.Handler, with ...assay.GatewayOption) (http.Handler, error) {
	gateway, err := assay.NewGateway(settings, with...)
	if err != nil {
		return nil, err
	}
	return gateway.Handler(next), nil
}

func Greet(writer http.ResponseWriter, request *http.Request) {
	var account Account
	if known, err := assay.FromContext(request.Context()).Claims("idp", &account); err == nil && known {
		fmt.Fprintf(writer, "Hello %s", account.ID)
	}
}

// A test of one's own handler

func TestGreeting(t *testing.T) {
	issuer := assaytest.NewIssuer()
	defer issuer.Close()
	settings := fmt.Sprintf(`{"policy": "idp", "policies": [{"name": "idp", "requires": "idp"}], "providers": [
		{"name": "idp", "issuer": %q, "audiences": ["api"], "payloadMetadata": "claims"}]}`, issuer.URL)
	handler, err := Guarded([]byte(settings), http.HandlerFunc(Greet), assay.WithFetching(assay.Fetching{Loopback: true}))
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/", nil)
	request.Header.Set("Authorization", "Bearer "+issuer.Token("api", nil))
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	if recorder.Body.String() != "Hello user-1" {
		t.Error(recorder.Code, recorder.Body)
	}
}

// An error as an HTTP status

func Status(err error) int {
	var refusal *assay.Error
	if errors.As(err, &refusal) {
		return refusal.HTTPStatus()
	}
	return http.StatusInternalServerError
}

// Logs and metrics

func Observe(gateway *assay.Gateway, routes *http.ServeMux) {
	routes.HandleFunc("/metrics", func(writer http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(writer, gateway.Metrics())
	})
}

// Keys in PEM that rotate

type Rotating struct {
	path string
	made time.Time
	last *assay.Verifier
}

func (r *Rotating) Verifier(policy assay.Policy) (*assay.Verifier, error) {
	file, err := os.Stat(r.path)
	if err != nil || r.last != nil && file.ModTime().Equal(r.made) {
		return r.last, err
	}
	pem, err := os.ReadFile(r.path)
	if err != nil {
		return nil, err
	}
	keys, err := assay.NewKeys(pem)
	if err != nil {
		return nil, err
	}
	r.made = file.ModTime()
	r.last, err = assay.NewVerifier(policy, keys)
	return r.last, err
}

// Many tokens at once

func Valid(verifier *assay.Verifier, tokens []string) (valid int, err error) {
	verdicts, err := verifier.VerifyBatch(tokens)
	for _, verdict := range verdicts {
		if verdict.Err == nil {
			valid++
		}
	}
	return valid, err
}

// Their tests

var onLoopback = assay.Fetching{Loopback: true}

func TestLogin(t *testing.T) {
	issuer := assaytest.NewIssuer()
	defer issuer.Close()
	login, err := NewLogin(issuer.URL, "client-1", onLoopback)
	if err != nil {
		t.Fatal(err)
	}
	token := issuer.Token("client-1", map[string]any{"nonce": "n-1"})
	for {
		user, err := login.User(token, "n-1")
		if errors.Is(err, assay.KeysUnavailable) {
			continue // the first fetch is under way
		}
		if user != "user-1" || err != nil {
			t.Error(user, err)
		}
		break
	}
	if _, err := login.User(token, "n-2"); !errors.Is(err, assay.NonceMismatch) {
		t.Error(err)
	}
}

func fixed(t *testing.T, policy assay.Policy) (*assay.Verifier, *assaytest.Key) {
	t.Helper()
	key := assaytest.NewKey("ES256", "k")
	keys, err := assay.NewKeys(assaytest.KeySet(key))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := assay.NewVerifier(policy, keys)
	if err != nil {
		t.Fatal(err)
	}
	return verifier, key
}

func accessClaims(more map[string]any) map[string]any {
	now := time.Now().Unix()
	claims := map[string]any{"iss": "https://issuer.example", "aud": "api", "sub": "user-1", "client_id": "c", "jti": "1", "iat": now,
		"exp": now + 60, "scope": "read"}
	for name, value := range more {
		claims[name] = value
	}
	return claims
}

func TestAnswerAndStatus(t *testing.T) {
	verifier, key := fixed(t, assay.AccessToken("https://issuer.example", "api", "write"))
	access := map[string]any{"typ": "at+jwt"}
	status, challenge := Answer(verifier, key.Sign(accessClaims(nil), access))
	if status != 403 || !strings.Contains(challenge, `scope="write"`) {
		t.Error(status, challenge)
	}
	if status, challenge := Answer(verifier, key.Sign(accessClaims(map[string]any{"scope": "write"}), access)); status != 200 || challenge != "" {
		t.Error(status, challenge)
	}
	_, err := verifier.Verify("x")
	if Status(err) != 401 || Status(context.Canceled) != 500 {
		t.Error(err)
	}
}

func TestTenantAndAccount(t *testing.T) {
	verifier, key := fixed(t, assay.Policy{Issuers: []string{"https://issuer.example"}})
	token := key.Sign(accessClaims(map[string]any{"tenant": "a", "roles": []string{"admin"}}), nil)
	if _, err := OfTenant(verifier, token, "b"); err == nil {
		t.Error("a token of another tenant passes")
	}
	claims, err := OfTenant(verifier, token, "a")
	if err != nil {
		t.Fatal(err)
	}
	if account, err := AccountOf(claims); err != nil || account.ID != "user-1" || len(account.Roles) != 1 {
		t.Error(account, err)
	}
	if count, err := Valid(verifier, []string{token, "x", token}); count != 2 || err != nil {
		t.Error(count, err)
	}
}

func TestStaffAndCustomers(t *testing.T) {
	staff, customers, stranger := assaytest.NewIssuer(), assaytest.NewIssuer(), assaytest.NewIssuer()
	defer staff.Close()
	defer customers.Close()
	defer stranger.Close()
	verifier, err := ForStaffAndCustomers(staff.URL, customers.URL, onLoopback)
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{"client_id": "c", "jti": "1", "scope": "read"}
	for issuer, expected := range map[*assaytest.Issuer]assay.Code{staff: 0, customers: 0, stranger: assay.IssuerMismatch} {
		token := issuer.TypedToken("api", "at+jwt", claims)
		for {
			_, err := verifier.Verify(token)
			if errors.Is(err, assay.KeysUnavailable) {
				continue
			}
			if expected == 0 && err != nil || expected != 0 && !errors.Is(err, expected) {
				t.Error(err)
			}
			break
		}
	}
}

func TestSecretsAndFiles(t *testing.T) {
	older, newer := assaytest.NewKey("HS256", "1"), assaytest.NewKey("HS256", "2")
	verifier, err := WithSecrets(assaytest.KeySet(older, newer))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []*assaytest.Key{older, newer} {
		if _, err := verifier.Verify(key.Sign(accessClaims(nil), nil)); err != nil {
			t.Error(err)
		}
	}
	path := t.TempDir() + "/keys"
	rotating := Rotating{path: path}
	if _, err := rotating.Verifier(assay.Policy{}); err == nil {
		t.Error("there is no file")
	}
	for turn, id := range []string{"1", "2"} {
		key := assaytest.NewKey("ES256", id)
		if err := os.WriteFile(path, assaytest.KeySet(key), 0o600); err != nil {
			t.Fatal(err)
		}
		changed := time.Unix(int64(1_000*turn), 0)
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
		verifier, err := rotating.Verifier(assay.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := verifier.Verify(key.Sign(accessClaims(nil), nil)); err != nil {
			t.Error(err)
		}
	}
}

func TestObserve(t *testing.T) {
	gateway, err := assay.NewGateway([]byte(`{"policy": "open", "policies": [{"name": "open", "requires": "nothing"}], "providers": [
		{"name": "idp", "issuer": "https://issuer.example", "audiences": ["api"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	routes := http.NewServeMux()
	Observe(gateway, routes)
	recorder := httptest.NewRecorder()
	routes.ServeHTTP(recorder, httptest.NewRequest("GET", "/metrics", nil))
	if !strings.Contains(recorder.Body.String(), "# TYPE assay_") {
		t.Error(recorder.Body)
	}
}
