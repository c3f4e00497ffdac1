import Dispatch
import JWKSCache
import JWTCore

extension Workload {
    /// The time without cryptography by keys that are kept fresh.
    init?(refreshing tokens: BenchTokens) {
        guard let routed = RoutedTokens(tokens, issuers: 1) else { return nil }
        self.init(ours: routed.verifies, baseline: tokens.signatureVerifies)
    }

    /// The time without cryptography for tokens of one of `issuers`.
    init?(routing tokens: BenchTokens, issuers: Int) {
        guard let routed = RoutedTokens(tokens, issuers: issuers) else { return nil }
        self.init(ours: routed.verifiesRouted, baseline: tokens.signatureVerifies)
    }
}

/// Tokens of one issuer among others, with keys that are kept fresh.
private struct RoutedTokens: Sendable {
    private let texts: ByteStrings
    private let verifier: TokenVerifier<RemoteKeySet>
    private let issuers: TrustedIssuers

    private static let issuer = "https://idp.example"

    /// Nil if the keys do not load.
    init?(_ tokens: BenchTokens, issuers count: Int) {
        let source = KeySetSource.inline(tokens.document)
        let names = [Self.issuer] + (1..<max(1, count)).map { "https://idp-\($0).example" }
        let issuers = TrustedIssuers(
            names.map { IssuerConfiguration($0, source: source, policy: tokens.policy) }, transport: NoTransport())
        guard let keys = issuers.keys(of: Self.issuer) else { return nil }
        texts = ByteStrings(tokens.texts)
        verifier = TokenVerifier(keys: keys, policy: tokens.policy)
        self.issuers = issuers
        _ = verifies(0)
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = await keys.ready(within: .seconds(5))
            done.signal()
        }
        done.wait()
        (try? keys.snapshot())?.prepare()
        guard verifies(0), verifiesRouted(0) else { return nil }
    }

    func verifies(_ ordinal: Int) -> Bool {
        do throws(VerificationError) {
            return try verifier.withVerified(texts[ordinal]) { _ in true }
        } catch {
            return false
        }
    }

    func verifiesRouted(_ ordinal: Int) -> Bool {
        do throws(VerificationError) {
            return try issuers.withVerified(texts[ordinal]) { _ in true }
        } catch {
            return false
        }
    }
}

/// Fetches nothing: the keys are in the configuration.
private struct NoTransport: DocumentTransport {
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { ReceivedResponse(status: 404, body: []) }
}
