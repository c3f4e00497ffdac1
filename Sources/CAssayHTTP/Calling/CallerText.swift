internal import CAssayInterface

extension assay_text {
    /// A copy of the caller's bytes; nil for NULL with a length, and for a length that no memory has.
    var array: [UInt8]? {
        let count = unsafe len
        guard count > 0 else { return count == 0 ? [] : nil }
        guard let start = unsafe bytes else { return nil }
        // SAFETY: the caller answers for `count` bytes at `start`; char and UInt8 are layout-compatible.
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Nil also for what is not UTF-8.
    var string: String? { unsafe array.flatMap { String(validating: $0, as: UTF8.self) } }
}

extension assay_code {
    static let ok = assay_code(ASSAY_OK)
    static let invalidArgument = assay_code(ASSAY_INVALID_ARGUMENT)
    static let forked = assay_code(ASSAY_FORKED)
    static let noThread = assay_code(ASSAY_NO_THREAD)
    static let notDue = assay_code(ASSAY_NOT_DUE)
    static let noValue = assay_code(ASSAY_NO_VALUE)
    static let keysUnavailable = assay_code(ASSAY_KEYS_UNAVAILABLE)
}
