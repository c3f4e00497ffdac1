/// A set of algorithms: those that a policy allows or a key is for. It is one machine word, not a collection.
public struct AlgorithmSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt32 = 0

    public init(_ algorithms: some Sequence<SignatureAlgorithm>) {
        for algorithm in algorithms { insert(algorithm) }
    }

    public init(arrayLiteral algorithms: SignatureAlgorithm...) { self.init(algorithms) }

    /// Every algorithm with public keys, so all but HMAC. A policy's default.
    public static let asymmetric = Self(SignatureAlgorithm.all.filter { !$0.isSymmetric })
    /// HS256, HS384 and HS512.
    public static let symmetric = Self(SignatureAlgorithm.all.filter(\.isSymmetric))

    public var isEmpty: Bool { bits == 0 }

    public func contains(_ algorithm: SignatureAlgorithm) -> Bool { bits & 1 << algorithm.index != 0 }

    public mutating func insert(_ algorithm: SignatureAlgorithm) { bits |= 1 << algorithm.index }

    public func intersection(_ other: Self) -> Self {
        var result = self
        result.bits &= other.bits
        return result
    }

    /// The members, in table order.
    public var algorithms: [SignatureAlgorithm] { SignatureAlgorithm.all.filter(contains) }
}
