package assay

// #include "bridge.h"
import "C"

import (
	"net/http"
	"runtime"
	"strings"
	"sync"
)

// An operation changes an admitted request.
type operation struct {
	kind        C.uint32_t
	name, value string
}

// A verdict is what became of a request.
type verdict struct {
	code       Code
	status     int
	retryAfter int
	challenge  string
	proofNonce string
	location   string
	reason     string
	operations []operation
	identity   *Identity
}

// mostFields is what a request may have.
const mostFields = 1_024

// A decision is the memory of one decision at a time.
type decision struct{ c *C.assay_decision }

var decisions = sync.Pool{New: func() any {
	d := &decision{}
	if code := Code(C.assay_decision_new(&d.c)); code != ok {
		panic(code)
	}
	runtime.SetFinalizer(d, func(d *decision) { C.assay_decision_free(d.c) })
	return d
}}

// decide decides about a request. If it may wait, the code can be awaitingKeys.
func (g *Gateway) decide(core *core, request *http.Request, policy string, mayWait bool) *verdict {
	texts := requestTexts(request)
	if len(texts.fields) > mostFields {
		return &verdict{code: malformedRequest, status: http.StatusBadRequest, retryAfter: -1, reason: "malformed_request: more than 1,024 fields"}
	}
	asked, free := texts.copied(policy)
	defer free()
	if mayWait {
		asked.may_wait = 1
	}
	d := decisions.Get().(*decision)
	defer decisions.Put(d)
	code := Code(C.assay_gateway_decide(d.c, core.c, asked, now(g.clock)))
	defer runtime.KeepAlive(core)
	return d.verdict(code)
}

func (d *decision) verdict(code Code) *verdict {
	v := &verdict{code: code, status: int(C.assay_decision_status(d.c)), retryAfter: int(C.assay_decision_retry_after(d.c))}
	v.proofNonce = d.text(func(out **C.char, size *C.size_t) C.assay_code { return C.assay_decision_proof_nonce(out, size, d.c) })
	switch code {
	case awaitingKeys:
	case ok:
		v.operations = d.operations()
		v.identity = d.identity()
	default:
		v.challenge = d.text(func(out **C.char, size *C.size_t) C.assay_code { return C.assay_decision_challenge(out, size, d.c) })
		v.location = d.text(func(out **C.char, size *C.size_t) C.assay_code { return C.assay_decision_location(out, size, d.c) })
		v.reason = written(func(out *C.char, size C.size_t) C.size_t { return C.assay_decision_reason(out, size, d.c) })
	}
	return v
}

// text returns "" where there is none.
func (d *decision) text(read func(**C.char, *C.size_t) C.assay_code) string {
	var text C.assay_text
	if Code(read(&text.bytes, &text.len)) != ok {
		return ""
	}
	return goString(text)
}

func (d *decision) operations() []operation {
	var all []operation
	for index := C.size_t(0); ; index++ {
		var c C.assay_operation
		if Code(C.assay_decision_operation(&c, d.c, index)) != ok {
			return all
		}
		all = append(all, operation{kind: c.kind, name: goString(c.name), value: goString(c.value)})
	}
}

func (d *decision) identity() *Identity {
	i := &Identity{}
	for index := C.size_t(0); ; index++ {
		provider := d.text(func(out **C.char, size *C.size_t) C.assay_code {
			return C.assay_decision_provider(out, size, d.c, index)
		})
		if provider == "" {
			break
		}
		i.Providers = append(i.Providers, provider)
	}
	for index := C.size_t(0); ; index++ {
		var c C.assay_metadata
		if Code(C.assay_decision_metadata(&c, d.c, index)) != ok {
			return i
		}
		i.metadata = append(i.metadata, metadata{goString(c.provider), goString(c.key), goString(c.json)})
	}
}

// texts are what the core reads of a request.
type texts struct {
	method, authority, target, scheme string
	// certificate of the client, in DER, as the handshake has shown it.
	certificate string
	fields      []pair
}

func requestTexts(request *http.Request) *texts {
	t := &texts{method: request.Method, authority: request.Host, target: target(request), scheme: "http"}
	if request.TLS != nil {
		t.scheme = "https"
		if len(request.TLS.PeerCertificates) > 0 {
			t.certificate = string(request.TLS.PeerCertificates[0].Raw)
		}
	}
	for name, values := range request.Header {
		for _, value := range values {
			t.fields = append(t.fields, pair{name, value})
		}
	}
	return t
}

// target is the path and the query as the client sent them. A client may send the whole URL (RFC 9112 section 3.2.2); net/http takes its
// authority as the request's.
func target(request *http.Request) string {
	text := request.RequestURI
	if text == "" {
		// A request that no client sent, such as that of a test.
		if request.URL == nil {
			return ""
		}
		return request.URL.RequestURI()
	}
	if strings.HasPrefix(text, "/") {
		return text
	}
	if _, rest, isWhole := strings.Cut(text, "://"); isWhole {
		if slash := strings.IndexAny(rest, "/?"); slash >= 0 && rest[slash] == '/' {
			return rest[slash:]
		}
	}
	return text
}

// copied makes the structure of C, in memory of C. The caller frees it.
func (t *texts) copied(policy string) (*C.assay_request, func()) {
	memory := newArena(len(t.method) + len(t.authority) + len(t.target) + len(t.scheme) + len(policy) + len(t.certificate))
	first, freeFields := fields(t.fields)
	asked := &C.assay_request{
		size: C.sizeof_assay_request, method: memory.text(t.method), authority: memory.text(t.authority), target: memory.text(t.target),
		fields: first, field_count: C.size_t(len(t.fields)), policy: memory.text(policy), scheme: memory.text(t.scheme),
		certificate: memory.text(t.certificate),
	}
	return asked, func() {
		freeFields()
		memory.free()
	}
}
