internal import IDaaSWire
public import JWKSCache
internal import JWTCore
internal import Locks

/// The carrier's part of one-click login: whether it can work, the number fetched beforehand, and the page.
///
/// It needs mobile data, alone or beside Wi-Fi. Every failure names SMS login as another way; the caller decides. One object for each
/// carrier's SDK: it remembers the fetched number.
public final class CarrierLogin: Sendable {
    private let carrier: any CarrierSDK
    private let clock: any ElapsedClock
    private let log: FlowLog
    private let number: NumberPrefetch
    private let isOpen = Locked(false)

    public init(_ carrier: any CarrierSDK, clock: any ElapsedClock = SystemElapsedClock(), log: FlowLog = .off) {
        self.carrier = carrier
        self.clock = clock
        self.log = log
        number = NumberPrefetch(carrier, clock)
    }

    /// The version of the carrier's SDK.
    public var version: String { carrier.version }

    /// Whether this device could use one-click login now. Only `ready` promises anything for the later calls.
    ///
    /// - Parameter mobile: the number to verify, on a phone with two SIM cards; nil for a login.
    public func checkGateway(mobile: String? = nil) -> CarrierOutcome {
        carrier.obstacle(for: mobile).map { .failed(CarrierFailure($0)) } ?? .ready
    }

    /// Fetches the number beforehand, so that the page opens at once. Callers at the same time share one fetch. A fetched number is kept for
    /// ten minutes, or until the SIM card for data is switched.
    ///
    /// - Parameter timeout: zero is the default, three seconds.
    public func prefetch(timeout: Duration = .zero) async -> CarrierOutcome {
        guard !isOpen.withLock({ $0 }) else { return .failed(CarrierFailure(.pageOpen)) }
        return await number.prepare(timeout: timeout.orUsualCarrierTimeout)
    }

    /// Opens the page, and tells what happens on it. Without a pre-fetched number it fetches one first, and opens more slowly.
    ///
    /// - Parameters:
    ///   - page: what the page looks like.
    ///   - presenter: shows the page, for an SDK that does not draw it itself.
    ///   - timeout: for the pre-fetch, for the page to appear, and for the token after the button, each. Zero is the default, three seconds.
    ///     How long the user looks at the page is not limited.
    public func events(_ page: OneClickPage = OneClickPage(), on presenter: any OneClickPresenter, timeout: Duration = .zero)
        -> AsyncStream<OneClickEvent>
    {
        AsyncStream { continuation in
            let task = Task {
                let visit = OneClickVisit(
                    carrier: carrier, number: number, clock: clock, page: page, presenter: presenter,
                    timeout: timeout.orUsualCarrierTimeout)
                let isFirst = isOpen.withLock { isOpen in
                    defer { isOpen = true }
                    return !isOpen
                }
                if isFirst {
                    await visit.run { [log] event in
                        // A visit that the program cancels ends like one that the user leaves, and must not be taken for that.
                        guard !Task.isCancelled else { return }
                        log.write("one-click: \(event.legacyCode ?? "") \(event.name)")
                        continuation.yield(event)
                    }
                    isOpen.withLock { $0 = false }
                } else {
                    continuation.yield(.failed(CarrierFailure(.pageOpen)))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension OneClickEvent {
    /// For the log.
    fileprivate var name: String {
        switch self {
        case .pageShown: "page shown"
        case .consentChanged(let isGiven): isGiven ? "consent given" : "consent withdrawn"
        case .consentRequired: "consent required"
        case .agreementOpened: "agreement opened"
        case .login: "login"
        case .switchMethod: "another method"
        case .cancelled: "cancelled"
        case .failed(let failure): "failed: \(failure.code) \(failure.meaning.rawValue)"
        }
    }
}
