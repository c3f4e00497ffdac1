#if HTTP
public import Dispatch
public import HTTPGuard

extension BCIDACommonManager {
    /// Sets the slider and an environment over HTTP.
    ///
    /// - Parameters:
    ///   - slider: shows the slider.
    ///   - queue: where callbacks run.
    ///   - client: the settings of the HTTP client; nil: `GuardedClient.Configuration.flows(_:)`. Its trust roots can include a test
    ///     server's authority.
    ///   - store: keeps the session and the device's identity. It must outlive the process, because sessions are bound to the device.
    ///   - configure: sets what the vendor's SDK has no setting for.
    @discardableResult
    public func use(
        slider: any SliderPresenter, queue: DispatchQueue = .main, client: GuardedClient.Configuration? = nil,
        store: any SessionStore, configure: @escaping @Sendable (inout FlowConfiguration) -> Void = { _ in }
    ) -> BCIDACommonManager {
        use(
            slider: slider, queue: queue,
            environment: { configuration throws(FlowError) in
                do throws(ConfigurationFailure) {
                    return try .http(for: configuration, client: client, store: store)
                } catch {
                    throw FlowError(.configuration(error.description))
                }
            }, configure: configure)
    }
}
#endif
