package assay

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// A Gateway decides about requests by the settings of `assay serve`: providers, policies, routes. It fetches keys and status lists by net/http
// until Close. Any number of goroutines may use it at once.
type Gateway struct {
	core  atomic.Pointer[core]
	loop  *fetching
	wait  time.Duration
	clock func() time.Time

	refuse func(http.ResponseWriter, *http.Request, Refusal)
}

// A core is a gateway in C, until nobody uses it.
type core struct{ c *C.assay_gateway }

// A GatewayOption changes what a Gateway does.
type GatewayOption func(*gatewayOptions)

type gatewayOptions struct {
	folder   string
	cache    C.uint64_t
	lifetime C.uint64_t
	fetching Fetching
	wait     time.Duration
	clock    func() time.Time
	refuse   func(http.ResponseWriter, *http.Request, Refusal)
}

// InFolder says from which folder paths in the settings count; the working directory by default.
func InFolder(folder string) GatewayOption { return func(o *gatewayOptions) { o.folder = folder } }

// WithTokenCache keeps verified tokens in so much memory, for at most so many whole seconds, 0 for five minutes.
func WithTokenCache(bytes int, lifetime time.Duration) GatewayOption {
	return func(o *gatewayOptions) { o.cache, o.lifetime = C.uint64_t(bytes), wholeSeconds(lifetime) }
}

// WithFetching says how keys and status lists are fetched.
func WithFetching(how Fetching) GatewayOption { return func(o *gatewayOptions) { o.fetching = how } }

// WithWait sets how long a request waits for keys that a fetch under way may bring; a second by default.
func WithWait(wait time.Duration) GatewayOption { return func(o *gatewayOptions) { o.wait = wait } }

// WithGatewayClock decides for the time that a function gives, for tests.
func WithGatewayClock(clock func() time.Time) GatewayOption {
	return func(o *gatewayOptions) { o.clock = clock }
}

// CheckSettings returns what is wrong with settings and what may do something else than it seems to, a line each: "error: …" or "warning: …".
func CheckSettings(settings []byte) string {
	text := string(settings)
	defer runtime.KeepAlive(text)
	return written(func(out *C.char, size C.size_t) C.size_t {
		return C.assay_gateway_check(out, size, pointer(text), C.size_t(len(text)))
	})
}

// NewGateway makes a gateway of settings in JSON, and begins to fetch. Wrong settings are an *Error with InvalidSettings, whose text says why.
func NewGateway(settings []byte, with ...GatewayOption) (*Gateway, error) {
	o := gatewayOptions{wait: time.Second}
	for _, option := range with {
		if option != nil {
			option(&o)
		}
	}
	wake := newWaking()
	c, code := newCore(string(settings), &o, wake)
	if code != ok {
		wake.forget()
		return nil, refusedSettings(code, settings)
	}
	made := &core{c}
	runtime.SetFinalizer(made, func(made *core) { C.assay_gateway_free(made.c) })
	g := &Gateway{loop: startFetching(&gatewaySource{made}, wake, o.fetching), wait: o.wait, clock: o.clock, refuse: o.refuse}
	g.core.Store(made)
	if g.refuse == nil {
		g.refuse = func(w http.ResponseWriter, _ *http.Request, r Refusal) { r.Write(w) }
	}
	return g, nil
}

func newCore(settings string, o *gatewayOptions, wake *waking) (*C.assay_gateway, Code) {
	folder := newArena(len(o.folder))
	defer folder.free()
	options := C.assay_gateway_options{
		size: C.sizeof_assay_gateway_options, folder: folder.text(o.folder), cache_bytes: o.cache, cache_seconds: o.lifetime,
	}
	options.wake, options.release, options.context = wake.functions()
	var c *C.assay_gateway
	code := Code(C.assay_gateway_new(&c, pointer(settings), C.size_t(len(settings)), &options))
	return c, code
}

func refusedSettings(code Code, settings []byte) error {
	return refused(code, strings.TrimSpace(CheckSettings(settings)))
}

// Replace gives the gateway other settings. Issuers with the same sources keep their keys. Wrong settings change nothing.
func (g *Gateway) Replace(settings []byte) error {
	core, err := g.open()
	if err != nil {
		return err
	}
	text := string(settings)
	code := Code(C.assay_gateway_replace(core.c, pointer(text), C.size_t(len(text))))
	runtime.KeepAlive(core)
	g.loop.wake.up()
	if code != ok {
		return refusedSettings(code, settings)
	}
	return nil
}

// IsReady tells whether every required issuer has keys.
func (g *Gateway) IsReady() bool {
	core, err := g.open()
	if err != nil {
		return false
	}
	defer runtime.KeepAlive(core)
	return C.assay_gateway_is_ready(core.c) == 1
}

// Status returns a JSON document about keys, decisions and kernels; Metrics the same as samples for Prometheus (text format 0.0.4).
func (g *Gateway) Status() string {
	return g.report(func(out *C.char, size C.size_t, c *C.assay_gateway) C.size_t {
		return C.assay_gateway_status(out, size, c)
	})
}

// Metrics returns samples for Prometheus.
func (g *Gateway) Metrics() string {
	return g.report(func(out *C.char, size C.size_t, c *C.assay_gateway) C.size_t {
		return C.assay_gateway_metrics(out, size, c)
	})
}

func (g *Gateway) report(write func(*C.char, C.size_t, *C.assay_gateway) C.size_t) string {
	core, err := g.open()
	if err != nil {
		return ""
	}
	defer runtime.KeepAlive(core)
	return written(func(out *C.char, size C.size_t) C.size_t { return write(out, size, core.c) })
}

// Close ends the fetches. Every later decision is a refusal.
func (g *Gateway) Close() error {
	if g != nil {
		g.core.Store(nil)
		g.loop.stop()
	}
	return nil
}

func (g *Gateway) open() (*core, error) {
	if g == nil {
		return nil, ErrClosed
	}
	return opened(&g.core)
}

// A gatewaySource is what a loop drives for a gateway.
type gatewaySource struct{ core *core }

func (s *gatewaySource) nextDue() int64 {
	defer runtime.KeepAlive(s.core)
	return int64(C.assay_gateway_next_due(s.core.c))
}

func (s *gatewaySource) request(out **C.assay_fetch) Code {
	defer runtime.KeepAlive(s.core)
	return Code(C.assay_gateway_request(out, s.core.c))
}

func (s *gatewaySource) install(fetch *C.assay_fetch, answer *answer) Code {
	defer runtime.KeepAlive(s.core)
	first, free := fields(answer.fields)
	defer free()
	return Code(C.assay_gateway_install(s.core.c, fetch, C.uint32_t(answer.status), first, C.size_t(len(answer.fields)),
		pointer(answer.body), C.size_t(len(answer.body))))
}

func (s *gatewaySource) fail(fetch *C.assay_fetch, failure C.uint32_t) Code {
	defer runtime.KeepAlive(s.core)
	return Code(C.assay_gateway_fail(s.core.c, fetch, failure))
}
