internal import CJWTKernels

extension MutableSpan<JSONNode> {
    /// Reads `text` onto this tape. Returns the number of records, or zero if the tokenizer must judge.
    ///
    /// - Throws: as `JSONTokenizer.tokenize`.
    mutating func read(_ text: Span<UInt8>, _ limits: JSONLimits) throws(VerificationError) -> Int {
        var kernel = limits.kernel
        var fault = cjwt_json_fault()
        let records = unsafe withKernelNodes { nodes, count in
            unsafe text.withUnsafeBufferPointer { unsafe cjwt_json_tape(nodes, count, nil, $0.baseAddress, $0.count, &kernel, &fault) }
        }
        if records == 0 { try limits.rethrow(fault, of: text.count) }
        return records
    }

    @inline(__always)
    mutating func withKernelNodes(_ body: (UnsafeMutablePointer<cjwt_json_node>?, Int) -> Int) -> Int {
        unsafe withUnsafeMutableBufferPointer { tape in
            // SAFETY: a JSONNode contains exactly one cjwt_json_node.
            unsafe body(UnsafeMutableRawPointer(tape.baseAddress)?.assumingMemoryBound(to: cjwt_json_node.self), tape.count)
        }
    }
}

extension JSONValue {
    /// Tokenizes `text` onto `tape`. Error offsets refer to the base64url text that begins at `base` in the token.
    @_lifetime(copy text, &tape)
    init(_ text: Span<UInt8>, tape: inout Scratch<JSONNode>, limits: JSONLimits, base: Int) throws(VerificationError) {
        var count = try Self.read(text, &tape, limits, base)
        if count == 0 { count = try Self.tokenize(text, &tape, limits, base) }
        self.init(text: text, tape: tape.span(0..<count))
    }

    private static func read(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits, _ base: Int
    ) throws(VerificationError) -> Int {
        var nodes = tape.mutableSpan()
        do { return try nodes.read(text, limits) } catch { throw error.decoded(from: base) }
    }

    static func tokenize(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits, _ base: Int
    ) throws(VerificationError) -> Int {
        do throws(VerificationError) {
            var tokenizer = JSONTokenizer(text, tape: tape.mutableSpan(), limits: limits)
            return try tokenizer.tokenizeByReference()
        } catch {
            throw error.decoded(from: base)
        }
    }
}

extension VerificationError {
    /// The same error with its offset converted from decoded bytes to the token, whose base64url part begins at `base`.
    func decoded(from base: Int) -> Self {
        guard let offset else { return self }
        return VerificationError(code, at: base + Base64URL.textOffset(of: offset), claim: claim)
    }
}
