import IDaaSServer
import JWTCore
import Locks

/// A gateway that keeps its messages, or refuses them.
final class CollectingGateway: SMSGateway {
    private let state = Locked((messages: [SMSMessage](), refuses: false))

    struct Refusal: Error {}

    var messages: [SMSMessage] { state.withLock { $0.messages } }
    /// The latest code for a number.
    func code(to mobile: String) -> String? { messages.last { $0.mobile == mobile }?.code }

    func refuse(_ refuses: Bool = true) { state.withLock { $0.refuses = refuses } }

    func deliver(_ message: SMSMessage) async throws {
        try state.withLock { state in
            guard !state.refuses else { throw Refusal() }
            state.messages.append(message)
        }
    }
}

/// Counts its calls.
final class CountingHash: KeyedHash {
    private let hash: any KeyedHash
    private let calls = Locked(0)

    init(_ hash: any KeyedHash) { self.hash = hash }

    var count: Int { calls.withLock { $0 } }

    func code(for message: [UInt8]) -> [UInt8] {
        calls.withLock { $0 += 1 }
        return hash.code(for: message)
    }
}

/// Records the SQL that a store runs.
final class StatementLog: Sendable {
    private let statements = Locked([String]())

    func note(_ sql: String) { statements.withLock { $0.append(sql) } }

    /// The SQL since the last call.
    func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }
}
