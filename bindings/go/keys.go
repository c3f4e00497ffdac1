package assay

// #include "bridge.h"
import "C"

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A KeySource is *Keys or *RemoteKeys.
type KeySource interface {
	keys() (*keySet, error)
}

// A keySet is a set of keys in C, until nobody uses it.
type keySet struct{ c *C.assay_keys }

func newKeySet(c *C.assay_keys) *keySet {
	set := &keySet{c}
	runtime.SetFinalizer(set, func(set *keySet) { C.assay_keys_free(set.c) })
	return set
}

// Keys are fixed keys.
type Keys struct{ set atomic.Pointer[keySet] }

// NewKeys makes keys from a JWK Set, a JWK, PEM or DER of at most 262,144 bytes. PEM has one key, or one certificate with its issuers
// behind it. A key that is not usable stays in the set; a token that names it gets the reason.
func NewKeys(document []byte) (*Keys, error) {
	var c *C.assay_keys
	text := string(document)
	if code := Code(C.assay_keys_new(&c, pointer(text), C.size_t(len(text)))); code != ok {
		return nil, refused(code, "the document has no keys that can be read")
	}
	runtime.KeepAlive(text)
	k := &Keys{}
	k.set.Store(newKeySet(c))
	return k, nil
}

// Prepare builds the tables of all keys now: milliseconds for each key, which are otherwise spent in the background.
func (k *Keys) Prepare() {
	if set, err := k.keys(); err == nil {
		C.assay_keys_prepare(set.c)
		runtime.KeepAlive(set)
	}
}

// Close gives up the keys. Verifiers keep them.
func (k *Keys) Close() error {
	if k != nil {
		k.set.Store(nil)
	}
	return nil
}

func (k *Keys) keys() (*keySet, error) {
	if k == nil {
		return nil, withoutKeys()
	}
	return opened(&k.set)
}

func withoutKeys() error { return refused(InvalidArgument, "an issuer has no keys") }

// A KeysState is the state of keys at one moment.
type KeysState struct {
	// Health is "unavailable", "fixed", "fresh", or "stale" while their source fails.
	Health string
	// Count is the number of usable keys.
	Count int
	// Generation grows whenever other keys are installed, or keys become too old.
	Generation uint64
	// Failures is the number of failed fetches since the last success, and LastFailure the name of the last one.
	Failures    uint64
	LastFailure string
	// UsedFor is the time until the keys are dropped.
	UsedFor time.Duration
}

var healths = map[C.uint32_t]string{
	C.ASSAY_HEALTH_UNAVAILABLE: "unavailable", C.ASSAY_HEALTH_FIXED: "fixed", C.ASSAY_HEALTH_FRESH: "fresh",
	C.ASSAY_HEALTH_STALE: "stale",
}

func (set *keySet) state() KeysState {
	var state C.assay_keys_state
	state.size = C.sizeof_assay_keys_state
	C.assay_keys_status(&state, set.c)
	runtime.KeepAlive(set)
	return newKeysState(&state)
}

func newKeysState(state *C.assay_keys_state) KeysState {
	made := KeysState{
		Health: healths[state.health], Count: int(state.key_count), Generation: uint64(state.generation), Failures: uint64(state.failures),
		UsedFor: time.Duration(state.used_for) * time.Millisecond,
	}
	if state.last_failure != nil {
		made.LastFailure = C.GoString(state.last_failure)
	}
	return made
}
