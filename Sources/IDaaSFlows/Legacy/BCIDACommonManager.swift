public import Dispatch
internal import JWTCore

/// Makes what flows need from outside.
public typealias LegacyEnvironment = @Sendable (FlowConfiguration) throws(FlowError) -> FlowEnvironment

/// Configuration under the names of the vendor's SDK, for code that was written against its documents.
///
/// ```swift
/// BCIDACommonManager.sharedInstance().initWithDomain("https://tenant.example").initWithClientID("client-1")
///     .initWithSSLCerVerification(true).setLogEnabled(true)
/// ```
/// ``use(slider:queue:environment:configure:)`` is our only addition: what the SDK brings itself has to be handed over here.
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
        var flows: Flows?
    }

    private static let shared = BCIDACommonManager()
    private let settings = Locked(Settings())

    init() {}

    public static func sharedInstance() -> BCIDACommonManager { shared }

    /// Any https origin, `.com` or not; http for loopback.
    @discardableResult
    public func initWithDomain(_ domain: String) -> BCIDACommonManager { changed { $0.domain = domain } }

    @discardableResult
    public func initWithClientID(_ clientID: String) -> BCIDACommonManager { changed { $0.clientID = clientID } }

    /// Certificates are verified whatever is passed: `false` is noted, logged once as an error, and calls go on. For a test server hand
    /// over a transport that trusts its authority.
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
    ///   - queue: what callbacks are called on.
    ///   - environment: makes transport, store and clock for a configuration. It is called again when the configuration changes.
    ///   - configure: settings that the SDK does not know.
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

    @discardableResult
    private func changed(_ change: (inout Settings) -> Void) -> BCIDACommonManager {
        settings.withLock {
            change(&$0)
            $0.flows = nil
        }
        return self
    }

    /// What the settings amount to, made once for each change of them.
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
        guard let environment = settings.environment else { return .failure(FlowError(.configuration("no environment was handed over"))) }
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
        guard let slider = settings.withLock({ $0.slider }) else { throw FlowError(.configuration("no slider was handed over")) }
        return slider
    }

    /// Runs a call and hands its result to a callback: once, on the queue.
    func run(
        _ handler: @escaping LegacyHandler, _ call: @escaping @Sendable (Flows) async throws(FlowError) -> (String, LegacyData)
    ) {
        answer(handler) { [self] _ throws(FlowError) in try await call(try flows()) }
    }

    /// The same for what can be answered before anything is set up.
    func answer(
        _ handler: @escaping LegacyHandler, _ call: @escaping @Sendable (FlowLanguage) async throws(FlowError) -> (String, LegacyData)
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

    private var language: FlowLanguage { (try? flows())?.configuration.language ?? .english }
}

extension FlowOutcome {
    /// The code and the text of a call that did not succeed.
    func refusal(_ flows: Flows) -> (String, LegacyData) {
        (legacyCode, .text(failure?.text(in: flows.configuration.language) ?? ""))
    }
}
