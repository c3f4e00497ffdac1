public import Dispatch
internal import IDaaSWire
public import JWKSCache
internal import JWTCore
internal import Locks

/// The result of the page appearing, and of a pre-fetch.
public let TX_Auth_Result_Success = "6666"
/// The user pressed the login button: the dictionary has the token.
public let TX_Login_SSO_Action = "6668"
/// The user wants another method.
public let TX_Login_Change_Action = "6669"

/// One-click login under the names of the carrier's SDK.
///
/// ``use(carrier:queue:clock:)`` is the only addition: it passes the SDK that talks to the carrier. Call it before any other.
public final class TXCommonHandler: Sendable {
    /// `resultCode`, `msg` and, with `6668`, `token`.
    public typealias Completion = @Sendable ([String: String]) -> Void

    private struct Settings {
        var carrier: CarrierLogin?
        var queue = DispatchQueue.main
    }

    private static let shared = TXCommonHandler()
    private let settings = Locked(Settings())

    public static func sharedInstance() -> TXCommonHandler { shared }

    /// - Parameters:
    ///   - carrier: talks to the carrier.
    ///   - queue: where callbacks run.
    ///   - clock: measures time-outs.
    @discardableResult
    public func use(
        carrier: any CarrierSDK, queue: DispatchQueue = .main, clock: any ElapsedClock = SystemElapsedClock()
    ) -> TXCommonHandler {
        settings.withLock {
            $0.carrier = CarrierLogin(carrier, clock: clock)
            $0.queue = queue
        }
        return self
    }

    /// The version of the carrier's SDK; empty before ``use(carrier:queue:clock:)``.
    public func getVersion() -> String { carrier?.version ?? "" }

    /// Whether the device can use the later calls.
    ///
    /// - Parameter phoneNumber: the number to verify, on a phone with two SIM cards; nil for a login.
    public func checkGatewayVerifyEnable(_ phoneNumber: String?) -> Bool {
        guard case .ready? = carrier?.checkGateway(mobile: phoneNumber) else { return false }
        return true
    }

    /// Fetches the number beforehand. Calls back once, with `6666` or why not.
    ///
    /// - Parameters:
    ///   - timeout: in seconds; 0.0 is the default, 3.0.
    ///   - complete: gets the result once.
    public func getLoginNumberWithTimeout(_ timeout: Double, complete: Completion?) {
        let (carrier, queue) = settings.withLock { ($0.carrier, $0.queue) }
        Task {
            let outcome = await carrier?.prefetch(timeout: Duration(carrierTimeout: timeout)) ?? .failed(Self.hasNoCarrier)
            queue.async { complete?(Self.result(outcome)) }
        }
    }

    /// Opens the page. Calls back with `6666` when it appears, and once more when it closes: with `6668` and the token, `6669`, `6667`, or a
    /// failure.
    ///
    /// - Parameters:
    ///   - vc: shows the page, where the documents have a view controller.
    ///   - model: what the page looks like; nil for the default.
    ///   - timeout: in seconds; 0.0 is the default, 3.0.
    ///   - complete: receives each result.
    public func getLoginTokenWithController(
        _ vc: any OneClickPresenter, model: TXCustomModel?, timeout: Double, complete: Completion?
    ) {
        let (carrier, queue) = settings.withLock { ($0.carrier, $0.queue) }
        let page = model?.page ?? OneClickPage()
        Task {
            guard let carrier else { return queue.async { complete?(Self.result(.failed(Self.hasNoCarrier))) } }
            for await event in carrier.events(page, on: vc, timeout: Duration(carrierTimeout: timeout)) {
                guard let result = Self.result(event) else { continue }
                queue.async { complete?(result) }
            }
        }
    }

    private var carrier: CarrierLogin? { settings.withLock { $0.carrier } }

    private static let hasNoCarrier = CarrierFailure(.parameters, "call use(carrier:queue:clock:) first")

    private static func result(_ outcome: CarrierOutcome) -> [String: String] {
        guard case .failed(let failure) = outcome else { return ["resultCode": outcome.legacyCode, "msg": "success"] }
        return ["resultCode": failure.legacyCode, "msg": failure.legacyMessage]
    }

    /// - Returns: nil for an event that the documents do not have.
    private static func result(_ event: OneClickEvent) -> [String: String]? {
        guard let code = event.legacyCode else { return nil }
        switch event {
        case .login(let token): return ["resultCode": code, "msg": "success", "token": token.value]
        case .failed(let failure): return ["resultCode": code, "msg": failure.legacyMessage]
        default: return ["resultCode": code, "msg": "success"]
        }
    }
}

extension CarrierFailure {
    /// The SDK's own words, which support asks for, or ours.
    fileprivate var legacyMessage: String { message.isEmpty ? text(in: .chinese) : "\(message) [\(code)]" }
}
