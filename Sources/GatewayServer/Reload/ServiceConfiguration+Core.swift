#if Gateway
public import Gateway
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore

extension ServiceConfiguration {
    /// A core of its own, whose issuers start to fetch their keys.
    ///
    /// - Throws: `SettingsFailure`.
    func core(
        transport: (any DocumentTransport)?, cache: VerifiedTokenCache?, clock: any ElapsedClock, date: any UnixClock,
        observer: @escaping @Sendable (RefreshEvent) -> Void
    ) throws(SettingsFailure) -> DecisionCore {
        let revocations = Revocations(try revocations())
        do {
            return try DecisionCore(
                decisions, transport: try transport ?? GuardedClient(self.transport.client), revocations: revocations, cache: cache,
                clock: clock, date: date, observer: observer)
        } catch let failure as ConfigurationFault {
            throw SettingsFailure([SettingsFault(failure)])
        } catch {
            throw expandedTexts.conceal(SettingsFailure([SettingsFault(line: 0, .invalidValue, "`transport`: \(error)")]))
        }
    }

    /// A core that continues `old`: unchanged issuers keep their keys.
    ///
    /// - Throws: `SettingsFailure`.
    func core(replacing old: DecisionCore) throws(SettingsFailure) -> DecisionCore {
        do throws(ConfigurationFault) {
            return try old.replacing(decisions)
        } catch {
            throw SettingsFailure([SettingsFault(error)])
        }
    }

    /// Checks the files that the configuration names: revocations and certificate authorities.
    ///
    /// - Returns: warnings, which a service writes to its log.
    /// - Throws: `SettingsFailure`.
    @discardableResult
    public func checkFiles() throws(SettingsFailure) -> [SettingsFault] {
        let list = try revocations()
        do {
            _ = try GuardedClient(transport.client)
        } catch {
            throw expandedTexts.conceal(SettingsFailure([SettingsFault(line: 0, .invalidValue, "`transport`: \(error)")]))
        }
        return warnings(revocations: list)
    }

    /// Nil if the configuration has none.
    var cache: VerifiedTokenCache? {
        guard tokenCache.megabytes > 0 else { return nil }
        return VerifiedTokenCache(budget: tokenCache.megabytes << 20, maximumAge: tokenCache.maximumAge)
    }
}

extension TransportSettings {
    fileprivate var client: GuardedClient.Configuration {
        var client = GuardedClient.Configuration()
        client.limits = RequestLimits(total: timeout, connect: min(timeout, .seconds(1)))
        client.addresses = AddressPolicy(allowsLoopback: allowsLoopback, allowsPrivate: allowsPrivateAddresses)
        client.allowsLoopbackHTTP = allowsLoopback
        client.trustRoots = authorities.map { .systemAnd(.file($0)) } ?? .system
        client.userAgent = "assay-gateway"
        return client
    }
}
#endif
