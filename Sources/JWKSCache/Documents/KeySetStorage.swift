internal import JWTCore

/// A file that keeps the last accepted set, so that the next process has keys immediately even if the source is down. Processes may share
/// the file; each write replaces the whole file.
///
/// A stored set is accepted only if the file is a regular one of limited size that no other user could have written, if its checksum
/// (SHA-256) is correct, if it belongs to the same source, and if its date is in the past. With a secret the checksum is an HMAC-SHA-256.
/// A secret that is too short, such as that of an empty variable, protects nothing: then nothing is stored and nothing accepted.
public struct KeySetStorage: Hashable, Sendable {
    public let path: String
    private let secret: [UInt8]?

    /// - Parameters:
    ///   - path: the file, in an existing directory.
    ///   - secret: at least 32 bytes; nil for a checksum without a key.
    public init(path: String, secret: [UInt8]? = nil) {
        self.path = path
        self.secret = secret
    }

    /// A secret that is shorter than the digest weakens the HMAC (RFC 2104 section 3).
    private static let minimumSecretBytes = 32

    private var hasShortSecret: Bool { secret.map { $0.count < Self.minimumSecretBytes } ?? false }

    /// A stored set.
    package struct Record: Equatable, Sendable {
        package var source: String
        /// The start of its fetch, in seconds since 1970.
        package var fetchedAt: Int64
        /// Its lifetime in seconds from then.
        package var lifetime: Int64
        package var document: [UInt8]

        package init(source: String, fetchedAt: Int64, lifetime: Int64, document: [UInt8]) {
            self.source = source
            self.fetchedAt = fetchedAt
            self.lifetime = lifetime
            self.document = document
        }
    }

    /// The content of the path.
    package enum Finding: Equatable {
        case record(Record)
        /// No file, or one that is not accepted.
        case nothing
        case refused(String)
    }

    /// Stores `record`, unless another process has stored a newer one.
    ///
    /// - Parameters:
    ///   - record: what to store.
    ///   - now: seconds since 1970. A stored record from the future is wrong, not newer, and is replaced.
    /// - Returns: whether the file holds this record or a newer one.
    package func write(_ record: Record, now: Int64) -> Bool {
        guard !hasShortSecret else { return false }
        if case .record(let stored) = read(source: record.source), stored.fetchedAt > record.fetchedAt, stored.fetchedAt <= now {
            return true
        }
        let body = Self.body(record)
        return RegularFile.write(body + seal(body) + [0x0a], to: path)
    }

    /// Reads the record stored for `source`.
    package func read(source: String) -> Finding {
        guard !hasShortSecret else { return .refused("its secret is shorter than \(Self.minimumSecretBytes) bytes") }
        let bytes: [UInt8]
        do throws(RegularFile.Refusal) {
            bytes = try RegularFile.read(path, limit: Self.maximumBytes, isPrivate: true)
        } catch {
            return Self.finding(error)
        }
        return finding(bytes, source)
    }

    /// The largest document in base64url, plus the lines around it.
    private static let maximumBytes = 2 * KeySet.maximumBytes + 4_096

    private static func finding(_ refusal: RegularFile.Refusal) -> Finding {
        switch refusal {
        case .missing: .nothing
        case .notRegular: .refused("it is not a regular file")
        case .tooLarge: .refused("it is larger than \(maximumBytes) bytes")
        case .notPrivate: .refused("another user could have written it")
        case .unreadable: .refused("it cannot be read")
        }
    }

    private func finding(_ bytes: [UInt8], _ source: String) -> Finding {
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

    /// Takes a time that depends only on the lengths.
    private static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
