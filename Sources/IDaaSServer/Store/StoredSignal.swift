internal import JWTCore
internal import Secrets

/// A signal that a stream's receiver has not taken yet.
package struct StoredSignal: Hashable, Sendable {
    /// Rises with each signal, but a number may be used again after a deletion.
    package var id: Int64
    package var stream: String
    package var signal: Signal
    /// The tries that failed.
    package var attempts: Int

    /// `jti`: the same at each try, on every server. The number alone would come again, and its receiver would take it for a repetition.
    package var tokenID: String { "\(id)-\(String(decoding: Base64URL.encode(Digest256.of(content).prefix(16)), as: UTF8.self))" }

    /// The number in a `jti`; nil where it has none.
    static func id(inTokenID text: String) -> Int64? {
        text.utf8.count <= 64 ? text.split(separator: "-" as Character, maxSplits: 1).first.flatMap { Int64($0) } : nil
    }

    private var content: [UInt8] {
        let parts: JSON = [.string(stream), .integer(id), .integer(signal.at.milliseconds), .array(signal.event.parts.map { JSON($0) })]
        return parts.bytes
    }
}

extension Signal.Event {
    /// The columns `event`, `user_id`, `session`, `initiator`, `credential`, `change` and `state`.
    var parts: [String?] {
        switch self {
        case .sessionRevoked(let user, let session, let initiator):
            [Kind.revoked.rawValue, user, session, initiator.rawValue, nil, nil, nil]
        case .credentialChange(let user, let credential, let change, let initiator):
            [Kind.changed.rawValue, user, nil, initiator.rawValue, credential.rawValue, change.rawValue, nil]
        case .verification(let state): [Kind.verification.rawValue, nil, nil, nil, nil, nil, state]
        }
    }

    /// The column `event`.
    enum Kind: String {
        case revoked = "session_revoked"
        case changed = "credential_change"
        case verification
    }
}
