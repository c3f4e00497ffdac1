import AssayTesting
import HTTPGuard
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Testing

/// Keys fetched over HTTP while the server worked, and their later state. The clock stands still: only transports measure time.
struct FetchedKeys {
    let keys: RemoteKeySet
    let verifier: TokenVerifier<RemoteKeySet>
    private let events = Locked<[RefreshEvent.Kind]>([])

    init(_ url: String, _ configuration: GuardedClient.Configuration = .loopback) async throws {
        let clock = ManualClock()
        keys = RemoteKeySet(
            .jwks(url: url), transport: try GuardedClient(configuration), loading: .lazy, clock: clock, seed: 1
        ) { [events] event in events.withLock { $0.append(event.kind) } }
        verifier = TokenVerifier(keys: keys, policy: KeyPool.policy, clock: clock)
        // With short time-outs on a busy machine, the first response may come too late.
        for _ in 0..<100 where !keys.isReady { await keys.refresh() }
        try #require(keys.isReady)
    }

    /// The codes of the alarms so far.
    var alarms: [String] { events.withLock { $0.compactMap { if case .alarm(let alarm) = $0 { alarm.code } else { nil } } } }
}
