package assay

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"context"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"
)

// RemoteKeys are the keys of an issuer, fetched by net/http and kept fresh by a goroutine until Close. While their source fails, they stay in
// use for a bounded time. A token with an unknown key id makes a fetch due at once, at most two in ten seconds.
type RemoteKeys struct {
	set  atomic.Pointer[keySet]
	loop *fetching
}

// A Fetching says how keys are fetched. Its zero value suits the public internet.
type Fetching struct {
	// Client makes the requests; nil: one that verifies certificates, uses no proxy and asks public addresses alone. With a client of your own,
	// its addresses, TLS and proxy are your matter. Redirects to another origin are refused in any case.
	Client *http.Client
	// Loopback allows addresses of this machine, and http to them; Private those of private networks. For a client that is nil.
	Loopback, Private bool
	// RevocationFirst drops a removed key within five minutes, with or without an outage.
	RevocationFirst bool
	// Limit is the longest time of one request; 0: three seconds.
	Limit time.Duration
}

// NewRemoteKeys begins to fetch the keys of an issuer: first its metadata (OpenID Connect Discovery, then RFC 8414), then the keys at the
// `jwks_uri` that it names. It returns at once.
func NewRemoteKeys(issuer string, how Fetching) (*RemoteKeys, error) {
	return newRemoteKeys(how, func(out **C.assay_keys, options *C.assay_refresh_options) C.assay_code {
		return C.assay_keys_new_issuer(out, pointer(issuer), C.size_t(len(issuer)), options)
	})
}

// NewRemoteKeysAt begins to fetch the JWK Set at a URL. It returns at once.
func NewRemoteKeysAt(url string, how Fetching) (*RemoteKeys, error) {
	return newRemoteKeys(how, func(out **C.assay_keys, options *C.assay_refresh_options) C.assay_code {
		return C.assay_keys_new_url(out, pointer(url), C.size_t(len(url)), options)
	})
}

func newRemoteKeys(how Fetching, make func(**C.assay_keys, *C.assay_refresh_options) C.assay_code) (*RemoteKeys, error) {
	preset := C.uint32_t(C.ASSAY_AVAILABILITY_FIRST)
	if how.RevocationFirst {
		preset = C.ASSAY_REVOCATION_FIRST
	}
	var options C.assay_refresh_options
	C.assay_refresh_options_init(&options, C.sizeof_assay_refresh_options, preset)
	wake := newWaking()
	options.wake, options.release, options.context = wake.functions()
	var c *C.assay_keys
	if code := Code(make(&c, &options)); code != ok {
		wake.forget()
		return nil, refused(code, "the source of the keys is refused")
	}
	set := newKeySet(c)
	r := &RemoteKeys{loop: startFetching(&keysSource{set}, wake, how)}
	r.set.Store(set)
	return r, nil
}

// Wait waits until there are keys. Its error is that of the context, or ErrClosed when another goroutine closes the keys.
func (r *RemoteKeys) Wait(ctx context.Context) error {
	if ctx == nil {
		return refused(InvalidArgument, "there is no context")
	}
	for {
		set, err := r.open()
		if err != nil {
			return err
		}
		changed := r.loop.changed()
		if health := set.state().Health; health == "fresh" || health == "stale" {
			return nil
		}
		select {
		case <-changed:
		case <-r.loop.ended:
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Refresh orders a fetch that bypasses caches, unless one is under way.
func (r *RemoteKeys) Refresh() {
	if set, err := r.open(); err == nil {
		C.assay_keys_refresh(set.c)
		runtime.KeepAlive(set)
		r.loop.wake.up()
	}
}

// State tells how the keys are.
func (r *RemoteKeys) State() (KeysState, error) {
	set, err := r.open()
	if err != nil {
		return KeysState{}, err
	}
	return set.state(), nil
}

// Close ends the fetches. Verifiers keep the keys until these are too old.
func (r *RemoteKeys) Close() error {
	if r != nil {
		r.set.Store(nil)
		r.loop.stop()
	}
	return nil
}

func (r *RemoteKeys) open() (*keySet, error) {
	if r == nil {
		return nil, ErrClosed
	}
	return opened(&r.set)
}

func (r *RemoteKeys) keys() (*keySet, error) {
	if r == nil {
		return nil, withoutKeys()
	}
	return opened(&r.set)
}

// A keysSource is what a loop drives for a set of keys.
type keysSource struct{ set *keySet }

func (s *keysSource) nextDue() int64 {
	defer runtime.KeepAlive(s.set)
	return int64(C.assay_keys_next_due(s.set.c))
}

func (s *keysSource) request(out **C.assay_fetch) Code {
	defer runtime.KeepAlive(s.set)
	return Code(C.assay_keys_request(out, s.set.c))
}

func (s *keysSource) install(fetch *C.assay_fetch, answer *answer) Code {
	defer runtime.KeepAlive(s.set)
	first, free := fields(answer.fields)
	defer free()
	return Code(C.assay_keys_install(s.set.c, fetch, C.uint32_t(answer.status), first, C.size_t(len(answer.fields)),
		pointer(answer.body), C.size_t(len(answer.body))))
}

func (s *keysSource) fail(fetch *C.assay_fetch, failure C.uint32_t) Code {
	defer runtime.KeepAlive(s.set)
	return Code(C.assay_keys_fail(s.set.c, fetch, failure))
}
