#if HTTP
import ArgumentParser
import CommandProgram
import IDaaSFlows
import IDaaSWire

/// How the terminal stands in for a face or a finger: options of the commands that sign.
struct PresenceOptions: ParsableArguments {
    @Flag(help: "Confirm without being asked.")
    var yes = false
    @Option(help: ArgumentHelp("What the signature says about the verification.", valueName: "biometric|passcode"))
    var verifiedBy: Method = .biometric

    var verifier: any UserVerifier {
        TerminalVerifier(isConfirmed: yes, verification: verifiedBy == .biometric ? .biometric : .passcode)
    }

    enum Method: String, ExpressibleByArgument {
        case biometric, passcode
    }
}

/// Asks at the terminal whether to sign.
struct TerminalVerifier: UserVerifier {
    var isConfirmed = false
    var verification = UserVerification.biometric

    func availability() async -> BiometricAvailability { .touch }

    func verify(for reason: BiometricReason) async throws(BiometricFailure) -> UserPresence {
        guard !isConfirmed else { return UserPresence(verification) }
        let answer: String
        do { answer = try Prompt.line("\(reason.question) Type yes: ") } catch { throw .interrupted }
        guard answer.lowercased() == "yes" else { throw .cancelled }
        return UserPresence(verification)
    }

    /// A terminal has no enrolled faces or fingers that could change.
    func enrolment() async -> String { "terminal" }
}

extension BiometricReason {
    fileprivate var question: String {
        switch self {
        case .bind: "Bind this device?"
        case .unbind: "Unbind this device?"
        case .approve(let name): "Approve the login to \(printable(name, upTo: 64))?"
        case .deny(let name): "Deny the login to \(printable(name, upTo: 64))?"
        case .sign: "Sign?"
        }
    }
}
#endif
