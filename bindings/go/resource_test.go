package assay

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

const wellKnown = "/.well-known/oauth-protected-resource/orders"

func protecting(t *testing.T) (*Gateway, *upstream, http.Handler) {
	t.Helper()
	from := assaytest.NewIssuer()
	settings := gatewaySettings(from.URL)
	settings["resources"] = []any{map[string]any{"resource": "https://api.example/orders", "displayName": "Orders"}}
	settings["providers"] = []any{map[string]any{"name": "idp", "issuer": from.URL}}
	settings["policies"] = []any{map[string]any{"name": "api", "requires": "idp", "resource": "https://api.example/orders"}}
	settings["routes"] = []any{map[string]any{"policy": "api"}}
	g, err := NewGateway(settingsText(t, settings), WithFetching(Fetching{Loopback: true}), WithWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close(); from.Close() })
	behind := &upstream{}
	return g, behind, g.Handler(behind)
}

func answered(handler http.Handler, method, host, target string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, nil)
	request.Host = host
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestMetadataIsServedForItsOwnHost(t *testing.T) {
	g, behind, handler := protecting(t)
	answer := answered(handler, "GET", "API.example:443", wellKnown+"?a=b")
	var document struct {
		Resource string `json:"resource"`
		Name     string `json:"resource_name"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil || document.Resource != "https://api.example/orders" || document.Name != "Orders" {
		t.Error(answer.Code, answer.Body, err)
	}
	if g.ResourceMetadata("api.example", wellKnown) != answer.Body.String() || answer.Header().Get("Content-Type") != "application/json" {
		t.Error(answer.Header())
	}
	for _, other := range [][2]string{
		{"evil.example", wellKnown}, {"api.example:8443", wellKnown}, {"api.example", wellKnown + "/"}, {"api.example", "/.well-known/oauth-protected-resource"},
	} {
		if answer := answered(handler, "GET", other[0], other[1]); answer.Code != 401 || g.ResourceMetadata(other[0], other[1]) != "" {
			t.Errorf("%v: %d", other, answer.Code)
		}
	}
	challenge := answered(handler, "GET", "api.example", "/orders").Header().Get("WWW-Authenticate")
	if !strings.Contains(challenge, `resource_metadata="https://api.example`+wellKnown+`"`) {
		t.Error(challenge)
	}
	if len(behind.requests) != 0 {
		t.Error("the handler behind the gateway was reached")
	}
}

func TestMetadataIsReadAndNothingElse(t *testing.T) {
	_, _, handler := protecting(t)
	for method, status := range map[string]int{"GET": 200, "HEAD": 200, "OPTIONS": 204, "POST": 405, "DELETE": 405} {
		if answer := answered(handler, method, "api.example", wellKnown); answer.Code != status {
			t.Errorf("%s: %d", method, answer.Code)
		}
	}
}
