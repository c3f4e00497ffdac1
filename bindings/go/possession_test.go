package assay

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

// A possession asks with tokens that are bound to a key.
type possession struct {
	t      *testing.T
	client *assaytest.Key
	token  string
	url    string
}

func (p *possession) proof(nonce string) string {
	digest := sha256.Sum256([]byte(p.token))
	claims := map[string]any{
		"jti": base64.RawURLEncoding.EncodeToString([]byte(time.Now().String())), "htm": "GET", "htu": p.url, "iat": time.Now().Unix(),
		"ath": base64.RawURLEncoding.EncodeToString(digest[:]),
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	return p.client.Prove(claims)
}

func (p *possession) ask(proof string) *http.Response {
	return ask(p.t, p.url, "Authorization", "DPoP "+p.token, "DPoP", proof)
}

func TestAProofPassesOnceWithANonceOfTheServer(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	settings := gatewaySettings(from.URL)
	settings["providers"].([]any)[0].(map[string]any)["dpop"] = map[string]any{"tokens": "bound", "nonces": map[string]any{"periodSeconds": 300}}
	g, err := NewGateway(settingsText(t, settings), WithFetching(Fetching{Loopback: true}), WithWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	server := httptest.NewServer(g.Handler(&upstream{}))
	defer server.Close()
	client := assaytest.NewKey("ES256", "")
	p := possession{t, client, from.Token("api", map[string]any{"cnf": map[string]any{"jkt": client.Thumbprint()}}), server.URL + "/a"}
	first := p.ask(p.proof(""))
	nonce := first.Header.Get("DPoP-Nonce")
	if first.StatusCode != 401 || nonce == "" {
		t.Fatal(first.Status, first.Header)
	}
	proof := p.proof(nonce)
	if response := p.ask(proof); response.StatusCode != 200 {
		t.Fatal(response.Status, response.Header)
	}
	if response := p.ask(proof); response.StatusCode != 401 {
		t.Error("a proof passes twice")
	}
	if response := ask(t, p.url, "Authorization", "Bearer "+p.token); response.StatusCode != 401 {
		t.Error("a bound token passes as a bearer token")
	}
}

func TestATokenIsBoundToTheCertificateOfTheConnection(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	settings := gatewaySettings(from.URL)
	settings["providers"].([]any)[0].(map[string]any)["certificateBound"] = "required"
	g, err := NewGateway(settingsText(t, settings), WithFetching(Fetching{Loopback: true}), WithWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	server := httptest.NewUnstartedServer(g.Handler(&upstream{}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.StartTLS()
	defer server.Close()
	own, other := assaytest.NewKey("ES256", "").Certificate(), assaytest.NewKey("ES256", "").Certificate()
	digest := sha256.Sum256(own.Certificate[0])
	token := from.Token("api", map[string]any{"cnf": map[string]any{"x5t#S256": base64.RawURLEncoding.EncodeToString(digest[:])}})
	for name, one := range map[string]struct {
		shown  []tls.Certificate
		status int
	}{"its own": {[]tls.Certificate{own}, 200}, "another": {[]tls.Certificate{other}, 401}, "none": {nil, 401}} {
		roots := x509.NewCertPool()
		roots.AddCert(server.Certificate())
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: one.shown}}
		request, _ := http.NewRequest("GET", server.URL+"/a", nil)
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != one.status {
			t.Errorf("%s: %s", name, response.Status)
		}
		transport.CloseIdleConnections()
	}
}
