#if HTTP
public import Dispatch
public import HTTPGuard
public import IDaaSFlows

extension BCIDACommonManager {
    /// The same over HTTP.
    ///
    /// - Parameters:
    ///   - slider: shows the slider.
    ///   - queue: what callbacks are called on.
    ///   - client: how the network is reached; nil: as ``GuardedClient/Configuration/flows(_:)`` has it. A test server's authority belongs
    ///     into its trust roots.
    ///   - store: where session and device identity live. It has to outlive the process: sessions are bound to the device.
    ///   - configure: settings that the SDK does not know.
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
