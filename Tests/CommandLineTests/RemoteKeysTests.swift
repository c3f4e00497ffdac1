import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// Keys over HTTP, from a server on loopback that Python runs.
@Suite(.serialized) final class RemoteKeysTests {
    private let base: String
    private let server: String
    private let forge = TokenForge(.es256)

    /// Answers by path: a key set, discovery documents right and wrong, and what a client must not swallow.
    private static let program = """
        import http.server, json, sys
        keys = sys.argv[1]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                base = 'http://127.0.0.1:%d' % self.server.server_address[1]
                discovery = lambda issuer: json.dumps({'issuer': issuer, 'jwks_uri': base + '/jwks'})
                bodies = {'/jwks': keys, '/.well-known/openid-configuration': discovery(base),
                          '/other/.well-known/openid-configuration': discovery(base), '/large': ' ' * 300000 + keys, '/html': '<html>'}
                if self.path == '/redirect':
                    self.send_response(302); self.send_header('Location', 'http://localhost:%d/jwks' % self.server.server_address[1])
                    self.send_header('Content-Length', '0'); self.end_headers(); return
                if self.path == '/moved':
                    self.send_response(302); self.send_header('Location', '/jwks')
                    self.send_header('Content-Length', '0'); self.end_headers(); return
                body = bodies.get(self.path)
                self.send_response(200 if body else 404)
                data = (body or '').encode()
                self.send_header('Content-Length', str(len(data))); self.end_headers()
                try: self.wfile.write(data)
                except OSError: pass
            def log_message(self, *args): pass
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    init() throws {
        let folder = try TemporaryFolder()
        let program = try folder.write("server.py", Self.program)
        let keys = Shell.quoted("{\"keys\":[\(forge.jwk)]}")
        // The shell returns when the server has said its port; the server leaves by itself if nobody stops it.
        let start =
            "mkfifo \(folder.path)/ready && { timeout 60 python3 \(program) \(keys) >\(folder.path)/ready 2>/dev/null & echo $! >\(folder.path)/pid; }"
        try #require(Shell.run("\(start); read -r port <\(folder.path)/ready; echo $port >\(folder.path)/port") == 0)
        base = "http://127.0.0.1:\(folder.read("port").trimmingCharacters(in: .whitespacesAndNewlines))"
        server = folder.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { _ = Shell.run("kill \(server)") }

    private func verify(_ arguments: [String], issuer: String = "https://idp.example") throws -> Command.Outcome {
        let claims = TokenForge.idToken.replacing("https://idp.example", with: issuer)
        return try Command.assay(["verify", "--now", "1700000100"] + arguments + [forge.token(claims)])
    }

    @Test func keysComeFromAnAddress() throws {
        #expect(try verify(["--keys", "\(base)/jwks"]).exitCode == 0)
        #expect(try verify(["--keys", "\(base)/moved"]).exitCode == 0, "a redirect within the origin is followed")
    }

    @Test func keysComeFromTheIssuersDiscoveryDocument() throws {
        #expect(try verify(["--issuer", base], issuer: base).exitCode == 0)
        #expect(try Command.assay(["keys", base]).output.contains("usable"))
    }

    @Test func anotherIssuersDiscoveryDocumentIsNotBelieved() throws {
        let outcome = try verify(["--issuer", "\(base)/other"], issuer: "\(base)/other")
        #expect(outcome.exitCode == 3)
        #expect(outcome.errors.contains("names another issuer"))
    }

    @Test(arguments: ["/large", "/redirect", "/html", "/missing"]) func whatIsNoKeySetIsExitCode3(_ path: String) throws {
        let outcome = try verify(["--keys", base + path])
        #expect(outcome.exitCode == 3)
        #expect(outcome.errors.hasPrefix("keys_unavailable: "))
    }

    @Test(arguments: ["http://idp.example/jwks", "http://127.0.0.1.evil.example/jwks"]) func plainHTTPReachesLoopbackAlone(_ place: String)
        throws
    {
        let outcome = try Command.assay(["keys", place])
        #expect(outcome.exitCode == 3)
        #expect(outcome.errors.contains("only https addresses are fetched"))
    }
}
