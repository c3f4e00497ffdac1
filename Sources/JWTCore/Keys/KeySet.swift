internal import Synchronization

/// An immutable set of keys, in which a token's `kid` is looked up.
///
/// A token can only name a key, and there is no fallback: a `kid` that no key has is an error. Unusable keys stay in ``keys``, with their
/// reason.
public final class KeySet: Sendable {
    /// Every key of the document, in its order.
    public let keys: [VerificationKey]
    /// The same keys, each valid as long as this set.
    let borrowed: [BorrowedKey]
    private let index: NameIndex
    /// Whether a token's `kid` is compared. A single pinned key without a name accepts any `kid`.
    private let isNamed: Bool
    /// Whether a usable key is asymmetric.
    let hasAsymmetric: Bool
    /// A number unique among the sets of this process, even for equal keys. Never zero.
    let serial = KeySet.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    private static let lastSerial = Atomic<UInt64>(0)

    /// The limits of a key set document: 256 KiB and 256 keys, more than fifty times what providers publish.
    public static let maximumBytes = JSONDocument.maximumBytes
    public static let maximumKeys = 256

    init(_ keys: [VerificationKey], isPinned: Bool) {
        self.keys = keys
        self.borrowed = keys.map(\.borrowed)
        self.isNamed = !(isPinned && keys[0].keyID == nil)
        self.index = NameIndex(keys.map(\.keyID))
        self.hasAsymmetric = keys.contains { $0.unusableReason == nil && $0.type != .oct }
    }

    /// A set of one pinned key: it verifies a token without a `kid` and, if the key has no `kid` itself, also a token with one.
    public convenience init(_ key: VerificationKey) { self.init([key], isPinned: true) }

    /// A set of several keys of your own, from any documents: PEM, DER, JWK, or shared secrets for HMAC.
    ///
    /// A token with a `kid` is verified only with keys of exactly that name, so give each key one; a key without a name verifies only tokens
    /// without a `kid`. A token without a `kid` may be verified by any fitting key, up to ``TokenLimits/candidateKeys``.
    ///
    /// - Throws: `too_many_members` beyond ``maximumKeys``.
    public convenience init(_ keys: [VerificationKey]) throws(VerificationError) {
        guard keys.count <= Self.maximumKeys else { throw VerificationError(.tooManyMembers) }
        self.init(keys, isPinned: false)
    }

    /// The keys with this `kid`, byte for byte, in the set's order. Unusable keys are among them.
    public subscript(keyID keyID: String) -> [VerificationKey] {
        var found: [VerificationKey] = []
        var position = index.first(JSONString(keyID.utf8.span, isEscaped: false))
        while position >= 0 {
            found.append(keys[position])
            position = index.next(after: position)
        }
        return found
    }

    /// Reads a JWK Set (RFC 7517 section 5). Unusable keys stay in it for inspection.
    ///
    /// - Throws: `invalid_json`, `duplicate_member`, `invalid_utf8`; `invalid_key` for a document without a `keys` array;
    ///   `token_too_large` and `too_many_members` beyond the limits.
    public convenience init(jwks document: Span<UInt8>) throws(VerificationError) {
        let document = try JSONDocument(parsing: document)
        self.init(try Self.facts(of: document.root).map { VerificationKey($0) }, isPinned: false)
    }

    /// The facts of each key of a set.
    ///
    /// - Throws: `invalid_key` without a `keys` array, `too_many_members` beyond ``maximumKeys``.
    static func facts(of root: borrowing JSONElement, purpose: String = "sig") throws(VerificationError) -> [KeyFacts] {
        guard let list = root["keys"], list.isArray else {
            throw VerificationError(.invalidKey, because: "the document is not a JWK Set: it has no array `keys`")
        }
        guard list.count <= maximumKeys else { throw VerificationError(.tooManyMembers) }
        var facts: [KeyFacts] = []
        for position in 0..<list.count {
            guard let jwk = list[position] else { continue }
            facts.append(KeyFacts(jwk: jwk, purpose: purpose))
        }
        return facts
    }

    /// Reads a JWK Set from an array of bytes.
    public convenience init(jwks document: [UInt8]) throws(VerificationError) { try self.init(jwks: document.span) }

    /// Reads a JWK Set from text.
    public convenience init(jwks document: String) throws(VerificationError) { try self.init(jwks: document.utf8.span) }

    /// Reads one JWK, pinned as in ``init(_:)-(VerificationKey)``.
    ///
    /// - Throws: as for a JWK Set; `invalid_key` for a document that is not a JWK.
    public convenience init(jwk document: Span<UInt8>) throws(VerificationError) {
        let document = try JSONDocument(parsing: document)
        self.init([VerificationKey(try Self.facts(ofKey: document.root))], isPinned: true)
    }

    /// Reads one JWK that a sender chose, such as a holder's key. The kernels prepare no table for it: senders have many keys, and each would
    /// take the room of an issuer's table.
    ///
    /// - Throws: as for a JWK.
    package convenience init(senderJWK document: Span<UInt8>) throws(VerificationError) {
        let document = try JSONDocument(parsing: document)
        self.init([VerificationKey(try Self.facts(ofKey: document.root), tables: nil)], isPinned: true)
    }

    /// The facts of a document that is one key.
    ///
    /// - Throws: `invalid_key` if it is not a JWK.
    static func facts(ofKey root: borrowing JSONElement) throws(VerificationError) -> KeyFacts {
        guard root.isObject, root["kty"] != nil else {
            throw VerificationError(.invalidKey, because: "the document is not a JWK: it has no `kty`")
        }
        return KeyFacts(jwk: root)
    }

    /// Reads one JWK from an array of bytes.
    public convenience init(jwk document: [UInt8]) throws(VerificationError) { try self.init(jwk: document.span) }

    /// Reads one JWK from text.
    public convenience init(jwk document: String) throws(VerificationError) { try self.init(jwk: document.utf8.span) }

    /// Reads any document of public keys: a JWK Set, a JWK, PEM or DER.
    public convenience init(document: Span<UInt8>) throws(VerificationError) {
        guard document.firstNonWhitespace == UInt8(ascii: "{") else {
            self.init(try VerificationKey(importing: document))
            return
        }
        if try Self.isSet(document) { try self.init(jwks: document) } else { try self.init(jwk: document) }
    }

    /// Reads any document of public keys from an array of bytes.
    public convenience init(document: [UInt8]) throws(VerificationError) { try self.init(document: document.span) }

    /// Reads any document of public keys from text.
    public convenience init(document: String) throws(VerificationError) { try self.init(document: document.utf8.span) }

    /// Whether a JSON document is a JWK Set.
    package static func isSet(_ document: Span<UInt8>) throws(VerificationError) -> Bool {
        let document = try JSONDocument(parsing: document)
        return document.root["keys"] != nil
    }

    /// Prepares every key for the kernels now, on the calling thread: milliseconds per key. Without this call a key is prepared in the
    /// background, and libcrypto does its first verifications.
    public func prepare() {
        for key in keys { if let kernelKey = key.kernelKey { kernelKey.tables.prepare(kernelKey) } }
    }

    // Lookup

    /// The keys that fit a token of `algorithm` with the key id `keyID`, if any, in the set's order.
    ///
    /// - Throws: `unknown_key`, `ambiguous_key` beyond `limit`, or the most relevant reason why no key found fits: `weak_key`,
    ///   `invalid_key`, `key_use_mismatch`, `key_algorithm_mismatch`.
    func candidates(_ algorithm: SignatureAlgorithm, keyID: JSONString?, limit: Int) throws(VerificationError) -> Candidates {
        var candidates = Candidates()
        var refusal: VerificationError.Code?
        if isNamed, let keyID {
            var position = index.first(keyID)
            while position >= 0 {
                try consider(position, for: algorithm, limit, &candidates, &refusal)
                position = index.next(after: position)
            }
        } else {
            for position in 0..<borrowed.count { try consider(position, for: algorithm, limit, &candidates, &refusal) }
        }
        guard candidates.count > 0 else { throw VerificationError(refusal ?? .unknownKey) }
        return candidates
    }

    @inline(__always)
    private func consider(
        _ position: Int, for algorithm: SignatureAlgorithm, _ limit: Int, _ candidates: inout Candidates,
        _ refusal: inout VerificationError.Code?
    ) throws(VerificationError) {
        if let reason = borrowed[position].refusal(for: algorithm) {
            if reason.weight > refusal?.weight ?? 0 { refusal = reason }
            return
        }
        guard candidates.count < min(limit, Candidates.maximum) else { throw VerificationError(.ambiguousKey) }
        candidates.append(position)
    }
}

/// The keys to try for one token: their indices in the set.
struct Candidates {
    private(set) var count = 0
    // Sixteen bits each, in two words: they stay in registers, where an inline array would be stored narrow and loaded wide.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let maximum = 8

    init() {}

    init(only position: Int) { append(position) }

    subscript(ordinal: Int) -> Int { Int((ordinal < 4 ? low : high) >> UInt64(16 * (ordinal % 4)) & 0xffff) }

    @inline(__always)
    mutating func append(_ position: Int) {
        let place = UInt64(UInt16(truncatingIfNeeded: position)) << UInt64(16 * (count % 4))
        if count < 4 { low |= place } else { high |= place }
        count += 1
    }
}

extension VerificationError.Code {
    /// Orders the reasons of several keys: the highest is the one closest to a usable key.
    fileprivate var weight: Int {
        switch self {
        // No key is at fault: libcrypto has no algorithms.
        case .keysUnavailable: 5
        case .weakKey: 4
        case .invalidKey: 3
        case .keyUseMismatch: 2
        default: 1
        }
    }
}

extension Span<UInt8> {
    /// The first byte that is not JSON white space.
    fileprivate var firstNonWhitespace: UInt8? {
        for index in 0..<count where ![0x20, 0x09, 0x0a, 0x0d].contains(self[index]) { return self[index] }
        return nil
    }
}
