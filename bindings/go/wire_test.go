package assay

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"

	"assay.local/assay/assaytest"
)

// served starts a server with a gateway before a handler.
func served(t *testing.T, from *assaytest.Issuer, next http.HandlerFunc) *httptest.Server {
	t.Helper()
	g, _, _ := guarded(t, from)
	server := httptest.NewUnstartedServer(g.Handler(next))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestHTTP2IsGuardedAlike(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	var trailer http.Header
	server := served(t, from, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		trailer = r.Trailer
		w.Header().Set("X-Seen", r.Proto+" "+r.Header.Get("X-Auth-Subject"))
	})
	for name, row := range map[string]struct {
		path, token, seen string
		status            int
	}{
		"a token":         {"/a", "Bearer " + from.Token("api", nil), "HTTP/2.0 user-1", 200},
		"no token":        {"/a", "", "", 401},
		"a public target": {"/public", "", "HTTP/2.0 ", 200},
		"a way around":    {"/public/../a", "", "", 400},
	} {
		body := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("body")), nil }
		content, _ := body()
		request, _ := http.NewRequest("POST", server.URL+row.path, content)
		// A refusal may end the connection while the trailers before it are under way: then the client sends this request again.
		request.GetBody = body
		request.Header["x-auth-subject"] = []string{"forged"}
		request.Trailer = http.Header{"X-Auth-Subject": {"forged"}, "X-Checksum": {"1"}}
		if row.token != "" {
			request.Header.Set("Authorization", row.token)
		}
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(name, err)
		}
		response.Body.Close()
		if response.StatusCode != row.status || response.Header.Get("X-Seen") != row.seen {
			t.Errorf("%s: %s %q", name, response.Status, response.Header.Get("X-Seen"))
		}
		if row.status == 200 && (trailer.Get("X-Auth-Subject") != "" || trailer.Get("X-Checksum") != "1") {
			t.Errorf("%s: %v", name, trailer)
		}
	}
}

// A handler between the gateway and its own may copy the request, as Request.WithContext does.
func TestACopyOfTheRequestGetsTheTrailersAlike(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	g, _, _ := guarded(t, from)
	type mark struct{}
	var trailer http.Header
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), mark{}, true))
		_, _ = io.Copy(io.Discard, r.Body)
		trailer = r.Trailer
	})
	server := httptest.NewServer(g.Handler(handler))
	defer server.Close()
	for name, text := range map[string]string{
		"announced": "Trailer: X-Auth-Subject, X-Checksum\r\n", "announced in part": "Trailer: x-checksum\r\n",
	} {
		trailer = nil
		answer := exchange(t, server, "POST /public HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"+text+
			"\r\n1\r\na\r\n0\r\nX-Auth-Subject: forged\r\nX-Checksum: 1\r\n\r\n")
		if answer.StatusCode != 200 || len(trailer) != 1 || trailer.Get("X-Checksum") != "1" {
			t.Errorf("%s: %s %v", name, answer.Status, trailer)
		}
	}
}

// exchange sends bytes and reads one answer.
func exchange(t *testing.T, server *httptest.Server, text string) *http.Response {
	t.Helper()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, text)
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// RFC 9110 section 10.1.1: a client that asks first learns of the refusal before it sends the body.
func TestARefusedBodyIsNotAskedFor(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	_, _, server := guarded(t, from)
	for path, statuses := range map[string][]int{"/a": {401}, "/public": {100, 200}} {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		reader := bufio.NewReader(connection)
		_, _ = io.WriteString(connection, "POST "+path+" HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
		for _, expected := range statuses {
			answer, err := http.ReadResponse(reader, nil)
			if err != nil || answer.StatusCode != expected {
				t.Fatal(path, answer, err)
			}
			if expected == 100 {
				_, _ = io.WriteString(connection, "body")
			}
		}
		connection.Close()
	}
}

// What a handler does with its connection is its own matter: other protocols, and answers before the answer.
func TestAHandlerHasTheWholeWriter(t *testing.T) {
	from := assaytest.NewIssuer()
	defer from.Close()
	g, _, _ := guarded(t, from)
	server := httptest.NewServer(g.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			w.Header().Set("Link", "</style.css>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			return
		}
		connection, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = buffer.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
		_ = buffer.Flush()
	})))
	defer server.Close()
	token := "Authorization: Bearer " + from.Token("api", nil) + "\r\n"
	upgrade := "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n"
	if answer := exchange(t, server, upgrade+token+"\r\n"); answer.StatusCode != 101 {
		t.Error(answer.Status)
	}
	if answer := exchange(t, server, upgrade+"\r\n"); answer.StatusCode != 401 {
		t.Error(answer.Status)
	}
	var hints []int
	request, _ := http.NewRequest("GET", server.URL+"/public", nil)
	request = request.WithContext(httptrace.WithClientTrace(request.Context(), &httptrace.ClientTrace{
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error { hints = append(hints, code); return nil },
	}))
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || response.StatusCode != 200 || len(hints) != 1 || hints[0] != 103 {
		t.Error(response, err, hints)
	}
}
