package assay

// #include "bridge.h"
import "C"

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// requests makes the requests of sources.
type requests struct {
	client *http.Client
	// close ends idle connections, except those of a client that somebody else made.
	close func()
	limit time.Duration
	// plain tells whether a URL without TLS may be asked.
	plain func(*url.URL) bool
}

var (
	errForbidden = errors.New("assay: the rules forbid the address")
	errRedirect  = errors.New("assay: a redirect leaves the origin")
)

func newRequests(how Fetching) *requests {
	r := &requests{limit: how.Limit, plain: func(u *url.URL) bool { return how.Loopback && isLoopback(u.Hostname()) }}
	if r.limit <= 0 {
		r.limit = 3 * time.Second
	}
	transport := newTransport(how)
	client := http.Client{Transport: transport}
	r.close = transport.CloseIdleConnections
	if how.Client != nil {
		client = *how.Client
		r.plain, r.close = func(*url.URL) bool { return true }, func() {}
	}
	client.CheckRedirect = sameOrigin
	r.client = &client
	return r
}

func newTransport(how Fetching) *http.Transport {
	dialer := net.Dialer{Timeout: time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		place, err := netip.ParseAddrPort(address)
		if err != nil || !permits(place.Addr(), how) {
			return errForbidden
		}
		return nil
	}}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: 2 * time.Second,
		MaxResponseHeaderBytes: 65_536, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute,
	}
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.Unmap().IsLoopback()
}

func sameOrigin(request *http.Request, via []*http.Request) error {
	first := via[0].URL
	if len(via) > 5 || request.URL.Scheme != first.Scheme || request.URL.Host != first.Host {
		return errRedirect
	}
	// The validators are about the copy from the first URL.
	request.Header.Del("If-None-Match")
	request.Header.Del("If-Modified-Since")
	return nil
}

// response returns nil and a failure if there is none.
func (r *requests) response(ctx context.Context, text string, header http.Header) (*answer, C.uint32_t) {
	place, err := url.Parse(text)
	if err != nil || place.Scheme != "https" && !(place.Scheme == "http" && r.plain(place)) {
		return nil, C.ASSAY_FAILURE_FORBIDDEN
	}
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, text, nil)
	if err != nil {
		return nil, C.ASSAY_FAILURE_URL
	}
	request.Header = header
	response, err := r.client.Do(request)
	if err != nil {
		return nil, failure(err)
	}
	defer response.Body.Close()
	return received(response, header)
}

func received(response *http.Response, asked http.Header) (*answer, C.uint32_t) {
	most := int64(mostBytes)
	if asked.Get("Accept") == listType {
		most = mostListBytes
	}
	body, err := read(response.Body, most)
	if err != nil {
		return nil, failure(err)
	}
	if int64(len(body)) > most {
		return nil, C.ASSAY_FAILURE_TOO_LARGE
	}
	got := &answer{status: response.StatusCode, body: string(body)}
	for name, values := range response.Header {
		for _, value := range values {
			got.fields = append(got.fields, pair{name, value})
		}
	}
	if len(got.fields) > 1_024 {
		return nil, C.ASSAY_FAILURE_TOO_LARGE
	}
	return got, 0
}

func failure(err error) C.uint32_t {
	var name *net.DNSError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var slow net.Error
	switch {
	case errors.Is(err, errForbidden):
		return C.ASSAY_FAILURE_FORBIDDEN
	case errors.Is(err, errRedirect):
		return C.ASSAY_FAILURE_REDIRECT
	case errors.Is(err, context.Canceled):
		return C.ASSAY_FAILURE_CANCELLED
	case errors.As(err, &slow) && slow.Timeout():
		return C.ASSAY_FAILURE_TIMED_OUT
	case errors.As(err, &name):
		return C.ASSAY_FAILURE_UNRESOLVED
	case errors.As(err, &authority), errors.As(err, &host), errors.As(err, &invalid), errors.As(err, &record):
		return C.ASSAY_FAILURE_TLS
	}
	return C.ASSAY_FAILURE_CONNECTION
}
