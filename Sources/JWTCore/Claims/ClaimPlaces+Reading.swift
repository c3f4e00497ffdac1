internal import CJWTKernels

extension MutableSpan<JSONNode> {
    /// Reads `text` onto this tape as ``read(_:_:)`` does, and finds the registered claims.
    @inline(__always)
    package mutating func read(
        _ text: Span<UInt8>, _ limits: JSONLimits, finding claims: inout ClaimPlaces
    ) throws(VerificationError) -> Int {
        var kernel = limits.kernel
        var fault = cjwt_json_fault()
        let records = unsafe withKernelNodes { nodes, count in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe claims.withKernelClaims { unsafe cjwt_json_tape(nodes, count, $0, text.baseAddress, text.count, &kernel, &fault) }
            }
        }
        if records == 0 { try limits.rethrow(fault, of: text.count) }
        return records
    }
}

extension JSONValue {
    /// Tokenizes a payload onto `tape`, and finds its registered claims.
    @_lifetime(copy text, &tape)
    init(
        _ text: Span<UInt8>, tape: inout Scratch<JSONNode>, finding claims: inout ClaimPlaces, limits: JSONLimits, base: Int
    ) throws(VerificationError) {
        var count = try Self.read(text, &tape, limits, &claims, base)
        if count == 0 {
            claims = ClaimPlaces()
            count = try Self.tokenize(text, &tape, limits, base)
        }
        self.init(text: text, tape: tape.span(0..<count))
    }

    private static func read(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits, _ claims: inout ClaimPlaces, _ base: Int
    ) throws(VerificationError) -> Int {
        var nodes = tape.mutableSpan()
        do { return try nodes.read(text, limits, finding: &claims) } catch { throw error.decoded(from: base) }
    }
}
