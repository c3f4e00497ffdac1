#if HTTP
import HTTPGuard
import JWKSCache
import JWKSHTTP
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import LoopbackServer
import Testing

/// Keys that were fetched over HTTP while all was well, and what became of them since. Its clock stands: only transports know time.
struct FetchedKeys {
    let keys: RemoteKeySet
    let verifier: TokenVerifier<RemoteKeySet>
    private let events = Locked<[RefreshEvent.Kind]>([])

    init(_ url: String, _ configuration: GuardedClient.Configuration = .loopback) async throws {
        let clock = ManualClock()
        keys = RemoteKeySet(
            .jwks(url: url), transport: try HTTPTransport(configuration), loading: .lazy, clock: clock, seed: 1
        ) { [events] event in events.withLock { $0.append(event.kind) } }
        verifier = TokenVerifier(keys: keys, policy: KeyPool.policy, clock: clock)
        // Where time-outs are short and the machine is busy, the first answer may come too late.
        for _ in 0..<20 where !keys.isReady { await keys.refresh() }
        try #require(keys.isReady)
    }

    /// The alarms of the refreshes so far, by their codes.
    var alarms: [String] { events.withLock { $0.compactMap { if case .alarm(let alarm) = $0 { alarm.code } else { nil } } } }
}
#endif
