package assay

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Verifier judges tokens. Any number of goroutines may use it at once.
type Verifier struct {
	judge atomic.Pointer[judge]
	realm string
	scope string
	clock func() time.Time
	// sources are kept, because the garbage collector ends the fetches of keys that nobody holds.
	sources []KeySource
}

// A judge is a verifier in C, until nobody uses it.
type judge struct{ c *C.assay_verifier }

// An Issuer is a policy with the keys of those whom it names.
type Issuer struct {
	Policy Policy
	Keys   KeySource
}

// An Option changes what a Verifier does.
type Option func(*options)

type options struct {
	c     C.assay_verifier_options
	realm string
	clock func() time.Time
}

// WithTokenBytes sets the length of the longest token; 16,384 by default.
func WithTokenBytes(bytes int) Option {
	return func(o *options) { o.c.token_bytes = C.uint64_t(bytes) }
}

// WithCache keeps verified tokens in so much memory, for at most so many whole seconds, 0 for five minutes: a token of 1 KB takes about 2.5 KB.
func WithCache(bytes int, lifetime time.Duration) Option {
	return func(o *options) {
		o.c.cache_bytes, o.c.cache_seconds = C.uint64_t(bytes), wholeSeconds(lifetime)
	}
}

// WithRealm sets the realm of challenges.
func WithRealm(realm string) Option { return func(o *options) { o.realm = realm } }

// WithClock judges for the time that a function gives, for tests.
func WithClock(clock func() time.Time) Option { return func(o *options) { o.clock = clock } }

// NewVerifier makes a verifier of one issuer's tokens.
func NewVerifier(policy Policy, keys KeySource, with ...Option) (*Verifier, error) {
	return NewIssuersVerifier([]Issuer{{policy, keys}}, with...)
}

// NewIssuersVerifier makes a verifier for at most 1,024 issuers: a token's own `iss` chooses. Each policy names its issuers, no name twice.
func NewIssuersVerifier(issuers []Issuer, with ...Option) (*Verifier, error) {
	o := options{c: C.assay_verifier_options{size: C.sizeof_assay_verifier_options}}
	for _, option := range with {
		if option != nil {
			option(&o)
		}
	}
	memory := C.calloc(C.size_t(len(issuers)+1), C.sizeof_assay_issuer)
	defer C.free(memory)
	all := unsafe.Slice((*C.assay_issuer)(memory), len(issuers))
	var sets []*keySet
	for index := range issuers {
		made, err := issuers[index].Policy.rules()
		if err != nil {
			return nil, err
		}
		defer made.free()
		if issuers[index].Keys == nil {
			return nil, withoutKeys()
		}
		set, err := issuers[index].Keys.keys()
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
		all[index] = C.assay_issuer{policy: made.c, keys: set.c}
	}
	var c *C.assay_verifier
	code := Code(C.assay_verifier_new(&c, (*C.assay_issuer)(memory), C.size_t(len(issuers)), &o.c))
	runtime.KeepAlive(sets)
	if code != ok {
		return nil, refused(code, "the verifier is refused")
	}
	return newVerifier(c, issuers, &o), nil
}

func newVerifier(c *C.assay_verifier, issuers []Issuer, o *options) *Verifier {
	v := &Verifier{realm: o.realm, clock: o.clock}
	for _, issuer := range issuers {
		v.sources = append(v.sources, issuer.Keys)
	}
	if len(issuers) == 1 {
		v.scope = issuers[0].Policy.scope()
	}
	made := &judge{c}
	runtime.SetFinalizer(made, func(j *judge) { C.assay_verifier_free(j.c) })
	v.judge.Store(made)
	return v
}

// Close gives up the verifier, and not its keys.
func (v *Verifier) Close() error {
	if v != nil {
		v.judge.Store(nil)
	}
	return nil
}

// Verify verifies a compact JWT. A refusal is an *Error.
func (v *Verifier) Verify(token string) (*Claims, error) {
	j, s, err := v.begin()
	if err != nil {
		return nil, err
	}
	defer slots.Put(s)
	C.assay_go_verify(s.c, j.c, pointer(token), C.size_t(len(token)), v.now())
	runtime.KeepAlive(j)
	return v.verdict(s.c)
}

// A Login is what one login sent or received beside its id_token.
type Login struct {
	// Nonce of the authentication request. It must not be empty, so that a lost session cannot skip the check.
	Nonce string
	// AccessToken and Code were received with the id_token: `at_hash` and `c_hash` must be theirs. Empty: not checked.
	AccessToken, Code string
}

// VerifyLogin verifies the id_token of one login. It uses no cache.
func (v *Verifier) VerifyLogin(token string, login Login) (*Claims, error) {
	j, s, err := v.begin()
	if err != nil {
		return nil, err
	}
	defer slots.Put(s)
	C.assay_go_verify_login(s.c, j.c, pointer(token), C.size_t(len(token)), v.now(), pointer(login.Nonce), C.size_t(len(login.Nonce)),
		pointer(login.AccessToken), C.size_t(len(login.AccessToken)), pointer(login.Code), C.size_t(len(login.Code)))
	runtime.KeepAlive(j)
	return v.verdict(s.c)
}

// VerifyPayload verifies a JWS with any payload, and returns it. Of the policy only algorithms and types apply. For a verifier of one issuer.
func (v *Verifier) VerifyPayload(token string) ([]byte, error) {
	j, s, err := v.begin()
	if err != nil {
		return nil, err
	}
	defer slots.Put(s)
	C.assay_go_verify_payload(s.c, j.c, pointer(token), C.size_t(len(token)))
	runtime.KeepAlive(j)
	claims, err := v.verdict(s.c)
	if err != nil {
		return nil, err
	}
	return []byte(claims.payload), nil
}

func (v *Verifier) begin() (*judge, *slot, error) {
	j, err := v.open()
	if err != nil {
		return nil, nil, err
	}
	return j, slots.Get().(*slot), nil
}

func (v *Verifier) open() (*judge, error) {
	if v == nil {
		return nil, ErrClosed
	}
	return opened(&v.judge)
}

func (v *Verifier) verdict(s *C.assay_go_slot) (*Claims, error) {
	if Code(s.code) == ok {
		return newClaims(s), nil
	}
	refusal := &Error{Code: Code(s.code), Offset: int(s.offset)}
	if s.claim != nil {
		refusal.Claim = C.GoString(s.claim)
	}
	refusal.description = written(func(out *C.char, size C.size_t) C.size_t {
		return C.assay_result_description(out, size, s.result)
	})
	refusal.Challenge = written(func(out *C.char, size C.size_t) C.size_t {
		return C.assay_result_challenge(out, size, s.result, pointer(v.realm), C.size_t(len(v.realm)), pointer(v.scope), C.size_t(len(v.scope)))
	})
	return nil, refusal
}

func (v *Verifier) now() C.double { return now(v.clock) }

// now returns what C takes for the system's clock, unless a test has its own. A time before 1970 is 1970, and not the system's.
func now(clock func() time.Time) C.double {
	if clock == nil {
		return C.ASSAY_NOW
	}
	now := clock()
	return C.double(math.Max(0, float64(now.Unix())+float64(now.Nanosecond())/1e9))
}

// wholeSeconds returns a number that C refuses for a duration that is no whole number of seconds, or negative: 0 stands for the default.
func wholeSeconds(duration time.Duration) C.uint64_t {
	if duration < 0 || duration%time.Second != 0 {
		return math.MaxUint64
	}
	return C.uint64_t(duration / time.Second)
}
