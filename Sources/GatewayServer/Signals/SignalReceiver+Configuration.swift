#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Logging

extension SignalReceiver {
    /// The receiver of a configuration, with what an earlier process has written down in force; nil if no events arrive.
    ///
    /// - Throws: `SettingsFailure`; ``GatewayServer/StartFailure`` if the file of revocations cannot be used.
    convenience init?(
        _ settings: SignalSettings?, revocations: Revocations, surroundings: GatewayServer.Surroundings, logger: Logger,
        observer: @escaping @Sendable (RefreshEvent) -> Void
    ) throws {
        guard let settings else { return nil }
        let streams = try settings.streams.map {
            try SignalStream($0, transport: surroundings.transport, clock: surroundings.clock, observer: observer)
        }
        let store = try surroundings.revocationStore ?? Self.log(settings.log, revocations, surroundings)
        self.init(
            streams: streams, revocations: revocations, store: store, tokenLifetime: settings.tokenLifetime, date: surroundings.date,
            logger: logger)
    }

    private static func log(
        _ path: String, _ revocations: Revocations, _ surroundings: GatewayServer.Surroundings
    ) throws(GatewayServer.StartFailure) -> RevocationLog {
        let log: RevocationLog
        do throws(RevocationLogFailure) {
            log = try RevocationLog(path: path, now: surroundings.date.now)
        } catch {
            throw GatewayServer.StartFailure(code: "revocation_log", description: "\(error)")
        }
        guard revocations.add(log.entries) else {
            let text = "\(path) has more revocations than there is room for"
            throw GatewayServer.StartFailure(code: "too_many_revocations", description: text)
        }
        return log
    }
}
#endif
