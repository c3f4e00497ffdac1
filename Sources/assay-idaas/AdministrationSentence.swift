import CommandProgram
import IDaaSServer
import IDaaSWire

extension CommandFailure {
    /// The failure for a database that does not answer, where a supervisor tries again, or that gets no memory. Nil for any other error.
    static func ofDatabase(_ error: any Error) -> CommandFailure? {
        if error as? KeyFailure == .memory { return .memoryShortage }
        guard let failure = error as? StoreFailure, failure.isPassing else { return ofMemory(error) }
        return .unavailable("\(failure)", code: "database_unavailable")
    }

    /// Why an administrative action failed, in one sentence.
    static func sentence(forAdministration error: any Error) -> String {
        switch error {
        case let failure as AdministrationFailure: sentence(for: failure)
        case let failure as KeyFailure: sentence(for: failure)
        case let refusal as ServiceError: refusal.code.text(in: .english, refusal.arguments)
        default: sentence(for: error)
        }
    }

    private static func sentence(for failure: AdministrationFailure) -> String {
        switch failure {
        case .invalidClientID: "a client id has 1 to 64 letters, digits, hyphens, dots or underscores"
        case .clientExists: "a client has this id already"
        case .unknownClient: "no client has this id; assay idaas client list shows all"
        case .userExists: "a user has this mobile number already"
        case .unknownUser: "no user has this id, mobile number or user name"
        case .invalidTestCode: "a test code has six digits"
        case .invalidText: "a name or an address has control characters, or more than 256 bytes"
        case .invalidAddress: "a redirect address is https, or http on loopback, and has no fragment"
        case .weakSecret: "a client's secret needs at least 32 characters"
        case .userNameTaken: "another user has this user name"
        case .invalidReceiver: "a receiver's URL is https, or http on loopback"
        case .invalidSecret: "a receiver's secret has 16 to 1024 letters, digits and -._~+/, as in a bearer token"
        case .unknownStream: "no stream has this id; assay idaas stream list shows all"
        case .tooManyStreams: "there are 64 streams already"
        case .unknownAuditNumber:
            "no audit event has had the number of --after: the database is another one, or an older copy of it was restored"
        case .ambiguousUser: "several users have this name; use the id or the mobile number; assay idaas user list shows all"
        }
    }

    private static func sentence(for failure: KeyFailure) -> String {
        switch failure {
        case .serverKeyLength: "the server key does not have 32 bytes"
        case .sealedUnderAnotherKey: "the database was made with another server key: name the file or the variable of that key"
        case .memory: "there is no memory for an operation on a key"
        case .cryptography: "libcrypto refuses an operation on a key"
        case .unknownKey: "no key has this id; assay idaas keys list shows all"
        }
    }
}
