package assay

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

// panics tells what a call ends with instead of an answer.
func panics(call func()) (reason any) {
	defer func() { reason = recover() }()
	call()
	return nil
}

// A program that looks at no error goes on with nil. It must get an error again, and not end.
func TestWhatIsNotThereRefuses(t *testing.T) {
	var noKeys *Keys
	var noRemoteKeys *RemoteKeys
	var noVerifier *Verifier
	var noGateway *Gateway
	var noClaims *Claims
	var into struct{ Sub string }
	waited := waiting(t)
	for name, row := range map[string]struct {
		expected error
		call     func() error
	}{
		"a verifier of nil keys":           {InvalidArgument, func() error { _, err := NewVerifier(plain, noKeys); return err }},
		"a verifier of nil remote keys":    {InvalidArgument, func() error { _, err := NewVerifier(plain, noRemoteKeys); return err }},
		"a verifier of no keys":            {InvalidArgument, func() error { _, err := NewVerifier(plain, nil); return err }},
		"a verifier of empty keys":         {ErrClosed, func() error { _, err := NewVerifier(plain, &Keys{}); return err }},
		"a verifier of empty remote keys":  {ErrClosed, func() error { _, err := NewVerifier(plain, &RemoteKeys{}); return err }},
		"nil keys close":                   {nil, noKeys.Close},
		"empty keys close":                 {nil, (&Keys{}).Close},
		"nil keys prepare":                 {nil, func() error { noKeys.Prepare(); return nil }},
		"nil remote keys close":            {nil, noRemoteKeys.Close},
		"empty remote keys close":          {nil, (&RemoteKeys{}).Close},
		"nil remote keys wait":             {ErrClosed, func() error { return noRemoteKeys.Wait(waited) }},
		"empty remote keys wait":           {ErrClosed, func() error { return (&RemoteKeys{}).Wait(waited) }},
		"nil remote keys state":            {ErrClosed, func() error { _, err := noRemoteKeys.State(); return err }},
		"nil remote keys refresh":          {nil, func() error { noRemoteKeys.Refresh(); return nil }},
		"a nil verifier verifies":          {ErrClosed, func() error { _, err := noVerifier.Verify("a.b.c"); return err }},
		"an empty verifier verifies":       {ErrClosed, func() error { _, err := (&Verifier{}).Verify("a.b.c"); return err }},
		"a nil verifier of logins":         {ErrClosed, func() error { _, err := noVerifier.VerifyLogin("a.b.c", Login{Nonce: "n"}); return err }},
		"a nil verifier of payloads":       {ErrClosed, func() error { _, err := noVerifier.VerifyPayload("a.b.c"); return err }},
		"a nil verifier of a batch":        {ErrClosed, func() error { _, err := noVerifier.VerifyBatch([]string{"a"}); return err }},
		"an empty verifier of a batch":     {ErrClosed, func() error { _, err := (&Verifier{}).VerifyBatch(nil); return err }},
		"a nil verifier closes":            {nil, noVerifier.Close},
		"a nil gateway closes":             {nil, noGateway.Close},
		"an empty gateway closes":          {nil, (&Gateway{}).Close},
		"a nil gateway gets settings":      {ErrClosed, func() error { return noGateway.Replace(nil) }},
		"an empty gateway gets settings":   {ErrClosed, func() error { return (&Gateway{}).Replace(nil) }},
		"nil claims into a structure":      {MissingClaim, func() error { return noClaims.Decode(&into) }},
		"empty claims into a structure":    {MissingClaim, func() error { return (&Claims{}).Decode(&into) }},
		"empty claims into a map":          {MissingClaim, func() error { return (&Claims{}).Decode(&map[string]any{}) }},
		"a claim of nil claims":            {MissingClaim, func() error { return noClaims.Claim("sub", &into) }},
		"a verifier with an option of nil": {nil, func() error { return withNilOption(t) }},
		"a token length below zero":        {InvalidArgument, func() error { return withOption(t, WithTokenBytes(-1)) }},
		"a cache of less than nothing":     {InvalidArgument, func() error { return withOption(t, WithCache(-1, 0)) }},
		"a clock of nil is the system's":   {nil, func() error { return withOption(t, WithClock(nil)) }},
	} {
		err := errors.New("a panic")
		if reason := panics(func() { err = row.call() }); reason != nil {
			t.Errorf("%s: %v", name, reason)
		} else if !errors.Is(err, row.expected) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func withNilOption(t *testing.T) error { return withOption(t, nil) }

func withOption(t *testing.T, option Option) error {
	keys, err := NewKeys(assaytest.KeySet(assaytest.NewKey("ES256", "k")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewVerifier(plain, keys, option)
	return err
}

func TestWhatIsNotThereIsEmpty(t *testing.T) {
	var noClaims *Claims
	var noIdentity *Identity
	var noGateway *Gateway
	for name, isEmpty := range map[string]func() bool{
		"texts": func() bool {
			return noClaims.Issuer()+noClaims.Subject()+noClaims.TokenID()+noClaims.KeyID()+noClaims.Algorithm()+noClaims.Payload()+noClaims.Header() == ""
		},
		"a date": func() bool { _, has := noClaims.Expiration(); return !has },
		"a name": func() bool { _, has := noClaims.String("sub"); return !has && !noClaims.Has("sub") },
		"an identity's claims": func() bool {
			known, err := noIdentity.Claims("idp", nil)
			return !known && err == nil
		},
		"an identity's metadata":     func() bool { _, known := noIdentity.Metadata("idp", "claims"); return !known },
		"an identity of no context":  func() bool { return FromContext(nil) == nil },
		"reports of a nil gateway":   func() bool { return noGateway.Status()+noGateway.Metrics()+noGateway.ResourceMetadata("a", "/") == "" },
		"a nil gateway is not ready": func() bool { return !noGateway.IsReady() && !(&Gateway{}).IsReady() },
	} {
		if reason := panics(func() {
			if !isEmpty() {
				t.Error(name)
			}
		}); reason != nil {
			t.Errorf("%s: %v", name, reason)
		}
	}
}

// Whatever is missing, no request passes.
func TestAHandlerOfNothingAnswers(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	g, _, _ := guarded(t, from)
	quiet, err := NewGateway(settingsText(t, gatewaySettings(from.URL)), nil, WithRefusals(nil), WithGatewayClock(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	request := func(target string) *http.Request { return httptest.NewRequest("GET", target, nil) }
	bare := request("/public")
	bare.Header, bare.Body = nil, nil
	homeless := request("/public")
	homeless.URL, homeless.RequestURI = nil, ""
	fine := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for name, row := range map[string]struct {
		status  int
		handler http.Handler
		request *http.Request
	}{
		"a nil gateway":                       {503, (*Gateway)(nil).Handler(fine), request("/public")},
		"an empty gateway":                    {503, (&Gateway{}).Handler(fine), request("/public")},
		"a nil handler":                       {500, g.Handler(nil), request("/public")},
		"a function that is nil":              {500, g.Handler(http.HandlerFunc(nil)), request("/public")},
		"a nil handler without a token":       {401, g.Handler(nil), request("/a")},
		"a policy that the settings lack":     {403, g.HandlerFor("nobody's", fine), request("/public")},
		"no answer to refusals":               {401, quiet.Handler(fine), request("/a")},
		"a request without fields and a body": {200, g.Handler(fine), bare},
		"a request without a URL":             {400, g.Handler(fine), homeless},
		"a refusal without a status":          {500, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { Refusal{}.Write(w) }), request("/")},
	} {
		recorder := httptest.NewRecorder()
		if reason := panics(func() { row.handler.ServeHTTP(recorder, row.request) }); reason != nil {
			t.Errorf("%s: %v", name, reason)
		} else if recorder.Code != row.status {
			t.Errorf("%s: %d", name, recorder.Code)
		}
	}
}

// Nobody may wait for keys that nobody will fetch.
func TestAWaitEnds(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, row := range map[string]struct {
		expected error
		ctx      context.Context
	}{
		"for a context that is nil": {InvalidArgument, nil}, "for a context that has ended": {context.Canceled, canceled},
		"when the keys are closed": {ErrClosed, context.Background()},
	} {
		keys, err := NewRemoteKeysAt(silent.URL, Fetching{Loopback: true, Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- keys.Wait(row.ctx) }()
		if row.expected == ErrClosed {
			runtime.Gosched()
			keys.Close()
		}
		select {
		case err := <-ended:
			if !errors.Is(err, row.expected) {
				t.Errorf("%s: %v", name, err)
			}
		case <-waiting(t).Done():
			t.Errorf("%s: it does not end", name)
		}
		keys.Close()
	}
}

// A request that waits for keys gets its answer when the gateway is closed, and not at the end of the wait.
func TestAClosedGatewayAnswersThoseWhoWait(t *testing.T) {
	arrived := make(chan struct{}, 16)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	defer silent.Close()
	g, err := NewGateway(settingsText(t, gatewaySettings(silent.URL)), WithFetching(Fetching{Loopback: true, Limit: time.Hour}), WithWait(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/a", nil)
	request.Header.Set("Authorization", "Bearer "+assaytest.NewKey("ES256", "k").Sign(map[string]any{"iss": silent.URL}, nil))
	status := make(chan int)
	go func() {
		recorder := httptest.NewRecorder()
		g.Handler(http.NotFoundHandler()).ServeHTTP(recorder, request)
		status <- recorder.Code
	}()
	<-arrived
	g.Close()
	select {
	case got := <-status:
		if got != 503 {
			t.Error(got)
		}
	case <-waiting(t).Done():
		t.Error("it waits on")
	}
}

// Verifiers, keys and a gateway are used and closed at the same time.
func TestCloseDuringUse(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	key := assaytest.NewKey("ES256", "k")
	token := key.Sign(sampleClaims(), nil)
	for turn := 0; turn < 20; turn++ {
		set, err := NewKeys(assaytest.KeySet(key))
		if err != nil {
			t.Fatal(err)
		}
		v, err := NewVerifier(plain, set)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := NewRemoteKeys(from.URL, Fetching{Loopback: true})
		if err != nil {
			t.Fatal(err)
		}
		g, err := NewGateway(settingsText(t, gatewaySettings(from.URL)), WithFetching(Fetching{Loopback: true}))
		if err != nil {
			t.Fatal(err)
		}
		var done sync.WaitGroup
		for _, call := range []func() error{
			func() error { _, err := v.VerifyBatch([]string{token, "", token}); return err },
			func() error { _, err := v.Verify(token); return err },
			func() error { set.Prepare(); _, err := NewVerifier(plain, set); return err },
			func() error { keys.Refresh(); _, err := keys.State(); return err },
			func() error { _, err := NewVerifier(plain, keys); return err },
			func() error { g.Status(); return g.Replace(settingsText(t, gatewaySettings(from.URL))) },
			func() error {
				recorder := httptest.NewRecorder()
				g.Handler(http.NotFoundHandler()).ServeHTTP(recorder, httptest.NewRequest("GET", "/public", nil))
				if recorder.Code == 503 {
					return ErrClosed
				}
				return nil
			},
		} {
			done.Add(1)
			go func(call func() error) {
				defer done.Done()
				for {
					if err := call(); err != nil {
						if err != ErrClosed {
							t.Error(err)
						}
						return
					}
				}
			}(call)
		}
		for _, object := range []interface{ Close() error }{v, set, keys, g} {
			for again := 0; again < 2; again++ {
				if err := object.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		done.Wait()
	}
}

// copied copies a structure as an assignment does; go vet warns of the assignment.
func copied[T any](original *T) *T {
	made := new(T)
	reflect.ValueOf(made).Elem().Set(reflect.ValueOf(original).Elem())
	return made
}

// The collector takes the originals while their copies are in use.
func TestACopyOutlivesItsOriginal(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	remoteKeys := func() *RemoteKeys {
		keys, err := NewRemoteKeys(from.URL, Fetching{Loopback: true})
		if err != nil {
			t.Fatal(err)
		}
		return copied(keys)
	}()
	gateway := func() *Gateway {
		g, err := NewGateway(settingsText(t, gatewaySettings(from.URL)), WithFetching(Fetching{Loopback: true}), WithWait(20*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		return copied(g)
	}()
	defer gateway.Close()
	defer remoteKeys.Close()
	for turn := 0; turn < 3; turn++ {
		runtime.GC()
	}
	if err := remoteKeys.Wait(waiting(t)); err != nil {
		t.Error(err)
	}
	before := from.Fetches()
	changed := remoteKeys.loop.changed()
	remoteKeys.Refresh()
	select {
	case <-changed:
	case <-waiting(t).Done():
	}
	if from.Fetches() == before {
		t.Error("nobody fetches the keys of a copy")
	}
	request := httptest.NewRequest("GET", "/a", nil)
	request.Header.Set("Authorization", "Bearer "+from.Token("api", nil))
	recorder := httptest.NewRecorder()
	gateway.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(recorder, request)
	if recorder.Code != 200 {
		t.Error(recorder.Code)
	}
}
