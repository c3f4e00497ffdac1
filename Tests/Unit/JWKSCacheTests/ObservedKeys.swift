import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks

/// A remote key set with a simulated clock and network and the test's observer.
final class ObservedKeys: Sendable {
    static let url = "https://idp.example/jwks"

    let keys: RemoteKeySet
    let clock: ManualClock
    let transport: ScriptedTransport
    let log = EventLog()

    init(
        _ sources: [KeySetSource] = [.jwks(url: url)], policy: RefreshPolicy = .availabilityFirst, storage: KeySetStorage? = nil,
        loading: RemoteKeySet.Loading = .eager, clock: ManualClock = ManualClock(), transport: ScriptedTransport = ScriptedTransport()
    ) {
        self.clock = clock
        self.transport = transport
        keys = RemoteKeySet(
            sources[0], failover: Array(sources.dropFirst()), policy: policy, transport: transport, storage: storage, loading: loading,
            clock: clock, seed: 1, observer: log.observe)
    }

    /// Keys that have been fetched from ``url``.
    static func loaded(
        _ document: String, fields: [HeaderField] = [], policy: RefreshPolicy = .availabilityFirst
    ) async -> ObservedKeys {
        let transport = ScriptedTransport()
        transport.answer(url, document, fields: fields)
        transport.hold()
        let observed = ObservedKeys(policy: policy, transport: transport)
        await observed.awaited { _ = await $0.ready(within: .seconds(1)) }
        return observed
    }

    /// The events of one fetch of the current documents.
    @discardableResult
    func refresh() async -> [String] {
        let before = log.words.count
        transport.hold()
        await awaited { await $0.refresh() }
        return Array(log.words.dropFirst(before))
    }

    /// Lets the network continue once `wait` is waiting for it. When `wait` returns, all events have been recorded.
    private func awaited(_ wait: @escaping @Sendable (RemoteKeySet) async -> Void) async {
        let task = Task { [keys] in await wait(keys) }
        _ = await settles { [keys] in keys.status.waiters > 0 }
        transport.release()
        await task.value
    }

    /// The same, after a change of ``url``.
    @discardableResult
    func refresh(_ document: String, fields: [HeaderField] = []) async -> [String] {
        transport.answer(Self.url, document, fields: fields)
        return await refresh()
    }

    func verdict(_ token: String) -> String { TokenVerifier(keys: keys, policy: KeyPool.policy).verdict(token) }
}

/// The events, in order.
final class EventLog: Sendable {
    private let events = Locked<[RefreshEvent]>([])

    var all: [RefreshEvent] { events.withLock { $0 } }
    var words: [String] { all.map(\.kind.word) }

    @Sendable
    func observe(_ event: RefreshEvent) { events.withLock { $0.append(event) } }
}

extension RefreshEvent.Kind {
    /// The short form for tables of cases.
    var word: String {
        switch self {
        case .fetchStarted(let cause): "started: \(cause)"
        case .fetchFailed(.invalidDocument(let error), _): "failed: \(error.code.name)"
        case .fetchFailed(let failure, _): "failed: \(failure.code)"
        case .confirmed: "confirmed"
        case .installed: "installed"
        case .overtaken: "overtaken"
        case .restored: "restored"
        case .storedSetRefused(let reason): "stored set refused: \(reason)"
        case .expired: "expired"
        case .alarm(let alarm): "alarm: \(alarm.code)"
        }
    }

    var change: KeySetChange? { if case .installed(let change, _) = self { change } else { nil } }
}

extension RemoteKeySet {
    /// The current key called `keyID`.
    func key(_ keyID: String) -> VerificationKey? { status.keys.first { $0.keyID == keyID } }
}
