#if HTTP
import ArgumentParser
import Foundation
import IDaaSFlows
import IDaaSHTTP

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

    /// Flows for the tenant named, or else for the one of the session that is kept.
    func flows() async throws -> Flows {
        let store = FileSessionStore(path: try path())
        let kept = try? await store.contents().session
        guard let domain = domain ?? kept?.domain, let client = client ?? kept?.clientID else {
            throw CommandFailure.usage("nobody is logged in: name --domain and --client")
        }
        var configuration = try FlowConfiguration(domain: domain, clientID: client)
        configuration.language = FlowLanguage(environment: ProcessInfo.processInfo.environment)
        if verbose { configuration.log = .standardError }
        return try Flows.http(configuration, store: store)
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

extension CommandFailure {
    /// A call that failed, with the code that the SDK's callback would have had.
    static func flow(_ outcome: any FlowOutcome) -> Self {
        Self(message: "\(outcome.legacyCode): \(outcome.failure?.description ?? "not done")", exitCode: 1)
    }
}
#endif
