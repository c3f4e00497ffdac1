extension TokenLimits {
    /// Limits for a Status List Token: the standard ones, with room for the text of a list.
    ///
    /// - Parameter maximumBytes: bytes of the list before compression.
    public static func statusList(maximumBytes: Int) -> Self {
        // What deflate cannot compress it stores, with a few bytes more for each block. No block of a usual size is a 256th longer.
        let list = min(max(maximumBytes, 0), 1 << 28)
        let text = encodedCount(list + list / 256 + 64)
        var limits = standard
        limits.stringBytes = max(limits.stringBytes, text)
        limits.tokenBytes += encodedCount(text)
        return limits
    }

    /// The number of base64url characters for `count` bytes, with padding.
    private static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }
}
