package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"assay.local/assay"
	"assay.local/assay/assaytest"
)

func TestGreeting(t *testing.T) {
	issuer := assaytest.NewIssuer()
	defer issuer.Close()
	settings := fmt.Sprintf(`{"policy": "idp", "policies": [{"name": "idp", "requires": "idp"}], "providers": [
		{"name": "idp", "issuer": %q, "audiences": ["api"], "payloadMetadata": "claims"}]}`, issuer.URL)
	gateway, err := assay.NewGateway([]byte(settings), assay.WithFetching(assay.Fetching{Loopback: true}))
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/", nil)
	request.Header.Set("Authorization", "Bearer "+issuer.Token("api", nil))
	recorder := httptest.NewRecorder()
	gateway.Handler(http.HandlerFunc(Greet)).ServeHTTP(recorder, request)
	if recorder.Body.String() != "Hello user-1" {
		t.Error(recorder.Code, recorder.Body)
	}
}
