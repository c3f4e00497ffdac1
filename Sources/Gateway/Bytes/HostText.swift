/// A text in the memory of the host that asks for a decision.
@safe
public struct HostText: BitwiseCopyable {
    private let start: UnsafePointer<UInt8>?
    public let count: Int

    /// - Parameters:
    ///   - start: bytes that stay unchanged while a view of them exists; may be nil for an empty text.
    ///   - count: the number of the bytes.
    @unsafe
    public init(_ start: UnsafePointer<UInt8>?, count: Int) {
        unsafe self.start = start
        self.count = unsafe start == nil ? 0 : count
    }

    public static var empty: Self { unsafe Self(nil, count: 0) }

    /// The bytes, for as long as `owner` may be used.
    @_lifetime(copy owner)
    func bytes<Owner: ~Escapable>(of owner: borrowing Owner) -> Span<UInt8> {
        // SAFETY: the initialiser's caller answers for `count` bytes during the life of the view that this is called for.
        unsafe _overrideLifetime(Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count)), copying: owner)
    }
}

/// A name with a value in the host's memory.
public struct HostField: BitwiseCopyable {
    public let name: HostText
    public let value: HostText

    public init(name: HostText, value: HostText) {
        self.name = name
        self.value = value
    }
}
