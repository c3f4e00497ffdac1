internal import JWTCore

/// A file in which the last set that was believed outlives the process, so that the next one starts warm though the source is down.
/// Processes may share it; it is replaced as a whole.
///
/// What is read back has to be whole (SHA-256), in a file that only its owner could write, about the same source, and of the past. With
/// a secret it has to have been written by somebody who knows the secret (HMAC-SHA-256).
public struct KeySetStorage: Hashable, Sendable {
    public let path: String
    private let secret: [UInt8]?

    /// - Parameters:
    ///   - path: the file. Its directory exists.
    ///   - secret: at least 32 bytes; nil for a checksum alone.
    public init(path: String, secret: [UInt8]? = nil) {
        self.path = path
        self.secret = secret
    }

    /// A set as it is stored.
    package struct Record: Equatable, Sendable {
        package var source: String
        /// Seconds since 1970 at which its fetch began.
        package var fetchedAt: Int64
        /// Seconds for which it was fresh from then.
        package var lifetime: Int64
        package var document: [UInt8]

        package init(source: String, fetchedAt: Int64, lifetime: Int64, document: [UInt8]) {
            self.source = source
            self.fetchedAt = fetchedAt
            self.lifetime = lifetime
            self.document = document
        }
    }

    /// What was found at the path.
    package enum Finding: Equatable {
        case record(Record)
        /// There is none, or it is not to be believed.
        case nothing
        case refused(String)
    }

    /// Stores `record`, unless another process has stored a newer one.
    ///
    /// - Parameter now: a stored one of the future is not newer but wrong, and is replaced.
    package func write(_ record: Record, now: Int64) -> Bool {
        if case .record(let stored) = read(source: record.source), stored.fetchedAt > record.fetchedAt, stored.fetchedAt <= now {
            return true
        }
        let body = Self.body(record)
        return RegularFile.write(body + seal(body) + [0x0a], to: path)
    }

    package func read(source: String) -> Finding {
        guard let bytes = RegularFile.read(path, limit: 2 * KeySet.maximumBytes + 4_096, isPrivate: true) else {
            return RegularFile.read(path, limit: .max) == nil ? .nothing : .refused("another user could have written it")
        }
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        guard lines.count == 7, lines[0] == Self.title, lines[6].isEmpty else { return .refused("not a stored key set") }
        let body = Array(lines[0..<5].joined(separator: [0x0a])) + [0x0a]
        guard Self.equal(lines[5], seal(body)) else { return .refused("its seal does not match") }
        guard lines[1].elementsEqual(source.utf8) else { return .refused("it is about another source") }
        let encoded = lines[4]
        guard let fetchedAt = Int64(String(decoding: lines[2], as: UTF8.self)),
            let lifetime = Int64(String(decoding: lines[3], as: UTF8.self)),
            let document = try? Base64URL.bytes(encoded.span)
        else { return .refused("not a stored key set") }
        return .record(Record(source: source, fetchedAt: fetchedAt, lifetime: lifetime, document: document))
    }

    private static let title = Array("assay key set 1".utf8)

    private static func body(_ record: Record) -> [UInt8] {
        title + Array("\n\(record.source)\n\(record.fetchedAt)\n\(record.lifetime)\n".utf8) + Base64URL.encode(record.document) + [0x0a]
    }

    private func seal(_ body: [UInt8]) -> [UInt8] {
        guard let secret else { return Array("sha256 ".utf8) + Base64URL.encode(Digest.sha256.bytes(of: body.span)) }
        return Array("hmac-sha256 ".utf8) + Base64URL.encode(Digest.sha256.authentication(of: body.span, secret: secret.span))
    }

    /// In a time that depends on the lengths alone.
    private static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
