/// Tokens to verify together; their bytes are concatenated. A reused batch allocates nothing.
///
/// ```swift
/// var batch = TokenBatch()
/// for token in tokens { batch.append(token) }
/// let verdicts = verifier.verify(batch)
/// ```
public struct TokenBatch: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    public init() {}

    /// A batch of `tokens`, in their order.
    public init(_ tokens: some Sequence<String>) { for token in tokens { append(token) } }

    /// A batch of tokens in arrays of bytes, in their order.
    public init(_ tokens: some Sequence<[UInt8]>) { for token in tokens { append(token) } }

    /// Adds a token at the end.
    public mutating func append(_ token: Span<UInt8>) {
        // SAFETY: copied before the closure ends.
        unsafe token.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    /// Adds a token at the end.
    public mutating func append(_ token: [UInt8]) { append(token.span) }

    /// Adds a token at the end.
    public mutating func append(_ token: String) { append(token.utf8.span) }

    /// Removes the tokens and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// The number of tokens.
    public var count: Int { ends.count }

    /// The bytes of a token.
    public subscript(position: Int) -> Span<UInt8> {
        @_lifetime(borrow self) get {
            bytes.span.extracting((position == 0 ? 0 : ends[position - 1])..<ends[position])
        }
    }
}
