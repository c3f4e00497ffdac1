#if Gateway
internal import Locks
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Logging

/// Reads the configuration and the revocations again. A file that cannot be used changes nothing: what was in force stays in force.
final class Reloading: Sendable {
    /// The configuration that this process started with, whose sockets and limits it keeps.
    let started: ServiceConfiguration
    private let gateway: LiveGateway
    private let metrics: GatewayMetrics
    /// In place of HTTP; nil: HTTP.
    private let transport: (any DocumentTransport)?
    private let replays: ServiceReplays
    private let clock: any UnixClock
    private let logger: Logger
    /// The variables that texts of the configuration may name; nil: those of this process.
    private let environment: [String: String]?
    /// Held during a reload: two at once could end with the older file in force.
    private let files: Locked<Files>
    private let state = Locked(State())

    /// A file of revocations may name any number of issuers.
    private static let mostWarnings = 16

    /// The files in force.
    struct Files: Sendable {
        var configuration: WatchedFile
        var revocations: WatchedFile?
        /// The revocations of a configuration that was refused, perhaps for want of them.
        var awaited: WatchedFile?
    }

    struct State: Sendable {
        var configuration: ReloadOutcome?
        var revocations: ReloadOutcome?
        /// Settings that have changed in the file and count only after a restart.
        var restartNeeded: [String] = []
    }

    init(
        files: Files, gateway: LiveGateway, metrics: GatewayMetrics, transport: (any DocumentTransport)?, replays: ServiceReplays,
        clock: any UnixClock, logger: Logger, environment: [String: String]?
    ) {
        self.files = Locked(files)
        started = gateway.inForce.configuration
        self.gateway = gateway
        self.metrics = metrics
        self.transport = transport
        self.replays = replays
        self.clock = clock
        self.logger = logger
        self.environment = environment
    }

    var latest: State { state.withLock { $0 } }

    /// Reads the configuration, builds everything that it needs, and only then replaces what is in force.
    func reloadConfiguration() { files.withLock { reloadConfiguration(&$0) } }

    /// Reads what has changed since it was read last.
    func reloadChangedFiles() {
        files.withLock { files in
            // All look: a file needs two looks in a row.
            let configuration = files.configuration.look(), revocations = files.revocations?.look() ?? .unchanged
            let awaited = files.awaited?.look() ?? .unchanged
            if configuration == .changed || awaited == .changed || revocations == .changed && isBehind { reloadConfiguration(&files) }
            if revocations == .changed { reloadRevocations(&files) }
            if configuration == .gone { report(.configuration, files.configuration) }
            if revocations == .gone, let file = files.revocations { report(.revocations, file) }
        }
    }

    /// A file that is gone changes nothing here, but the next start fails without it.
    private func report(_ kind: GatewayMetrics.ReloadedFile, _ file: WatchedFile) {
        finish(kind, ["\(file.path): the file is gone; what was read from it before stays in force"], restartNeeded: nil)
    }

    /// Whether the last configuration could not be used: its revocations may be why.
    private var isBehind: Bool { latest.configuration.map { !$0.faults.isEmpty } ?? false }

    private func reloadConfiguration(_ files: inout Files) {
        let old = gateway.inForce
        files.configuration = WatchedFile(configuration: files.configuration.path, environment: environment)
        files.awaited = files.awaited.map { WatchedFile($0.path) }
        do throws(SettingsFailure) {
            let configuration = try ServiceConfiguration(file: files.configuration.path, environment: environment)
            let watched = configuration.revocationFile.map(WatchedFile.init)
            files.awaited = watched?.path == files.revocations?.path ? nil : watched
            let revocations = try configuration.revocations()
            let core = try configuration.core(replacing: old, transport: transport, replays: replays)
            files.revocations = watched
            files.awaited = nil
            // Revocations first: no request is decided by the new configuration without them.
            core.revocations.replace(revocations)
            gateway.replace(configuration, core, at: clock.now)
            for file in metrics.files { file.reloaded(gateway.inForce) }
            finish(.configuration, [], restartNeeded: configuration.restartNeeded(after: started, replay: replays.settings))
        } catch {
            finish(.configuration, error.faults.map(\.description), restartNeeded: nil)
        }
    }

    private func reloadRevocations(_ files: inout Files) {
        let inForce = gateway.inForce
        files.revocations = inForce.configuration.revocationFile.map(WatchedFile.init)
        do throws(SettingsFailure) {
            inForce.core.revocations.replace(try inForce.configuration.revocations())
            finish(.revocations, [], restartNeeded: nil)
        } catch {
            finish(.revocations, error.faults.map(\.description), restartNeeded: nil)
        }
    }

    private func finish(_ file: GatewayMetrics.ReloadedFile, _ faults: [String], restartNeeded: [String]?) {
        let outcome = ReloadOutcome(date: clock.now, faults: faults)
        state.withLock {
            switch file {
            case .configuration: $0.configuration = outcome
            case .revocations: $0.revocations = outcome
            }
            if let restartNeeded { $0.restartNeeded = restartNeeded }
        }
        metrics.reloaded(file, succeeded: faults.isEmpty, at: outcome.date)
        let metadata: Logger.Metadata = ["file": "\(file.rawValue)", "generation": "\(gateway.inForce.generation)"]
        if faults.isEmpty {
            warn(warnings(after: file))
            logger.notice("reloaded", metadata: metadata)
        } else {
            logger.error("not reloaded", metadata: metadata.merging(["faults": "\(faults.joined(separator: "; "))"]) { $1 })
        }
        guard let restartNeeded, !restartNeeded.isEmpty else { return }
        logger.warning("these settings count after a restart", metadata: ["settings": "\(restartNeeded.joined(separator: ", "))"])
    }

    /// A new list of revocations does not repeat those of the configuration.
    private func warnings(after file: GatewayMetrics.ReloadedFile) -> [SettingsFault] {
        let inForce = gateway.inForce, list = inForce.core.revocations.list
        return file == .revocations ? inForce.configuration.idleRevocations(list) : inForce.configuration.warnings(revocations: list)
    }

    /// Writes the first of `warnings`.
    func warn(_ warnings: [SettingsFault]) {
        for warning in warnings.prefix(Self.mostWarnings) {
            logger.warning("a setting may not do what it seems to", metadata: ["warning": "\(warning)", "warnings": "\(warnings.count)"])
        }
    }
}

/// The outcome of the last attempt to read a file again.
struct ReloadOutcome: Sendable {
    let date: NumericDate
    /// Empty if it succeeded.
    let faults: [String]
}

extension ServiceConfiguration {
    /// The settings that differ from those of the start, and that only a new process can apply.
    ///
    /// - Parameter used: of the memory of uses; nil before there is one.
    fileprivate func restartNeeded(after old: ServiceConfiguration, replay used: ReplaySettings?) -> [String] {
        var names: [String] = []
        if listeners != old.listeners { names.append("listeners") }
        if administration != old.administration { names.append("administration") }
        if transport != old.transport { names.append("transport") }
        if signals != old.signals { names.append("signals") }
        if connections != old.connections { names.append("connections") }
        if tokenCache != old.tokenCache { names.append("tokenCache") }
        if let used, replay != used { names.append("replay") }
        if log.level != old.log.level { names.append("log.level") }
        return names
    }

    /// The list of ``revocationFile``; empty without one.
    ///
    /// - Throws: `SettingsFailure` with the file's faults.
    func revocations() throws(SettingsFailure) -> RevocationList {
        guard let revocationFile else { return RevocationList() }
        do throws(SettingsFailure) {
            return try RevocationFile.read(revocationFile)
        } catch {
            let faults = error.faults.map { SettingsFault(line: 0, $0.code, "\(revocationFile): \($0.description)") }
            throw expandedTexts.conceal(SettingsFailure(faults))
        }
    }
}
#endif
