#if HTTP
import Dispatch
import Foundation
import HTTPGuard
import IDaaSFlows
import IDaaSHTTP
import JWKSTestSupport
import Testing

/// Flows verify certificates whatever they are told: in this build, and in a release build.
@Suite(TakesTurns()) struct FlowTLSTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority.shared.get() }

    private func configuration(_ server: TLSServer) throws -> FlowConfiguration {
        try FlowConfiguration(domain: "https://127.0.0.1:\(server.port)", clientID: "client-1")
    }

    private func client(_ configuration: FlowConfiguration, _ roots: TrustRoots) -> GuardedClient.Configuration {
        var client = GuardedClient.Configuration.flows(configuration)
        client.trustRoots = roots
        return client
    }

    @Test("An authority of the company's own is trusted where it is named")
    func ownAuthority() async throws {
        let server = try await TLSServer(certificate: "good", authority, document: AreaCodeDocument.text)
        let configuration = try configuration(server)
        let flows = try Flows.http(configuration, client: client(configuration, .systemAnd(authority.root)), store: MemorySessionStore())
        #expect(try await flows.areaCodes.list().get().preferredCountry == "CN")
    }

    @Test("A certificate that nobody vouches for gets no request", arguments: ["self-signed", "expired", "other-host", "good"])
    func distrusted(_ certificate: String) async throws {
        let server = try await TLSServer(certificate: certificate, authority)
        let configuration = try configuration(server)
        let roots: TrustRoots = certificate == "good" ? .system : .only(authority.root)
        let outcome = try await Flows.http(configuration, client: client(configuration, roots), store: MemorySessionStore()).areaCodes
            .list()
        guard case .transport(let failure) = outcome.failure?.reason else { return #expect(Bool(false)) }
        #expect(failure.reason == .tls && server.requests == 0)
    }

    @Test("Neither does it under the documents' names with the verification unwanted")
    func unwantedVerification() async throws {
        let server = try await TLSServer(certificate: "self-signed", authority)
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

    private enum AreaCodeDocument {
        static let text = #"{"phoneAreaCodeDefinitions":[],"preferredAreaCode":"CN"}"#
    }
}
/// One test at a time: the documented names have one configuration for the process.
struct TakesTurns: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        // A suite's own scope has no case, and its tests come to take their turns.
        guard testCase != nil else { return try await function() }
        await Turn.legacy.take()
        defer { Turn.legacy.leave() }
        try await function()
    }
}
#endif
