import Dispatch
import Foundation
import HTTPGuard
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import TLSTestSupport
import Testing

/// Flows always verify certificates: in this build, and in a release build.
struct FlowTLSTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority.shared.get() }

    private func configuration(_ server: TLSServer) throws -> FlowConfiguration {
        var configuration = try FlowConfiguration(domain: "https://127.0.0.1:\(server.port)", clientID: "client-1")
        configuration.timeout = .seconds(60)
        return configuration
    }

    private func client(_ configuration: FlowConfiguration, _ roots: TrustRoots) -> GuardedClient.Configuration {
        var client = GuardedClient.Configuration.flows(configuration)
        client.trustRoots = roots
        // A busy machine takes seconds to read the system's roots.
        client.limits.connect = .seconds(60)
        return client
    }

    @Test
    func anAuthorityOfTheCompanysOwnIsTrustedWhereItIsNamed() async throws {
        let document = #"{"phoneAreaCodeDefinitions":[],"preferredAreaCode":"CN"}"#
        let server = try await TLSServer(certificate: "good", authority, document: document)
        let configuration = try configuration(server)
        let flows = try Flows.http(configuration, client: client(configuration, .systemAnd(authority.root)), store: MemorySessionStore())
        #expect(try await flows.areaCodes.list().get().preferredCountry == "CN")
    }

    @Test(arguments: ["self-signed", "expired", "other-host", "good"])
    func aCertificateThatNobodyVouchesForGetsNoRequest(_ certificate: String) async throws {
        let server = try await TLSServer(certificate: certificate, authority)
        let configuration = try configuration(server)
        let roots: TrustRoots = certificate == "good" ? .system : .only(authority.root)
        let outcome = try await Flows.http(configuration, client: client(configuration, roots), store: MemorySessionStore()).areaCodes
            .list()
        guard case .transport(let failure) = outcome.failure?.reason else {
            Issue.record("the call does not fail in its transport")
            return
        }
        #expect(failure.reason == .tls && server.requests == 0)
    }

    @Test
    func noDocumentedSwitchTurnsCertificateVerificationOff() async throws {
        let server = try await TLSServer(certificate: "self-signed", authority)
        // The documented names have one configuration for the process.
        await Turn.legacy.take()
        defer { Turn.legacy.leave() }
        BCIDACommonManager.sharedInstance().initWithDomain("https://127.0.0.1:\(server.port)").initWithClientID("client-1")
            .initWithSSLCerVerification(false).use(
                slider: NoSlider(), queue: DispatchQueue(label: "callbacks"), store: MemorySessionStore())
        let code = await withCheckedContinuation { continuation in
            BCIDAInternationalPhoneCodeManager.getInternaltionalAreaCodeWithCompletionHandler { code, _ in
                continuation.resume(returning: code)
            }
        }
        #expect(code == "1" && server.requests == 0)
    }

    private struct NoSlider: SliderPresenter {
        func answer(to challenge: SliderChallenge) async -> SliderAnswer { .closed }
    }
}
