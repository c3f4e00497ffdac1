import HTTPGuard
import JWKSCache
import JWTTestSupport
import NIOSSL
import TLSTestSupport
import Testing

/// Handshakes with a real server: trusted and untrusted ones.
@Suite struct TLSTests {
    private let authority: TestAuthority
    private let good = Outcome.answer(200, TLSServer.answer)

    init() throws { authority = try TestAuthority.shared.get() }

    enum Roots { case authority, system, systemAndAuthority, selfSigned }

    private func roots(_ roots: Roots) -> TrustRoots {
        switch roots {
        case .authority: .only(authority.root)
        case .system: .system
        case .systemAndAuthority: .systemAnd(authority.root)
        case .selfSigned: .only(authority.certificate("self-signed"))
        }
    }

    @Test(arguments: [
        ("good", Roots.authority, "127.0.0.1", true), ("good", .authority, "localhost", true),
        ("good", .systemAndAuthority, "127.0.0.1", true), ("good", .system, "127.0.0.1", false), ("good", .selfSigned, "127.0.0.1", false),
        ("other-host", .authority, "127.0.0.1", false), ("expired", .authority, "127.0.0.1", false),
        ("self-signed", .authority, "127.0.0.1", false),
    ])
    func certificateIsTrustedByItsRootNameAndDate(_ name: String, roots: Roots, host: String, isTrusted: Bool) async throws {
        let server = try await TLSServer(certificate: name, authority)
        let outcome = try await GuardedClient(.trusting(self.roots(roots))).outcome(server.url(host: host))
        #expect(outcome == (isTrusted ? good : .failure(.tls)))
        #expect(server.requests == (isTrusted ? 1 : 0))
    }

    @Test func filesAreRead() async throws {
        let folder = try TemporaryFolder()
        func file(_ name: String) throws -> PEM { .file(try folder.write(name, String(decoding: authority.bytes(name), as: UTF8.self))) }
        let server = try await TLSServer(certificate: "good", authority)
        var configuration = GuardedClient.Configuration.trusting(.only(try file("root.pem")))
        configuration.clientCertificate = ClientCertificate(chain: try file("client.pem"), key: try file("client.key"))
        #expect(try await GuardedClient(configuration).outcome(server.url()) == good)
    }

    @Test(arguments: [(TLSVersion.tlsv11, false), (.tlsv12, true), (.tlsv13, true)])
    func versionBefore12IsRefused(_ version: TLSVersion, isSpoken: Bool) async throws {
        let server = try await TLSServer(certificate: "good", authority) {
            $0.minimumTLSVersion = .tlsv1
            $0.maximumTLSVersion = version
            if version == .tlsv13 { $0.minimumTLSVersion = .tlsv13 }
        }
        let outcome = try await GuardedClient(.trusting(authority)).outcome(server.url())
        #expect(outcome == (isSpoken ? good : .failure(.tls)))
    }

    /// The replies of servers without TLS 1.2: protocol_version, handshake_failure, or nothing.
    @Test(arguments: [70, 40, nil] as [UInt8?]) func brokenHandshakeIsAFailureOfTLS(_ alert: UInt8?) async throws {
        let server = try await BrokenHandshake(alert: alert)
        let outcome = try await GuardedClient(.trusting(authority)).outcome("https://127.0.0.1:\(server.port)/")
        #expect(outcome == .failure(.tls))
    }

    static let keys: [(name: String, isStrong: Bool)] = [
        ("rsa-1024", false), ("rsa-2047", false), ("rsa-2048", true), ("p384", true),
    ]

    @Test(arguments: keys, [TLSVersion.tlsv12, .tlsv13])
    func weakKeyGetsNoRequest(_ key: (name: String, isStrong: Bool), version: TLSVersion) async throws {
        let server = try await TLSServer(certificate: key.name, authority) { $0.maximumTLSVersion = version }
        let outcome = try await GuardedClient(.trusting(authority)).outcome(server.url())
        #expect(outcome == (key.isStrong ? good : .failure(.tls)))
        #expect(server.requests == (key.isStrong ? 1 : 0))
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [true, false])
    func serverMayWantACertificate(_ version: TLSVersion, hasCertificate: Bool) async throws {
        let server = try await TLSServer(certificate: "good", authority) {
            $0.maximumTLSVersion = version
            $0.certificateVerification = .noHostnameVerification
            $0.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(authority.bytes("root.pem")))
        }
        var configuration = GuardedClient.Configuration.trusting(authority)
        if hasCertificate {
            configuration.clientCertificate = ClientCertificate(chain: authority.certificate("client"), key: authority.key("client"))
        }
        let outcome = try await GuardedClient(configuration).outcome(server.url())
        #expect(outcome == (hasCertificate ? good : .failure(.tls)))
        #expect(server.requests == (hasCertificate ? 1 : 0))
    }

    @Test(arguments: ["", "sha256/", "sha256//"]) func aPinMayBeginWithASlash(_ prefix: String) throws {
        let pin = "/" + String(repeating: "A", count: 42) + "="
        #expect(try PublicKeyPin(prefix + pin) == PublicKeyPin(pin))
        for other in ["sha256///", "SHA256/", "/", "sha256"] {
            #expect(throws: ConfigurationFailure.self) { try PublicKeyPin(other + pin) }
        }
    }

    /// The prefixed pins of these certificates are set. A pin makes no trust.
    @Test(
        arguments: [
            ("good", ["client", "good"], "", nil), ("good", ["good"], "sha256/", nil), ("good", ["good"], "sha256//", nil),
            ("good", ["client"], "", .pinMismatch), ("self-signed", ["self-signed"], "", .tls),
        ] as [(String, [String], String, RequestFailure.Reason?)])
    func keyMustBeAPinnedOne(_ name: String, pins: [String], prefix: String, failure: RequestFailure.Reason?) async throws {
        let server = try await TLSServer(certificate: name, authority)
        var configuration = GuardedClient.Configuration.trusting(authority)
        configuration.pins = Set(try pins.map { try PublicKeyPin(prefix + authority.pin($0)) })
        let client = try GuardedClient(configuration)
        for host in ["127.0.0.1", "localhost"] { #expect(await client.failure(server.url(host: host)) == failure) }
        #expect(server.requests == (failure == nil ? 2 : 0))
    }

    /// Both certificates contain the address; that does not help a name that resolves to it.
    @Test(arguments: [
        ("good", "idp.example", true), ("good", "IDP.Example", true), ("good", "evil.example", false), ("good", "x.idp.example", false),
        ("wildcard", "a.tenant.example", true), ("wildcard", "tenant.example", false), ("wildcard", "a.b.tenant.example", false),
        ("wildcard", "evil.example", false), ("wildcard", "127.0.0.1", true), ("localhost", "localhost", false),
    ])
    func certificateIsForTheNameAskedFor(_ certificate: String, host: String, isTrusted: Bool) async throws {
        let server = try await TLSServer(certificate: certificate, authority)
        let table = AddressResolution { _ in [IPAddress(numeric: "127.0.0.1")!] }
        let client = try GuardedClient(.trusting(authority), resolution: table)
        #expect(await client.failure(server.url(host: host)) == (isTrusted ? nil : .tls))
        #expect(server.requests == (isTrusted ? 1 : 0))
    }

    @Test(arguments: [
        ("expired", "{}: certificate has expired"), ("self-signed", "{}: self-signed certificate"),
        ("stranger", "{}: unable to get local issuer certificate"),
        ("other-host", "the certificate is not for 127.0.0.1"), ("rsa-1024", "{}: EE certificate key too weak"),
        ("rsa-2047", "the certificate of {} has a weak key"),
    ])
    func failureSaysWhy(_ certificate: String, sentence: String) async throws {
        let server = try await TLSServer(certificate: certificate, authority)
        let transport = try GuardedClient(.trusting(authority))
        let failure = RequestFailure(.tls, sentence.replacing("{}", with: "https://127.0.0.1:\(server.port)"))
        await #expect(throws: failure) { _ = try await transport.fetch(OutgoingRequest(document: server.url())) }
    }

    /// By default libcurl trusts any certificate among the roots, also one that is no authority's.
    @Test func aCertificateAmongTheRootsThatIsNoRootMakesNoTrust() async throws {
        let server = try await TLSServer(certificate: "good", authority)
        let transport = try GuardedClient(.trusting(.only(authority.certificate("good"))))
        #expect(await transport.outcome(server.url()) == .failure(.tls))
        #expect(server.requests == 0)
    }
}

/// The reasons for refusing a configuration.
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
        #expect(configuration.bearerToken == nil)
    }
}
