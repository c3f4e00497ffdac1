package assay

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

func waiting(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func remote(t *testing.T, from *assaytest.Issuer) (*RemoteKeys, *Verifier) {
	t.Helper()
	keys, err := NewRemoteKeys(from.URL, Fetching{Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keys.Close() })
	if err := keys.Wait(waiting(t)); err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(Policy{Issuers: []string{from.URL}, Audiences: []string{"api"}}, keys)
	if err != nil {
		t.Fatal(err)
	}
	return keys, v
}

func TestKeysOfAnIssuerAreFetchedAndFollowed(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	keys, v := remote(t, from)
	if _, err := v.Verify(from.Token("api", nil)); err != nil {
		t.Fatal(err)
	}
	if state, err := keys.State(); err != nil || state.Health != "fresh" || state.Count != 1 {
		t.Error(state, err)
	}
	before := from.Fetches()
	from.Publish(assaytest.NewKey("ES256", "key-2"))
	token := from.Token("api", nil)
	changed := keys.loop.changed()
	// The key may come with the fetch that this token has ordered.
	if _, err := v.Verify(token); !errors.Is(err, KeysUnavailable) {
		t.Fatal(err)
	}
	<-changed
	if _, err := v.Verify(token); err != nil || from.Fetches() != before+1 {
		t.Error(err, from.Fetches())
	}
}

// The program holds the verifier alone.
func TestAVerifierKeepsItsKeysFresh(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	keys, err := NewRemoteKeys(from.URL, Fetching{Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(Policy{Issuers: []string{from.URL}, Audiences: []string{"api"}}, keys)
	if err != nil {
		t.Fatal(err)
	}
	changed := keys.loop.changed()
	keys = nil
	for turn := 0; turn < 3; turn++ {
		runtime.GC()
	}
	for {
		_, err := v.Verify(from.Token("api", nil))
		if err == nil {
			break
		}
		select {
		case <-changed:
			changed = nil
		case <-waiting(t).Done():
			t.Fatal(err)
		}
	}
	runtime.KeepAlive(v)
}

func TestAnOutageLeavesTheKeys(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	keys, v := remote(t, from)
	from.Fail(true)
	changed := keys.loop.changed()
	keys.Refresh()
	<-changed
	if state, _ := keys.State(); state.Failures == 0 || state.LastFailure == "" {
		t.Error(state)
	}
	if _, err := v.Verify(from.Token("api", nil)); err != nil {
		t.Error(err)
	}
	keys.Close()
	if _, err := keys.State(); err != ErrClosed {
		t.Error(err)
	}
	if err := keys.Wait(waiting(t)); err != ErrClosed {
		t.Error(err)
	}
	if _, err := v.Verify(from.Token("api", nil)); err != nil {
		t.Error("a verifier keeps the keys: ", err)
	}
}

func TestKeysThatAreNotThereAreUnavailable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	keys, err := NewRemoteKeysAt(server.URL+"/jwks", Fetching{Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	v, _ := NewVerifier(plain, keys)
	_, err = v.Verify(assaytest.NewKey("ES256", "k").Sign(sampleClaims(), nil))
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Code != KeysUnavailable || refusal.HTTPStatus() != 503 {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := keys.Wait(ctx); err != context.Canceled {
		t.Error(err)
	}
	for _, url := range []string{"", "ftp://a/", "file:///etc/passwd", "https://a b/", "https://\x00/"} {
		if _, err := NewRemoteKeysAt(url, Fetching{}); err == nil {
			t.Errorf("%q", url)
		}
	}
}

func TestFailuresHaveTheirNames(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	routes := http.NewServeMux()
	routes.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) })
	routes.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat(" ", mostBytes+1)))
	})
	routes.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(routes)
	defer server.Close()
	for path, name := range map[string]string{"/away": "redirect", "/large": "too_large", "/slow": "timed_out"} {
		keys, err := NewRemoteKeysAt(server.URL+path, Fetching{Loopback: true, Limit: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		for {
			changed := keys.loop.changed()
			state, _ := keys.State()
			if state.Failures > 0 {
				if !strings.Contains(state.LastFailure, name) {
					t.Errorf("%s: %s", path, state.LastFailure)
				}
				break
			}
			<-changed
		}
		keys.Close()
	}
}
