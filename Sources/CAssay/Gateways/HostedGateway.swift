internal import CAssayInterface
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Locks
internal import StatusListCache

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A gateway as C holds it: its settings in force, and the keys and status lists of all its issuers, which the host fetches.
package final class HostedGateway: Sendable {
    private let current: Published<Decider>
    private let host: SharedHost
    private let folder: String
    private let seed: UInt64
    private let revocationFile: Locked<RevocationFile?>
    private let revocationLog: Locked<FollowedLog?>
    /// Of the host, or of its own; nil while no settings need one.
    private let memory: Locked<HostedReplays?>
    private let process = getpid()

    /// - Throws: invalid_settings.
    init(_ settings: Span<UInt8>, _ options: GatewayOptions) throws(InterfaceFailure) {
        let settings = try Self.settings(settings, options.folder), configuration = settings.configuration
        let file = settings.revocationFile.map { RevocationFile($0) }, list = try Self.list(in: file)
        revocationFile = Locked(file)
        let log = settings.revocationLog.map { FollowedLog($0) }, revocations = Revocations(list)
        revocationLog = Locked(log)
        let host = SharedHost(options.host)
        try Self.load(log, into: revocations, host)
        var memory = options.replays
        if memory == nil, configuration.countsUses { memory = try HostedReplays(entries: Self.ownEntries) }
        self.memory = Locked(memory)
        folder = options.folder
        seed = options.seed
        self.host = host
        let keys = Self.keys(of: configuration, keeping: options.sharing.map(\.decider), host, seed: options.seed)
        current = Published(
            Decider(
                configuration, keys: keys, statuses: configuration.statuses(keys, Self.fetching(host, seed), continuing: []),
                revocations: revocations, cache: options.cache, replays: Self.replays(memory)))
        current.keepAcrossForks()
        decider.revocations.keepAcrossForks()
        ForkedLocks.add(revocationFile, of: self)
        ForkedLocks.add(revocationLog, of: revocationLog)
        ForkedLocks.add(self.memory, of: self.memory)
    }

    deinit {
        ForkedLocks.remove(self)
        ForkedLocks.remove(revocationLog)
        ForkedLocks.remove(memory)
        decider.revocations.leaveForks()
        current.leaveForks()
    }

    private static let ownEntries: UInt64 = 262_144

    private static func replays(_ memory: HostedReplays?) -> DecisionReplays {
        memory.map { DecisionReplays($0, horizon: $0.horizon) } ?? DecisionReplays(nil)
    }

    /// The memory of uses for a configuration.
    ///
    /// - Throws: invalid_settings where one had to be made after a fork: the process's siblings would not share it.
    private func memory(for configuration: GatewayConfiguration) throws(InterfaceFailure) -> HostedReplays? {
        if let memory = memory.withLock({ $0 }) { return memory }
        guard configuration.countsUses else { return nil }
        guard getpid() == process else { throw InterfaceFailure(.invalidSettings) }
        let made = try HostedReplays(entries: Self.ownEntries)
        return memory.withLock { memory in
            if memory == nil { memory = made }
            return memory
        }
    }

    /// What metrics have of the memory of uses.
    func appendReplays(to samples: inout SampleText) { memory.withLock { $0 }?.append(to: &samples, now: host.date) }

    private static func settings(_ text: Span<UInt8>, _ folder: String) throws(InterfaceFailure) -> GatewaySettings {
        do throws(SettingsFailure) {
            let settings = try GatewaySettings(json: text, folder: folder)
            try settings.checkFiles(knowsFolder: true)
            return settings
        } catch {
            throw InterfaceFailure(.invalidSettings)
        }
    }

    /// The list in the file; an empty one without a file.
    private static func list(in file: RevocationFile?) throws(InterfaceFailure) -> RevocationList {
        guard let file else { return RevocationList() }
        do throws(SettingsFailure) {
            return try file.load()
        } catch {
            throw InterfaceFailure(.invalidSettings)
        }
    }

    private static func load(_ log: FollowedLog?, into revocations: Revocations, _ host: SharedHost) throws(InterfaceFailure) {
        do throws(SettingsFailure) {
            try log?.load(into: revocations, date: host.date)
        } catch {
            throw InterfaceFailure(.invalidSettings)
        }
    }

    /// The keys of each issuer: those of another decider where both may use the same.
    private static func keys(
        of configuration: GatewayConfiguration, keeping others: [Decider], _ host: SharedHost, seed: UInt64
    ) -> [ProviderKeys] {
        let known = Dictionary(grouping: others.flatMap { zip($0.configuration.issuers, $0.keys) }) { Array($0.0.issuer.utf8) }
        return configuration.issuers.enumerated().map { place, issuer in
            let same = known[Array(issuer.issuer.utf8)]?.first { $0.0.hasSameSources(as: issuer) }
            if let keys = same?.1 {
                if issuer.isRequired { keys.hosted?.load() }
                return keys
            }
            if let document = issuer.source.document, let keys = try? KeySet(document: document) {
                // Once, and before a host forks: its children share the tables.
                keys.prepare()
                return .fixed(keys)
            }
            return .hosted(
                HostedKeySet(
                    [issuer.source] + issuer.failover, policy: issuer.refresh, storage: issuer.storage,
                    loading: issuer.isRequired ? .eager : .lazy, host: host,
                    seed: seed == 0 ? .random(in: 0 ... .max) : seed &+ UInt64(place)))
        }
    }

    /// How status lists are fetched, with a seed of their own.
    private static func fetching(_ host: SharedHost, _ seed: UInt64) -> ListFetching {
        .host(host, seed: seed == 0 ? .random(in: 0 ... .max) : ~seed)
    }

    // Changes

    /// - Throws: invalid_settings; then the settings before stay in force.
    func replace(_ settings: Span<UInt8>) throws(InterfaceFailure) {
        let settings = try Self.settings(settings, folder), configuration = settings.configuration
        let file = settings.revocationFile.map { RevocationFile($0) }, list = try Self.list(in: file)
        let log = try followed(settings.revocationLog), replays = Self.replays(try memory(for: configuration))
        var isReplaced = false
        while !isReplaced {
            // Made outside the lock, because a thread that holds it takes no other (ForkedLocks).
            let old = decider
            let keys = Self.keys(of: configuration, keeping: [old], host, seed: seed)
            let statuses = configuration.statuses(keys, Self.fetching(host, seed), continuing: old.statuses)
            let next = old.replacing(configuration, keys: keys, statuses: statuses, replays: replays)
            current.replace { inForce in
                isReplaced = inForce === old
                return isReplaced ? next : inForce
            }
        }
        let former = revocationFile.withLock { current in
            defer { current = file }
            return current
        }
        revocationLog.withLock { $0 = log }
        // What ``revoke(_:)`` has set stays.
        if former != nil || file != nil { decider.revocations.replace(list) }
        host.wake()
    }

    /// The log of other settings: the one that is followed, if it has the same path. What was read from another one stays in force.
    private func followed(_ path: String?) throws(InterfaceFailure) -> FollowedLog? {
        if let log, log.path == path { return log }
        let next = path.map { FollowedLog($0) }, read = Revocations()
        try Self.load(next, into: read, host)
        decider.revocations.add(read.signalled)
        return next
    }

    /// - Throws: invalid_settings; then the list before stays in force. invalid_argument where the list comes from a file.
    func revoke(_ list: Span<UInt8>) throws(InterfaceFailure) {
        guard revocations == nil else { throw InterfaceFailure(.invalidArgument) }
        do throws(SettingsFailure) {
            current.current.revocations.replace(try RevocationList(json: list))
        } catch {
            throw InterfaceFailure(.invalidSettings)
        }
    }

    /// The file that the settings name for revocations; nil where they name no file.
    var revocations: RevocationFile? { revocationFile.withLock { $0 } }

    /// The log that the settings name; nil where they name none.
    var log: FollowedLog? { revocationLog.withLock { $0 } }

    private func readRevocations() {
        log?.look(into: decider.revocations, now: host.elapsedNanoseconds, date: host.date)
        guard let file = revocations, let list = file.look(now: host.elapsedNanoseconds) else { return }
        decider.revocations.replace(list)
        // Other settings may have come meanwhile, with another file, whose list must stay.
        if let current = revocations, current !== file, let list = try? current.load() { decider.revocations.replace(list) }
        if revocations == nil { decider.revocations.replace(RevocationList()) }
    }

    // Deciding

    /// Lends the decider in force to `body`. No call where memory is exhausted.
    func withDecider(_ body: (Decider) -> Void) { current.withDecider(body) }

    /// The same, retained.
    var decider: Decider { current.current }

    // Keys and status lists

    var keySets: [HostedKeySet] { decider.keys.compactMap(\.hosted) }
    private var statusLists: [HostedStatusLists] { decider.statuses.compactMap(\.lists.hosted) }

    /// Nil for an issuer that no provider has.
    func keys(of issuer: [UInt8]) -> ProviderKeys? {
        let decider = decider
        return zip(decider.keys, decider.configuration.issuers).first { $1.issuer.utf8.elementsEqual(issuer) }?.0
    }

    /// Also those of keys that the gateway shares with another one. Keys that come later have the gateway's own.
    package var hosts: [SharedHost] { [host] + keySets.compactMap(\.sharedHost) }

    package var nextDue: Duration {
        let fetches = (keySets.map(\.nextDue) + statusLists.map(\.nextDue)).min() ?? .seconds(3_600)
        let file: Duration = revocations == nil ? .seconds(3_600) : .seconds(1)
        return min(fetches, file, log?.nextDue(now: host.elapsedNanoseconds) ?? .seconds(3_600))
    }

    /// The requests that are due, at most one for each issuer and one for each list. Files on this machine are read here.
    package func dueFetches(atMost limit: Int) -> [HostedFetch] {
        readRevocations()
        let decider = decider
        var fetches: [HostedFetch] = []
        for (keys, issuer) in zip(decider.keys, decider.configuration.issuers) where fetches.count < limit {
            guard let keys = keys.hosted, let request = keys.nextRequest() else { continue }
            fetches.append(HostedFetch(keys, request, owner: self, issuer: issuer.issuer))
        }
        // Last, because keys verify them.
        for lists in decider.statuses.compactMap(\.lists.hosted) {
            while fetches.count < limit, let request = lists.nextRequest() {
                fetches.append(HostedFetch(lists, request, owner: self))
            }
        }
        return fetches
    }

    /// Makes a fetch due for every issuer.
    package func refresh() { for keys in keySets { keys.refresh() } }

    package func beginAgain() {
        for keys in keySets { keys.beginAgain() }
        for lists in statusLists { lists.beginAgain() }
    }

    package var isReady: Bool {
        let decider = decider
        return zip(decider.configuration.issuers, decider.keys).allSatisfy { !$0.isRequired || $1.hosted?.isReady ?? true }
    }
}
