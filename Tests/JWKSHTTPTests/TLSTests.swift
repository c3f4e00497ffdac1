#if HTTP
import HTTPGuard
import JWKSCache
import JWKSHTTP
import JWTTestSupport
import NIOSSL
import Testing

/// Handshakes with a real server: what is trusted, and what is not.
@Suite struct TLSTests {
    private let authority: TestAuthority
    private let good = Outcome.answer(200, TLSServer.answer)

    init() throws { authority = try TestAuthority.shared.get() }

    @Test(arguments: ["127.0.0.1", "localhost"]) func certificateOfAGivenRootIsTrusted(_ host: String) async throws {
        let server = try await TLSServer(certificate: "good", authority)
        #expect(try await HTTPTransport(trusting(.only(authority.root))).outcome(server.url(host: host)) == good)
    }

    @Test func filesAreRead() async throws {
        let folder = try TemporaryFolder()
        func file(_ name: String) throws -> PEM { .file(try folder.write(name, String(decoding: authority.bytes(name), as: UTF8.self))) }
        let server = try await TLSServer(certificate: "good", authority)
        var configuration = trusting(.only(try file("root.pem")))
        configuration.clientCertificate = ClientCertificate(chain: try file("client.pem"), key: try file("client.key"))
        #expect(try await HTTPTransport(configuration).outcome(server.url()) == good)
    }

    @Test func rootIsTrustedBesidesThoseOfTheSystem() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        #expect(try await HTTPTransport(trusting(.systemAnd(authority.root))).outcome(server.url()) == good)
    }

    static let distrusted = [("good", TrustRoots?.some(.system)), ("other-host", nil), ("expired", nil), ("self-signed", nil)]

    @Test(arguments: distrusted) func certificateIsNotTrusted(_ name: String, roots: TrustRoots?) async throws {
        let server = try await TLSServer(certificate: name, authority)
        #expect(try await HTTPTransport(trusting(roots ?? .only(authority.root))).outcome(server.url()) == .failure(.tls))
        #expect(server.requests == 0)
    }

    @Test func rootsOfOurOwnReplaceTheOthers() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        #expect(try await HTTPTransport(trusting(.only(authority.certificate("self-signed")))).outcome(server.url()) == .failure(.tls))
    }

    @Test(arguments: [(TLSVersion.tlsv11, false), (.tlsv12, true), (.tlsv13, true)])
    func versionBefore12IsRefused(_ version: TLSVersion, isSpoken: Bool) async throws {
        let server = try await TLSServer(certificate: "good", authority) {
            $0.minimumTLSVersion = .tlsv1
            $0.maximumTLSVersion = version
            if version == .tlsv13 { $0.minimumTLSVersion = .tlsv13 }
        }
        let outcome = try await HTTPTransport(trusting(.only(authority.root))).outcome(server.url())
        #expect(outcome == (isSpoken ? good : .failure(.tls)))
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [true, false])
    func serverMayWantACertificate(_ version: TLSVersion, hasCertificate: Bool) async throws {
        let server = try await TLSServer(certificate: "good", authority) {
            $0.maximumTLSVersion = version
            $0.certificateVerification = .noHostnameVerification
            $0.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authority.bytes("root.pem")))
        }
        var configuration = trusting(.only(authority.root))
        if hasCertificate {
            configuration.clientCertificate = ClientCertificate(chain: authority.certificate("client"), key: authority.key("client"))
        }
        let outcome = try await HTTPTransport(configuration).outcome(server.url())
        #expect(outcome == (hasCertificate ? good : .failure(.tls)))
        #expect(server.requests == (hasCertificate ? 1 : 0))
    }

    @Test(arguments: ["", "sha256/", "sha256//"]) func pinnedKeyIsTaken(_ prefix: String) async throws {
        let server = try await TLSServer(certificate: "good", authority)
        var configuration = trusting(.only(authority.root))
        configuration.pins = [try PublicKeyPin(authority.pin("client")), try PublicKeyPin(prefix + authority.pin("good"))]
        #expect(try await HTTPTransport(configuration).outcome(server.url()) == good)
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func otherKeyGetsNoRequest(_ host: String) async throws {
        let server = try await TLSServer(certificate: "good", authority)
        var configuration = trusting(.only(authority.root))
        configuration.pins = [try PublicKeyPin(authority.pin("client"))]
        #expect(try await HTTPTransport(configuration).outcome(server.url(host: host)) == .failure(.pinMismatch))
        #expect(server.requests == 0)
    }

    @Test func pinMakesNoTrust() async throws {
        let server = try await TLSServer(certificate: "self-signed", authority)
        var configuration = trusting(.only(authority.root))
        configuration.pins = [try PublicKeyPin(authority.pin("self-signed"))]
        #expect(try await HTTPTransport(configuration).outcome(server.url()) == .failure(.tls))
    }

    /// The address is in both certificates, which helps no name that leads there.
    @Test(arguments: [
        ("good", "idp.example", true), ("good", "IDP.Example", true), ("good", "evil.example", false), ("good", "x.idp.example", false),
        ("wildcard", "a.tenant.example", true), ("wildcard", "tenant.example", false), ("wildcard", "a.b.tenant.example", false),
        ("wildcard", "evil.example", false), ("wildcard", "127.0.0.1", true), ("localhost", "localhost", false),
    ])
    func certificateIsForTheNameAskedFor(_ certificate: String, host: String, isTrusted: Bool) async throws {
        let server = try await TLSServer(certificate: certificate, authority)
        let table = AddressResolution { _ in [IPAddress(numeric: "127.0.0.1")!] }
        let client = try GuardedClient(trusting(.only(authority.root)), resolution: table)
        let request = OutgoingRequest(url: server.url(host: host))
        if isTrusted {
            #expect(try await client.send(request).status == 200)
        } else {
            await #expect { try await client.send(request) } throws: { ($0 as? RequestFailure)?.reason == .tls }
        }
        #expect(server.requests == (isTrusted ? 1 : 0))
    }

    @Test func failureSaysWhy() async throws {
        let server = try await TLSServer(certificate: "expired", authority)
        let transport = try HTTPTransport(trusting(.only(authority.root)))
        let failure = FetchFailure(.tls, "https://127.0.0.1:\(server.port): CERTIFICATE_VERIFY_FAILED")
        await #expect(throws: failure) { _ = try await transport.fetch(DocumentRequest(url: server.url())) }
    }

    private func trusting(_ roots: TrustRoots) -> GuardedClient.Configuration {
        GuardedClient.Configuration(limits: .patient, addresses: AddressPolicy(allowsLoopback: true), trustRoots: roots)
    }
}

/// What a configuration is refused for.
@Suite struct ConfigurationTests {
    @Test(arguments: [TrustRoots.only(.bytes([])), .systemAnd(.bytes(Array("no PEM".utf8))), .only(.file("/no/such/file"))])
    func rootsThatAreNoneAreRefused(_ roots: TrustRoots) {
        #expect(throws: ConfigurationFailure.self) { try GuardedClient(GuardedClient.Configuration(trustRoots: roots)) }
    }

    @Test func certificateWithoutItsKeyIsRefused() throws {
        let authority = try TestAuthority.shared.get()
        let own = ClientCertificate(chain: authority.certificate("client"), key: .bytes(Array("no key".utf8)))
        #expect(throws: ConfigurationFailure.self) { try GuardedClient(GuardedClient.Configuration(clientCertificate: own)) }
    }

    @Test(arguments: ["", "AAAA", "not base64", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]) func pinThatIsNoneIsRefused(
        _ pin: String
    ) {
        #expect(throws: ConfigurationFailure.self) { try PublicKeyPin(pin) }
    }

    @Test func fieldThatMayNotBeSentIsRefused() throws {
        let fields = OriginFields(origin: try Origin("https://idp.example"), fields: [HeaderField("X", "secret\r\n")])
        #expect { try GuardedClient(GuardedClient.Configuration(originFields: [fields])) } throws: { !"\($0)".contains("secret") }
    }

    @Test func defaultsAreThoseOfThePublicInternet() {
        let configuration = GuardedClient.Configuration()
        #expect(configuration.limits == RequestLimits(total: .seconds(3), connect: .seconds(1), bodyBytes: 262_144, redirects: 3))
        #expect(configuration.addresses == AddressPolicy(allowsLoopback: false, allowsPrivate: false, allowsLinkLocal: false))
        #expect(!configuration.allowsLoopbackHTTP && configuration.trustRoots == .system && configuration.pins.isEmpty)
        #expect(configuration.proxy == nil && configuration.clientCertificate == nil && configuration.originFields.isEmpty)
    }
}
#endif
