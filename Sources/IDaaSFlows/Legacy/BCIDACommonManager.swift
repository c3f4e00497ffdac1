public import Dispatch
internal import IDaaSWire
internal import JWTCore
internal import Locks

/// Makes the environment of flows for a configuration.
public typealias LegacyEnvironment = @Sendable (FlowConfiguration) throws(FlowError) -> FlowEnvironment

/// Configuration under the names of the vendor's SDK, for code that was written against its documents.
///
/// ```swift
/// BCIDACommonManager.sharedInstance().initWithDomain("https://tenant.example").initWithClientID("client-1")
///     .initWithSSLCerVerification(true).setLogEnabled(true)
/// ```
/// ``use(slider:queue:environment:configure:)`` is the only addition: it passes parts that the vendor's SDK includes.
public final class BCIDACommonManager: Sendable {
    private struct Settings {
        var domain = ""
        var clientID = ""
        var isLogged = false
        var isVerificationUnwanted = false
        var slider: (any SliderPresenter)?
        var queue = DispatchQueue.main
        var environment: LegacyEnvironment?
        var configure: @Sendable (inout FlowConfiguration) -> Void = { _ in }
        var matchCode: @Sendable (PendingApproval) async -> String? = { _ in nil }
        var flows: Flows?
    }

    private static let shared = BCIDACommonManager()
    private let settings = Locked(Settings())

    init() {}

    public static func sharedInstance() -> BCIDACommonManager { shared }

    /// Any https origin, not only `.com`; http for loopback.
    @discardableResult
    public func initWithDomain(_ domain: String) -> BCIDACommonManager { changed { $0.domain = domain } }

    @discardableResult
    public func initWithClientID(_ clientID: String) -> BCIDACommonManager { changed { $0.clientID = clientID } }

    /// Certificates are always verified: `false` only logs an error, once. For a test server, pass a transport that trusts its authority.
    @discardableResult
    public func initWithSSLCerVerification(_ sslCerVerification: Bool) -> BCIDACommonManager {
        let isFirst = settings.withLock { settings in
            defer { settings.isVerificationUnwanted = settings.isVerificationUnwanted || !sslCerVerification }
            return !sslCerVerification && !settings.isVerificationUnwanted
        }
        if isFirst { FlowLog.standardError.write("error: initWithSSLCerVerification(false) has no effect: certificates are verified") }
        return self
    }

    public func setLogEnabled(_ enable: Bool) { changed { $0.isLogged = enable } }

    /// - Parameters:
    ///   - slider: shows the slider.
    ///   - queue: where callbacks run.
    ///   - environment: makes transport, store and clock for a configuration. It runs again after each change of the configuration.
    ///   - configure: changes settings that the vendor's SDK lacks.
    @discardableResult
    public func use(
        slider: any SliderPresenter, queue: DispatchQueue = .main, environment: @escaping LegacyEnvironment,
        configure: @escaping @Sendable (inout FlowConfiguration) -> Void = { _ in }
    ) -> BCIDACommonManager {
        changed {
            $0.slider = slider
            $0.queue = queue
            $0.environment = environment
            $0.configure = configure
        }
    }

    /// The second addition: how the app asks for the two digits on a PC, which no documented call has.
    ///
    /// - Parameter matchCode: the digits that the user types; nil if the user closes the page.
    @discardableResult
    public func use(matchCode: @escaping @Sendable (PendingApproval) async -> String?) -> BCIDACommonManager {
        changed { $0.matchCode = matchCode }
    }

    @discardableResult
    private func changed(_ change: (inout Settings) -> Void) -> BCIDACommonManager {
        settings.withLock {
            change(&$0)
            $0.flows = nil
        }
        return self
    }

    /// The flows of the current settings, made once for each change.
    ///
    /// - Throws: `configuration`.
    func flows() throws(FlowError) -> Flows {
        let made = settings.withLock { settings -> Result<Flows, FlowError> in
            if let flows = settings.flows { return .success(flows) }
            return Self.make(settings).map {
                settings.flows = $0
                return $0
            }
        }
        return try made.get()
    }

    private static func make(_ settings: Settings) -> Result<Flows, FlowError> {
        guard let environment = settings.environment else { return .failure(isNotSetUp) }
        do throws(FlowError) {
            var configuration = try FlowConfiguration(domain: settings.domain, clientID: settings.clientID)
            if settings.isLogged { configuration.log = .standardError }
            settings.configure(&configuration)
            return .success(Flows(configuration, try environment(configuration)))
        } catch {
            return .failure(error)
        }
    }

    func slider() throws(FlowError) -> any SliderPresenter {
        guard let slider = settings.withLock({ $0.slider }) else { throw Self.isNotSetUp }
        return slider
    }

    func matchCode(_ request: PendingApproval) async -> String? { await settings.withLock { $0.matchCode }(request) }

    private static let isNotSetUp = FlowError(.configuration("call use(slider:queue:environment:configure:) first"))

    /// Runs a call and passes its result to the callback, once, on the queue.
    func run(
        _ handler: @escaping LegacyHandler, _ call: @escaping @Sendable (Flows) async throws(FlowError) -> (String, LegacyData)
    ) {
        answer(handler) { [self] _ throws(FlowError) in try await call(try flows()) }
    }

    /// Runs a call that needs no settings in the same way.
    func answer(
        _ handler: @escaping LegacyHandler, _ call: @escaping @Sendable (Language) async throws(FlowError) -> (String, LegacyData)
    ) {
        let queue = settings.withLock { $0.queue }
        Task {
            let (code, data): (String, LegacyData)
            do throws(FlowError) {
                (code, data) = try await call(language)
            } catch {
                (code, data) = (error.legacyCode, .text(error.text(in: language)))
            }
            queue.async { handler(code, data) }
        }
    }

    private var language: Language { (try? flows())?.configuration.language ?? .english }
}

extension FlowOutcome {
    /// The code and the text of a failed call.
    func refusal(_ flows: Flows) -> (String, LegacyData) {
        (legacyCode, .text(failure?.text(in: flows.configuration.language) ?? ""))
    }
}
