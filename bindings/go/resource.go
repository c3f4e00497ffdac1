package assay

// #include "bridge.h"
import "C"

import (
	"io"
	"net/http"
	"runtime"
	"strings"
)

// ResourceMetadata returns the metadata (RFC 9728) of the protected resource in `resources` of the settings that has it at this host, with
// its port if the client named one, and at this target, as the client sent it: a JSON object. It is "" where no resource has its metadata
// there. A handler of Handler and HandlerFor serves it already.
func (g *Gateway) ResourceMetadata(host, target string) string {
	return g.report(func(out *C.char, size C.size_t, c *C.assay_gateway) C.size_t {
		return resourceMetadata(out, size, c, host, target)
	})
}

func resourceMetadata(out *C.char, size C.size_t, c *C.assay_gateway, host, target string) C.size_t {
	defer runtime.KeepAlive(host)
	defer runtime.KeepAlive(target)
	return C.assay_gateway_resource_metadata(
		out, size, c, pointer(host), C.size_t(len(host)), pointer(target), C.size_t(len(target)))
}

// servesMetadata answers a request for the metadata of a protected resource, which needs no token. False: it is another request.
func (g *Gateway) servesMetadata(writer http.ResponseWriter, request *http.Request) bool {
	asked := target(request)
	if !strings.HasPrefix(asked, "/.well-known/oauth-protected-resource") {
		return false
	}
	document := g.ResourceMetadata(request.Host, asked)
	if document == "" {
		return false
	}
	header := writer.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Cache-Control", "max-age=300")
	switch request.Method {
	case http.MethodGet, http.MethodHead:
		header.Set("Content-Type", "application/json")
		_, _ = io.WriteString(writer, document)
	// A page asks first, if it sends a field of its own.
	case http.MethodOptions:
		header.Set("Access-Control-Allow-Methods", "GET, HEAD")
		header.Set("Access-Control-Allow-Headers", "*")
		writer.WriteHeader(http.StatusNoContent)
	default:
		header.Set("Allow", "GET, HEAD, OPTIONS")
		writer.WriteHeader(http.StatusMethodNotAllowed)
	}
	return true
}
