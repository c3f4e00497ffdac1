#if Gateway
internal import CValkey
internal import JWTCore
internal import ReplayMemory

/// A connection to a Valkey or Redis server that keeps what it has said.
@safe
final class ValkeyConnection: StoreConnection {
    // SAFETY: made in init and closed in deinit; only the thread that owns this object uses it.
    private let connection: OpaquePointer

    /// Connects, proves who it is, and refuses a server that may forget a live key to make room.
    init(_ server: ValkeyServer, _ tls: ValkeyTLS?, _ deadline: StoreDeadline) throws(StoreFailure) {
        var message = Self.noMessage
        let made = unsafe cvalkey_connect(server.host, "\(server.port)", tls?.context, deadline.milliseconds, &message)
        guard let made = unsafe made else { throw Self.loss(message) }
        unsafe connection = made
        try introduce(server, deadline)
        try checkMemory(deadline)
    }

    deinit { unsafe cvalkey_close(connection) }

    var isOver: Bool { unsafe cvalkey_is_over(connection) == 1 }

    private func introduce(_ server: ValkeyServer, _ deadline: StoreDeadline) throws(StoreFailure) {
        if let file = server.passwordFile {
            guard let password = PasswordFile.read(file) else {
                throw StoreFailure(.unavailable, "the file of the password cannot be read", endsConnection: true)
            }
            let user = server.user.map { [Array($0.utf8)] } ?? []
            // Only the code of a refusal: a server without this command quotes its words, and with them the password.
            if case .error(let text) = try command([Array("AUTH".utf8)] + user + [password], deadline) {
                throw Self.refusal("AUTH: \(text.prefix { $0 != " " })")
            }
        }
        if server.database > 0 { try require(command(["SELECT", "\(server.database)"].map { Array($0.utf8) }, deadline)) }
    }

    /// A server that evicts keys would let replays through, without a word. One without a limit has no reason to.
    private func checkMemory(_ deadline: StoreDeadline) throws(StoreFailure) {
        let reply = try command(["INFO", "memory"].map { Array($0.utf8) }, deadline)
        // Where no password is given, the first refusal comes here.
        try require(reply)
        guard case .text(let text) = reply else { throw StoreFailure(.unavailable, "an unexpected reply", endsConnection: true) }
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.contains("maxmemory_policy:noeviction") || lines.contains("maxmemory:0") else {
            throw StoreFailure(.unavailable, "the server may evict live keys: maxmemory-policy has to be noeviction", endsConnection: true)
        }
    }

    func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate, _ deadline: StoreDeadline) throws(StoreFailure)
        -> ReplayUse
    {
        let seconds = min(end.seconds - now.seconds, 1 << 32) + 1 + StoreFailure.clockDifference
        let words = ["SET", "assay:use:\(Self.name(identifier))", "1", "NX", "EX", "\(seconds)"]
        switch try command(words.map { Array($0.utf8) }, deadline) {
        case .status: return .first
        case .none: return .replayed
        case .text: throw StoreFailure(.unavailable, "an unexpected reply", endsConnection: true)
        case .error(let text): throw Self.refusal(text)
        }
    }

    func maintain(_ deadline: StoreDeadline) {}

    private static func name(_ identifier: ReplayIdentifier) -> String {
        identifier.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // Commands

    private enum Reply {
        case status
        case none
        case text(String)
        case error(String)
    }

    private func require(_ reply: Reply) throws(StoreFailure) {
        if case .error(let text) = reply { throw Self.refusal(text) }
    }

    private func command(_ words: [[UInt8]], _ deadline: StoreDeadline) throws(StoreFailure) -> Reply {
        var message = Self.noMessage
        let lengths = words.map(\.count)
        // One memory for all words.
        let memory: [CChar] = words.joined().map { CChar(bitPattern: $0) } + [0]
        let reply = unsafe memory.withUnsafeBufferPointer { memory in
            var start = 0
            let pointers: [UnsafePointer<CChar>?] = unsafe lengths.map { length in
                defer { start += length }
                return unsafe memory.baseAddress.map { unsafe $0 + start }
            }
            return unsafe cvalkey_command(connection, Int32(words.count), pointers, lengths, deadline.milliseconds, &message)
        }
        guard let reply = unsafe reply else { throw Self.loss(message) }
        defer { unsafe freeReplyObject(reply) }
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_STATUS: return .status
        case REDIS_REPLY_NIL: return .none
        case REDIS_REPLY_STRING: return .text(unsafe Self.text(reply))
        case REDIS_REPLY_ERROR: return .error(unsafe Self.text(reply))
        default: throw StoreFailure(.unavailable, "an unexpected reply", endsConnection: true)
        }
    }

    @unsafe
    private static func text(_ reply: UnsafeMutablePointer<redisReply>) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: reply.pointee.str, count: reply.pointee.len), as: UTF8.self)
    }

    // Failures

    private static var noMessage: [CChar] { [CChar](repeating: 0, count: Int(CVALKEY_MESSAGE)) }

    private static func loss(_ message: [CChar]) -> StoreFailure {
        let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return StoreFailure(.unavailable, text, endsConnection: true)
    }

    /// The server's words begin with a code.
    private static func refusal(_ text: String) -> StoreFailure {
        let shown = String(text.prefix(120).map { $0.isASCII && !$0.isNewline ? $0 : "?" })
        return StoreFailure(text.hasPrefix("OOM ") ? .full : .unavailable, shown, endsConnection: !text.hasPrefix("OOM "))
    }
}

/// The certificates that servers are judged by.
@safe
final class ValkeyTLS: Sendable {
    // SAFETY: made in init and freed in deinit; a context of OpenSSL may be used from any thread.
    nonisolated(unsafe) let context: OpaquePointer

    /// - Throws: `unavailable` for a file that cannot be read.
    init(certificateFile: String?) throws(ReplayMemoryError) {
        var message = [CChar](repeating: 0, count: Int(CVALKEY_MESSAGE))
        guard let context = unsafe cvalkey_tls_make(certificateFile, &message) else {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw ReplayMemoryError(.unavailable, "the certificates of the store: \(text)")
        }
        unsafe self.context = context
    }

    deinit { unsafe cvalkey_tls_free(context) }
}
#endif
