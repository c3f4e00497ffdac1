package assay

// #include "bridge.h"
import "C"

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// Handler puts the gateway before a handler: it answers what is refused, and passes on what is admitted, with the fields that the settings
// set and without those that they remove. A handler finds the identity by FromContext.
func (g *Gateway) Handler(next http.Handler) http.Handler { return g.HandlerFor("", next) }

// HandlerFor does the same with the policy of this name, for a server with routes of its own (`policy` or `policies` of the settings).
func (g *Gateway) HandlerFor(policy string, next http.Handler) http.Handler {
	next = present(next)
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		core, err := g.open()
		if err != nil {
			http.Error(writer, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
			return
		}
		if g.servesMetadata(writer, request) {
			return
		}
		verdict := g.await(request, core, policy)
		if verdict.code != ok {
			g.refuse(writer, request, verdict.refusal())
			return
		}
		admitted, err := g.admitted(core, request, verdict)
		if err != nil {
			http.Error(writer, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
			return
		}
		if verdict.proofNonce != "" {
			writer.Header().Set("DPoP-Nonce", verdict.proofNonce)
		}
		next.ServeHTTP(writer, admitted)
	})
}

// present returns a handler that answers 500 for one that is nil.
func present(next http.Handler) http.Handler {
	if function, isFunction := next.(http.HandlerFunc); next == nil || isFunction && function == nil {
		return http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
			http.Error(writer, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		})
	}
	return next
}

// await decides, and decides again when keys have come that a fetch under way may bring.
func (g *Gateway) await(request *http.Request, core *core, policy string) *verdict {
	var deadline <-chan time.Time
	for {
		changed := g.loop.changed()
		verdict := g.decide(core, request, policy, true)
		if verdict.code != awaitingKeys {
			return verdict
		}
		g.loop.wake.up()
		if deadline == nil {
			timer := time.NewTimer(g.wait)
			defer timer.Stop()
			deadline = timer.C
		}
		select {
		case <-changed:
		case <-deadline:
			return g.decide(core, request, policy, false)
		case <-g.loop.ended:
			return g.decide(core, request, policy, false)
		case <-request.Context().Done():
			return g.decide(core, request, policy, false)
		}
	}
}

// admitted returns the request that the next handler gets. A change that cannot be made refuses the request.
func (g *Gateway) admitted(core *core, request *http.Request, v *verdict) (*http.Request, error) {
	changed := request.WithContext(context.WithValue(request.Context(), contextKey{}, v.identity))
	if changed.Header = request.Header.Clone(); changed.Header == nil {
		changed.Header = http.Header{}
	}
	for _, operation := range v.operations {
		if err := operation.apply(changed); err != nil {
			return nil, err
		}
	}
	if request.Trailer != nil || request.Body != nil {
		g.guardTrailers(core, request, changed)
	}
	return changed, nil
}

func (o operation) apply(request *http.Request) error {
	switch o.kind {
	case C.ASSAY_SET_FIELD:
		remove(request.Header, o.name)
		request.Header[http.CanonicalHeaderKey(o.name)] = []string{o.value}
	case C.ASSAY_REMOVE_FIELD:
		remove(request.Header, o.name)
	case C.ASSAY_SET_TARGET:
		return setTarget(request, o.value)
	default:
		return InvalidArgument
	}
	return nil
}

// setTarget leaves a path that a handler before the gateway has changed, such as that of http.StripPrefix, where the query alone is another.
func setTarget(request *http.Request, text string) error {
	place, err := url.ParseRequestURI(text)
	if err != nil {
		return err
	}
	before, _, _ := strings.Cut(target(request), "?")
	path, query, _ := strings.Cut(text, "?")
	if path == before {
		*place = *request.URL
		place.RawQuery = query
	}
	place.Scheme, place.Host = request.URL.Scheme, request.URL.Host
	request.URL, request.RequestURI = place, text
	return nil
}

// remove removes a field whatever its spelling: a map of net/http may hold one that is not canonical.
func remove(header http.Header, name string) {
	for spelling := range header {
		if strings.EqualFold(spelling, name) {
			delete(header, spelling)
		}
	}
}

// guardTrailers keeps trailers from the next handler that could bring an identity: net/http adds them to the first request when the body has
// been read.
func (g *Gateway) guardTrailers(core *core, first, changed *http.Request) {
	changed.Trailer = g.harmless(core, first.Trailer)
	if first.Body != nil && first.Body != http.NoBody {
		changed.Body = &guardedBody{ReadCloser: first.Body, ended: func() { merge(&changed.Trailer, g.harmless(core, first.Trailer)) }}
	}
}

// merge fills the map that is there, as net/http does: copies of the request have it too.
func merge(into *http.Header, trailer http.Header) {
	if *into == nil {
		*into = trailer
		return
	}
	for name, values := range trailer {
		(*into)[name] = values
	}
}

func (g *Gateway) harmless(core *core, trailer http.Header) http.Header {
	defer runtime.KeepAlive(core)
	var kept http.Header
	for name, values := range trailer {
		if C.assay_gateway_protects(core.c, pointer(name), C.size_t(len(name))) == 0 {
			if kept == nil {
				kept = http.Header{}
			}
			kept[name] = values
		}
	}
	return kept
}

type guardedBody struct {
	io.ReadCloser
	ended func()
}

func (b *guardedBody) Read(into []byte) (int, error) {
	count, err := b.ReadCloser.Read(into)
	if err == io.EOF {
		b.ended()
	}
	return count, err
}
