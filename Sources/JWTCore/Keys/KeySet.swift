internal import Synchronization

/// A set of keys, immutable: what a token's `kid` is looked up in.
///
/// Looking up never trusts the token further than to name a key, and never falls back: a `kid` that no key has is an error. Keys
/// that cannot be used are in ``keys`` all the same, with their reason.
public final class KeySet: Sendable {
    /// Every key of the document, in its order.
    public let keys: [VerificationKey]
    /// The same keys, each as long-lived as this set.
    let borrowed: [BorrowedKey]
    private let index: NameIndex
    /// Whether a token's `kid` counts. A key handed over alone is meant: unless it has a name, a token may call it as it likes.
    private let isNamed: Bool
    /// Whether a usable key is asymmetric.
    let hasAsymmetric: Bool
    /// Which set this is: no other of this process has the same number, whatever keys it has, and zero is none's.
    let serial = KeySet.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    private static let lastSerial = Atomic<UInt64>(0)

    /// The limits of a key set document: 256 KiB and 256 keys, more than fifty times what providers publish.
    public static let maximumBytes = 262_144
    public static let maximumKeys = 256

    init(_ keys: [VerificationKey], isPinned: Bool) {
        self.keys = keys
        self.borrowed = keys.map(\.borrowed)
        self.isNamed = !(isPinned && keys[0].keyID == nil)
        self.index = NameIndex(keys.map(\.keyID))
        self.hasAsymmetric = keys.contains { $0.refusal == nil && $0.kind != .oct }
    }

    /// A set of one key that the caller vouches for: a token without a `kid` is verified with it, and if the key has no `kid` of
    /// its own, so is a token with one.
    public convenience init(_ key: VerificationKey) { self.init([key], isPinned: true) }

    /// Reads a JWK Set (RFC 7517 section 5). Unusable keys stay in it, inspectable.
    ///
    /// - Throws: `invalid_json`, `duplicate_member`, `invalid_utf8`; `invalid_key` for a document without a `keys` array;
    ///   `token_too_large` and `too_many_members` beyond the limits.
    public convenience init(jwks document: Span<UInt8>) throws(VerificationError) {
        let document = try Self.parse(document)
        guard let list = document.root["keys"], list.isArray else { throw VerificationError(.invalidKey) }
        guard list.count <= Self.maximumKeys else { throw VerificationError(.tooManyMembers) }
        var keys: [VerificationKey] = []
        for position in 0..<list.count {
            guard let jwk = list[position] else { continue }
            keys.append(VerificationKey(KeyFacts(jwk: jwk)))
        }
        self.init(keys, isPinned: false)
    }

    /// The same, from text.
    public convenience init(jwks document: String) throws(VerificationError) { try self.init(jwks: document.utf8.span) }

    /// Reads one JWK, vouched for as in ``init(_:)``.
    ///
    /// - Throws: as for a JWK Set; `invalid_key` for a document that is no JWK.
    public convenience init(jwk document: Span<UInt8>) throws(VerificationError) {
        let document = try Self.parse(document)
        guard document.root.isObject, document.root["kty"] != nil else { throw VerificationError(.invalidKey) }
        self.init([VerificationKey(KeyFacts(jwk: document.root))], isPinned: true)
    }

    /// Reads whatever holds public keys: a JWK Set, a JWK, PEM or DER.
    public convenience init(document: Span<UInt8>) throws(VerificationError) {
        guard document.firstNonWhitespace == UInt8(ascii: "{") else {
            self.init(try VerificationKey(importing: document))
            return
        }
        if try Self.isSet(document) { try self.init(jwks: document) } else { try self.init(jwk: document) }
    }

    private static func isSet(_ document: Span<UInt8>) throws(VerificationError) -> Bool {
        let document = try parse(document)
        return document.root["keys"] != nil
    }

    static func parse(_ document: Span<UInt8>) throws(VerificationError) -> JanssonDocument {
        guard document.count <= maximumBytes else { throw VerificationError(.tokenTooLarge, at: maximumBytes) }
        let utf8End = document.utf8End()
        guard utf8End == document.count else { throw VerificationError(.invalidUTF8, at: utf8End) }
        // jansson overlooks a NUL behind a number or a literal.
        for offset in 0..<document.count where document[offset] == 0 { throw VerificationError(.invalidJSON, at: offset) }
        return try JanssonDocument(parsing: document)
    }

    /// Has the kernels prepare every key now, on the calling thread: milliseconds a key. Without it a key is prepared beside its first
    /// verifications, which libcrypto does meanwhile.
    public func prepare() {
        for key in keys { if let kernelKey = key.kernelKey { kernelKey.tables.prepare(kernelKey) } }
    }

    // Lookup

    /// The keys that fit a token of `algorithm` which names `keyID` or none, in the set's order.
    ///
    /// - Throws: `unknown_key`, `ambiguous_key` beyond `limit`, or the weightiest reason why none of the keys found fits:
    ///   `weak_key`, `invalid_key`, `key_use_mismatch`, `key_algorithm_mismatch`.
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

/// The keys to try for one token: their places in the set.
struct Candidates {
    private(set) var count = 0
    // Sixteen bits each, in two words: they stay in registers, where an array in place would be stored narrow and loaded wide.
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
    /// Which of several keys' reasons is told: the one closest to a key that would have served.
    fileprivate var weight: Int {
        switch self {
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
