#if Gateway
public import Gateway
internal import JWKSCache
internal import JWTCore
internal import ReplayMemory

extension ServiceConfiguration {
    /// A core of its own, whose issuers start to fetch their keys.
    ///
    /// - Throws: `SettingsFailure`.
    func core(
        transport: (any DocumentTransport)?, cache: VerifiedTokenCache?, replays: ServiceReplays, clock: any ElapsedClock,
        date: any UnixClock, observer: @escaping @Sendable (RefreshEvent) -> Void
    ) throws(SettingsFailure) -> DecisionCore {
        let revocations = Revocations(try revocations())
        let (client, transports) = try concealing { () throws(SettingsFailure) in
            (
                try self.transport.client("transport", bodyBytes: bodyBytes),
                try ProviderTransports(self, continuing: nil, inPlaceOfHTTP: transport)
            )
        }
        let memory = try replays.memory(for: self)
        do throws(ConfigurationFault) {
            return try DecisionCore(
                transports.decisions, transport: transport ?? client, revocations: revocations, cache: cache, replays: memory, clock: clock,
                date: date, observer: observer)
        } catch {
            throw SettingsFailure([SettingsFault(error)])
        }
    }

    /// A core that continues `old`: unchanged issuers keep their keys.
    ///
    /// - Throws: `SettingsFailure`. Then nothing has changed.
    func core(
        replacing old: ActiveConfiguration, transport: (any DocumentTransport)?, replays: ServiceReplays
    ) throws(SettingsFailure) -> DecisionCore {
        let memory = try replays.memory(for: self)
        let transports = try concealing { () throws(SettingsFailure) in
            try ProviderTransports(self, continuing: old, inPlaceOfHTTP: transport)
        }
        do throws(ConfigurationFault) {
            let core = try old.core.replacing(transports.decisions, replays: memory)
            transports.renew()
            return core
        } catch {
            throw SettingsFailure([SettingsFault(error)])
        }
    }

    /// Checks the files that the configuration names: revocations, and those of the transports.
    ///
    /// - Returns: warnings, which a service writes to its log.
    /// - Throws: `SettingsFailure`.
    @discardableResult
    public func checkFiles() throws(SettingsFailure) -> [SettingsFault] {
        let list = try revocations()
        try concealing { () throws(SettingsFailure) in
            _ = try transport.client("transport")
            _ = try ProviderTransports(self, continuing: nil, inPlaceOfHTTP: nil)
            for stream in signals?.streams ?? [] { _ = try stream.transport.client(SignalStream.setting) }
        }
        return warnings(revocations: list)
    }

    /// Runs `body`, whose faults then have no value of a variable in their texts.
    private func concealing<Result>(_ body: () throws(SettingsFailure) -> Result) throws(SettingsFailure) -> Result {
        do throws(SettingsFailure) {
            return try body()
        } catch {
            throw expandedTexts.conceal(error)
        }
    }

    /// Bytes of a response: those of a list where a provider has status lists; nil: those of a document with keys.
    private var bodyBytes: Int? { decisions.providers.compactMap(\.bodyBytes).max() }

    /// Nil if the configuration has none.
    var cache: VerifiedTokenCache? {
        guard tokenCache.megabytes > 0 else { return nil }
        return VerifiedTokenCache(budget: tokenCache.megabytes << 20, maximumAge: tokenCache.maximumAge)
    }
}
#endif
