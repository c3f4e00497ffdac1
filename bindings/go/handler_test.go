package assay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

// gatewaySettings are those of an issuer on loopback.
func gatewaySettings(issuer string) map[string]any {
	return map[string]any{
		"providers": []any{map[string]any{
			"name": "idp", "issuer": issuer, "audiences": []string{"api"}, "payloadMetadata": "claims",
			"claims": []any{map[string]any{"header": "x-auth-subject", "claim": "sub"}},
		}},
		"policies": []any{
			map[string]any{"name": "open", "requires": "nothing"},
			map[string]any{"name": "api", "requires": "idp", "realm": "api"},
			map[string]any{"name": "administration", "requires": "idp", "realm": "api", "scopes": []string{"admin"}},
		},
		"routes": []any{
			map[string]any{"path": "/public", "policy": "open"}, map[string]any{"path": "/admin", "policy": "administration"},
			map[string]any{"policy": "api"},
		},
	}
}

func settingsText(t *testing.T, settings map[string]any) []byte {
	t.Helper()
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An upstream notes what it gets.
type upstream struct {
	mutex    sync.Mutex
	requests []*http.Request
	subjects []string
}

func (u *upstream) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	var claims struct {
		Sub string `json:"sub"`
	}
	if identity := FromContext(request.Context()); identity != nil {
		_, _ = identity.Claims("idp", &claims)
	}
	_, _ = io.Copy(io.Discard, request.Body)
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.requests, u.subjects = append(u.requests, request), append(u.subjects, claims.Sub)
}

func (u *upstream) last() (*http.Request, string) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if len(u.requests) == 0 {
		return nil, ""
	}
	return u.requests[len(u.requests)-1], u.subjects[len(u.subjects)-1]
}

func guarded(t *testing.T, from *assaytest.Issuer) (*Gateway, *upstream, *httptest.Server) {
	t.Helper()
	g, err := NewGateway(settingsText(t, gatewaySettings(from.URL)), WithFetching(Fetching{Loopback: true}), WithWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	behind := &upstream{}
	server := httptest.NewServer(g.Handler(behind))
	t.Cleanup(func() { server.Close(); g.Close() })
	return g, behind, server
}

func ask(t *testing.T, url string, fields ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for index := 0; index < len(fields); index += 2 {
		request.Header.Add(fields[index], fields[index+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response
}

func TestAHandlerGetsAdmittedRequestsAlone(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	_, behind, server := guarded(t, from)
	token := "Bearer " + from.Token("api", nil)
	response := ask(t, server.URL+"/a?b=c", "Authorization", token, "X-Auth-Subject", "forged", "X_Auth_Subject", "forged")
	if response.StatusCode != 400 {
		t.Errorf("a field that another reader takes for ours: %d", response.StatusCode)
	}
	if response := ask(t, server.URL+"/a?b=c", "Authorization", token, "x-auth-subject", "forged"); response.StatusCode != 200 {
		t.Fatal(response.Status)
	}
	request, subject := behind.last()
	if subject != "user-1" || len(request.Header["X-Auth-Subject"]) != 1 || request.Header.Get("X-Auth-Subject") != "user-1" {
		t.Error(subject, request.Header)
	}
	for name, text := range map[string]string{"none": "", "of another audience": "Bearer " + from.Token("other", nil), "no token": "Bearer x"} {
		response := ask(t, server.URL+"/a", "Authorization", text)
		if response.StatusCode != 401 || !strings.HasPrefix(response.Header.Get("WWW-Authenticate"), `Bearer realm="api"`) {
			t.Errorf("%s: %s %v", name, response.Status, response.Header)
		}
	}
	if response := ask(t, server.URL+"/admin", "Authorization", token); response.StatusCode != 403 {
		t.Error(response.Status)
	}
	if response := ask(t, server.URL+"/public/../a"); response.StatusCode != 400 {
		t.Error(response.Status)
	}
	if len(behind.requests) != 1 {
		t.Errorf("%d requests passed", len(behind.requests))
	}
	if response := ask(t, server.URL+"/public", "X-Auth-Subject", "forged"); response.StatusCode != 200 {
		t.Error(response.Status)
	}
	if request, subject := behind.last(); subject != "" || request.Header.Get("X-Auth-Subject") != "" {
		t.Error("an identity was forged: ", subject, request.Header)
	}
}

func TestTrailersBringNoIdentity(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	_, behind, server := guarded(t, from)
	request, _ := http.NewRequest("POST", server.URL+"/public", io.NopCloser(strings.NewReader("body")))
	request.ContentLength = -1
	request.Trailer = http.Header{"X-Auth-Subject": {"forged"}, "X-Checksum": {"1"}}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || response.StatusCode != 200 {
		t.Fatal(err, response)
	}
	response.Body.Close()
	if got, _ := behind.last(); got.Trailer.Get("X-Auth-Subject") != "" || got.Trailer.Get("X-Checksum") != "1" {
		t.Error(got.Trailer)
	}
}

// By the gateway, or by net/http of a later Go.
func TestARequestWithManyFieldsIsRefused(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	_, behind, server := guarded(t, from)
	var fields []string
	for index := 0; index < 1_025; index++ {
		fields = append(fields, fmt.Sprint("A-", index), "")
	}
	if response := ask(t, server.URL+"/public", fields...); response.StatusCode != 400 && response.StatusCode != 431 {
		t.Error(response.Status)
	}
	if request, _ := behind.last(); request != nil {
		t.Error("the handler got it")
	}
}

// A client may name the host twice, and in other forms than a browser does (RFC 9112 section 3.2).
func TestRequestsOfOtherFormsReachNoHandlerWithoutAToken(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	_, behind, server := guarded(t, from)
	for _, text := range []string{
		"GET http://a HTTP/1.1\r\nHost: a", "GET http://a?x HTTP/1.1\r\nHost: a", "GET http://a/admin HTTP/1.1\r\nHost: a",
		"CONNECT a:1 HTTP/1.1\r\nHost: a", "GET //a/public HTTP/1.1\r\nHost: a",
		"GET /public/%2e%2e/admin HTTP/1.1\r\nHost: a", "GET /public%2fx HTTP/1.1\r\nHost: a", "GET /public HTTP/1.1\r\nHost: a\r\nHost: b",
		"GET /admin HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade",
		"GET /public HTTP/1.1\r\nHost: a\r\nConnection: x-auth-subject", "get /public HTTP/1.1\r\nHost: a",
	} {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(connection, text+"\r\nContent-Length: 0\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil || response.StatusCode < 400 {
			t.Error(text, response, err)
		}
		connection.Close()
	}
	if request, _ := behind.last(); request != nil {
		t.Error(request.RequestURI)
	}
}

func TestARequestWaitsForTheKeysUnderWay(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	g, _, server := guarded(t, from)
	if response := ask(t, server.URL+"/a", "Authorization", "Bearer "+from.Token("api", nil)); response.StatusCode != 200 || !g.IsReady() {
		t.Error(response.Status, g.Status())
	}
	from.Publish(assaytest.NewKey("ES256", "key-2"))
	if response := ask(t, server.URL+"/a", "Authorization", "Bearer "+from.Token("api", nil)); response.StatusCode != 200 {
		t.Error(response.Status)
	}
	if !strings.Contains(g.Metrics(), "assay_") || !json.Valid([]byte(g.Status())) {
		t.Error(g.Metrics())
	}
}

func TestSettingsAreReplacedOrStay(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	g, _, server := guarded(t, from)
	settings := gatewaySettings(from.URL)
	settings["routes"] = []any{map[string]any{"policy": "open"}}
	if err := g.Replace([]byte(`{"providers": 1}`)); !errors.Is(err, InvalidSettings) {
		t.Error(err)
	}
	if response := ask(t, server.URL+"/a"); response.StatusCode != 401 {
		t.Error(response.Status)
	}
	if err := g.Replace(settingsText(t, settings)); err != nil {
		t.Fatal(err)
	}
	if response := ask(t, server.URL+"/a"); response.StatusCode != 200 {
		t.Error(response.Status)
	}
	g.Close()
	if response := ask(t, server.URL+"/a"); response.StatusCode != 503 {
		t.Error("a closed gateway lets pass: ", response.Status)
	}
	if err := g.Replace(nil); err != ErrClosed {
		t.Error(err)
	}
}

func TestWrongSettingsSayWhatIsWrong(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"providers": []}`, `{"unknown": 1}`, "\xff\x00"} {
		g, err := NewGateway([]byte(text))
		if g != nil || !errors.Is(err, InvalidSettings) && !errors.Is(err, InvalidArgument) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if !strings.Contains(CheckSettings([]byte(`{"providers": 1}`)), "error: ") {
		t.Error(CheckSettings([]byte(`{"providers": 1}`)))
	}
}

func TestTargetsAreThoseOfTheClient(t *testing.T) {
	for uri, expected := range map[string]string{
		"/a?b": "/a?b", "http://h/a?b": "/a?b", "http://h?a": "http://h?a", "http://h": "http://h", "*": "*", "//a": "//a", "/http://a/b": "/http://a/b",
	} {
		if got := target(&http.Request{RequestURI: uri}); got != expected {
			t.Errorf("%q: %q", uri, got)
		}
	}
}

func TestATokenInTheQueryIsTakenOutOfTheTarget(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	settings := gatewaySettings(from.URL)
	settings["providers"].([]any)[0].(map[string]any)["tokenFrom"] = []any{map[string]any{"query": "access_token"}}
	settings["providers"].([]any)[0].(map[string]any)["forwardToken"] = false
	g, err := NewGateway(settingsText(t, settings), WithFetching(Fetching{Loopback: true}), WithWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	behind := &upstream{}
	server := httptest.NewServer(g.Handler(behind))
	defer server.Close()
	if response := ask(t, server.URL+"/a?x=1&access_token="+from.Token("api", nil)+"&y=2"); response.StatusCode != 200 {
		t.Fatal(response.Status)
	}
	if request, _ := behind.last(); request.RequestURI != "/a?x=1&y=2" || request.URL.RequestURI() != "/a?x=1&y=2" {
		t.Error(request.RequestURI, request.URL)
	}
	// The path that a handler before the gateway has shortened stays short.
	stripped := httptest.NewServer(http.StripPrefix("/v1", g.Handler(behind)))
	defer stripped.Close()
	if response := ask(t, stripped.URL+"/v1/b?access_token="+from.Token("api", nil)+"&y=2"); response.StatusCode != 200 {
		t.Fatal(response.Status)
	}
	if request, _ := behind.last(); request.RequestURI != "/v1/b?y=2" || request.URL.RequestURI() != "/b?y=2" {
		t.Error(request.RequestURI, request.URL)
	}
}

func FuzzTarget(f *testing.F) {
	from := assaytest.NewIssuer()
	f.Cleanup(from.Close)
	text, _ := json.Marshal(gatewaySettings(from.URL))
	g, err := NewGateway(text)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("/public/../admin", "x-auth-subject", "a")
	f.Add("/public", "X_auth-subject", "a")
	f.Fuzz(func(t *testing.T, uri, name, value string) {
		passed := false
		handler := g.Handler(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
			passed = true
			for spelling, values := range request.Header {
				if strings.EqualFold(strings.ReplaceAll(spelling, "_", "-"), "x-auth-subject") && strings.Join(values, "") != "" {
					t.Fatalf("an identity was forged: %q", spelling)
				}
			}
		}))
		request := httptest.NewRequest("GET", "/", nil)
		request.RequestURI = uri
		request.Header[name] = []string{value}
		handler.ServeHTTP(httptest.NewRecorder(), request)
		path, _, _ := strings.Cut(target(request), "?")
		if passed && path != "/public" && !strings.HasPrefix(path, "/public/") {
			t.Fatalf("%q passes without a token", uri)
		}
	})
}
