package assaytest

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// An Issuer is an authorization server on loopback: it publishes its metadata and its keys, and makes tokens.
type Issuer struct {
	// URL is `iss`.
	URL    string
	server *httptest.Server

	mutex   sync.Mutex
	keys    []*Key
	fetches int
	outage  bool
}

// NewIssuer starts an issuer with one key for ES256. Close it.
func NewIssuer() *Issuer {
	i := &Issuer{keys: []*Key{NewKey("ES256", "key-1")}}
	routes := http.NewServeMux()
	routes.HandleFunc("/.well-known/openid-configuration", i.metadata)
	routes.HandleFunc("/jwks", i.keySet)
	i.server = httptest.NewServer(routes)
	i.URL = i.server.URL
	return i
}

// Close stops the server.
func (i *Issuer) Close() { i.server.Close() }

// Publish replaces the keys. Tokens are signed with the first.
func (i *Issuer) Publish(keys ...*Key) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.keys = keys
}

// Fail makes every request a 503, until it is called with false.
func (i *Issuer) Fail(outage bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.outage = outage
}

// Fetches returns how often the keys were asked for.
func (i *Issuer) Fetches() int {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return i.fetches
}

// Token makes a token for an audience that expires in an hour. Claims are added to `iss`, `aud`, `sub`, `iat` and `exp`, or replace them; one
// that is nil is left out.
func (i *Issuer) Token(audience string, claims map[string]any) string {
	return i.TypedToken(audience, "", claims)
}

// TypedToken does the same with a `typ`, such as "at+jwt"; "" for none.
func (i *Issuer) TypedToken(audience, typ string, claims map[string]any) string {
	now := time.Now().Unix()
	all := map[string]any{"iss": i.URL, "aud": audience, "sub": "user-1", "iat": now, "exp": now + 3600}
	for name, value := range claims {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	i.mutex.Lock()
	key := i.keys[0]
	i.mutex.Unlock()
	if typ == "" {
		return key.Sign(all, nil)
	}
	return key.Sign(all, map[string]any{"typ": typ})
}

func (i *Issuer) metadata(writer http.ResponseWriter, request *http.Request) {
	i.answer(writer, marshalled(map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/jwks"}))
}

func (i *Issuer) keySet(writer http.ResponseWriter, request *http.Request) {
	i.mutex.Lock()
	i.fetches++
	document := KeySet(i.keys...)
	i.mutex.Unlock()
	i.answer(writer, document)
}

func (i *Issuer) answer(writer http.ResponseWriter, document []byte) {
	i.mutex.Lock()
	outage := i.outage
	i.mutex.Unlock()
	if outage {
		http.Error(writer, "", http.StatusServiceUnavailable)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Cache-Control", "max-age=300")
	_, _ = writer.Write(document)
}
