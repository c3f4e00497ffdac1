// A reverse proxy with a Gateway before it, which the attacks on gateways in Tests/Gateways are sent through: host SETTINGS PORT UPSTREAM_PORT
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"

	"assay.local/assay"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("host SETTINGS PORT UPSTREAM_PORT")
	}
	settings, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	gateway, err := assay.NewGateway(settings, assay.WithFetching(assay.Fetching{Loopback: true}), assay.WithWait(5*time.Second),
		assay.WithRefusals(func(writer http.ResponseWriter, _ *http.Request, refusal assay.Refusal) {
			writer.Header().Set("X-Assay-Code", refusal.Code.String())
			refusal.Write(writer)
		}))
	if err != nil {
		log.Fatal(err)
	}
	for !gateway.IsReady() {
		time.Sleep(time.Millisecond)
	}
	upstream := &url.URL{Scheme: "http", Host: "127.0.0.1:" + os.Args[3]}
	proxy := httputil.NewSingleHostReverseProxy(upstream)
	proxy.Director = func(request *http.Request) {
		// The target goes on as the gateway has judged it, and not as net/url would write it.
		request.URL.Scheme, request.URL.Host = upstream.Scheme, upstream.Host
		request.URL.Opaque = request.RequestURI
		request.URL.RawQuery, request.URL.ForceQuery = "", false
	}
	log.Fatal((&http.Server{Addr: "127.0.0.1:" + os.Args[2], Handler: gateway.Handler(proxy)}).ListenAndServe())
}
