#if HTTP
import ArgumentParser
import CommandProgram
import HTTPGuard
import IDaaSFlows
import IDaaSWire
import JWKSCache
import Program

/// The tenant and the session file: options of both `login` and `session`.
struct FlowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The tenant: an https origin, or http on loopback. Default: the stored session's.", valueName: "url"))
    var domain: String?
    @Option(help: ArgumentHelp("The application's client id. Default: the stored session's.", valueName: "id"))
    var client: String?
    @Option(
        help: ArgumentHelp("The file of the session. Default: $XDG_STATE_HOME/assay/session.json.", valueName: "file"),
        completion: .file())
    var store: String?
    @Option(
        help: ArgumentHelp(
            "Certificates in PEM of authorities to trust besides the system's: for a tenant with a certificate of the company's own.",
            valueName: "file"),
        completion: .file())
    var caFile: String?
    @Flag(help: "Log requests and answers on standard error, with numbers and tokens masked.")
    var verbose = false
    @Flag(help: "Print one JSON document.")
    var json = false

    /// Flows for the named tenant, or for the tenant of the stored session; nil without either.
    ///
    /// - Parameter verifier: asks the user before this device's key signs.
    func flows(verifier: any UserVerifier = TerminalVerifier()) async throws -> Flows? {
        let path = try path(), store = FileSessionStore(path: path)
        do {
            let kept = try await store.contents().session
            guard let domain = domain ?? kept?.domain, let client = client ?? kept?.clientID else { return nil }
            var configuration = try FlowConfiguration(domain: domain, clientID: client)
            configuration.language = language
            if verbose { configuration.log = .standardError }
            // The issuer's keys are stored beside the session, so that `session show` works offline.
            ProgramResources.requireForClient()
            var environment = try FlowEnvironment.http(
                for: configuration, client: try httpClient(for: configuration), store: store,
                keyStorage: KeySetStorage(path: path + ".keys"))
            environment.biometricKeys = FileBiometricKeyStore(path: path + ".device", verifier: verifier)
            return Flows(configuration, environment)
        } catch let error as FlowError {
            if case .configuration = error.reason { throw CommandFailure.usage(error.text(in: language)) }
            throw failure(error, code: error.legacyCode)
        } catch let error as ConfigurationFailure {
            throw CommandFailure.usage(error.description)
        }
    }

    /// The settings of the HTTP client, with the authorities of `--ca-file`.
    ///
    /// - Throws: a usage error if the file cannot be read.
    func httpClient(for configuration: FlowConfiguration) throws(CommandFailure) -> GuardedClient.Configuration {
        var client = GuardedClient.Configuration.flows(configuration)
        guard let caFile else { return client }
        try InputFile.check(caFile)
        client.trustRoots = .systemAnd(.file(caFile))
        return client
    }

    private var language: Language { .ofEnvironment }

    /// The failure of a call, with the code of the SDK's callback in its message. The exit code is 3 if keys are unavailable, otherwise 1.
    /// With --json, also prints the document.
    func failure(_ outcome: any FlowOutcome) -> CommandFailure {
        let hasNoKeys = if case .keysUnavailable? = outcome as? IDTokenOutcome { true } else { false }
        return failure(outcome.failure, code: outcome.legacyCode, exitCode: hasNoKeys ? 3 : 1)
    }

    func failure(_ error: FlowError?, code: String, exitCode: Int32 = 1) -> CommandFailure {
        let reason = error?.text(in: language) ?? "failed"
        if json { Terminal.output.json(encoding: FailureDocument(code: code, reason: reason, requestID: error?.requestID)) }
        let request = error?.requestID.map { " [request \(printable($0, upTo: 64))]" } ?? ""
        let message = "\(printable(code, upTo: 64)): \(printable(reason))\(request)"
        return CommandFailure(message: message, exitCode: exitCode, code: code, reason: reason, isReported: json)
    }

    private struct FailureDocument: Encodable {
        let code, reason: String
        let requestID: String?
    }

    private func path() throws -> String {
        if let store { return store }
        // A path that is not absolute is to be ignored (XDG Base Directory Specification): it would depend on the current folder.
        func folder(_ variable: String) -> String? { Environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let state = folder("XDG_STATE_HOME") ?? (folder("HOME") ?? Folder.home) + "/.local/state"
        let directory = state + "/assay"
        let number = Folder.make(directory, mode: 0o700)
        guard number == 0 else {
            throw CommandFailure.usage("cannot make the folder of the session: \(directory): \(CommandFailure.systemReason(number))")
        }
        return directory + "/session.json"
    }
}

extension Language {
    /// Chinese for a Chinese locale, otherwise English.
    fileprivate static var ofEnvironment: Self {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty } ?? ""
        return locale.hasPrefix("zh") ? .chinese : .english
    }
}
#endif
