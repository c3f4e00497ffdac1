#if HTTP
import ArgumentParser
import Foundation
import HTTPGuard
import IDaaSFlows
import IDaaSHTTP
import JWKSCache

/// Where a person logs in, and where the session is kept: common to `login` and `session`.
struct FlowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The tenant: an https origin, or http on loopback. Default: that of the stored session.", valueName: "url"))
    var domain: String?
    @Option(help: ArgumentHelp("The application's client id. Default: that of the stored session.", valueName: "id"))
    var client: String?
    @Option(
        help: ArgumentHelp("Where the session is kept. Default: $XDG_STATE_HOME/assay/session.json.", valueName: "file"),
        completion: .file())
    var store: String?
    @Flag(help: "Tell on standard error what is asked and answered, numbers and tokens masked.")
    var verbose = false
    @Flag(help: "Print one JSON document.")
    var json = false

    /// Flows for the tenant named, or else for the one of the session that is kept; nil where there is neither.
    func flows() async throws -> Flows? {
        let path = try path(), store = FileSessionStore(path: path)
        do {
            let kept = try await store.contents().session
            guard let domain = domain ?? kept?.domain, let client = client ?? kept?.clientID else { return nil }
            var configuration = try FlowConfiguration(domain: domain, clientID: client)
            configuration.language = language
            if verbose { configuration.log = .standardError }
            // The issuer's keys beside the session: who was logged in can be told without a network.
            return try Flows.http(configuration, store: store, keyStorage: KeySetStorage(path: path + ".keys"))
        } catch let error as FlowError {
            if case .configuration = error.reason { throw CommandFailure.usage(error.text(in: language)) }
            throw failure(error, code: error.legacyCode)
        } catch let error as ConfigurationFailure {
            throw CommandFailure.usage(error.description)
        }
    }

    private var language: FlowLanguage { FlowLanguage(environment: ProcessInfo.processInfo.environment) }

    /// A call that failed, with the code that the SDK's callback would have had: 3 where keys are unavailable, otherwise 1. With --json its
    /// document is printed here.
    func failure(_ outcome: any FlowOutcome) -> CommandFailure {
        let hasNoKeys = if case .keysUnavailable? = outcome as? IDTokenOutcome { true } else { false }
        return failure(outcome.failure, code: outcome.legacyCode, exitCode: hasNoKeys ? 3 : 1)
    }

    func failure(_ error: FlowError?, code: String, exitCode: Int32 = 1) -> CommandFailure {
        let reason = error?.text(in: language) ?? "not done"
        if json { SessionOutput(true).line(FailureDocument(code: code, reason: reason, requestID: error?.requestID)) }
        return CommandFailure(message: "\(code): \(reason)" + (error?.requestID.map { " [request \($0)]" } ?? ""), exitCode: exitCode)
    }

    private struct FailureDocument: Encodable {
        let code, reason: String
        let requestID: String?
    }

    private func path() throws -> String {
        if let store { return store }
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? NSHomeDirectory()
        let directory = (environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.local/state") + "/assay"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return directory + "/session.json"
    }
}

extension FlowLanguage {
    /// Chinese where the locale is, English elsewhere.
    fileprivate init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        self = locale.hasPrefix("zh") ? .chinese : .english
    }
}
#endif
