internal import CJWTKernels

extension MutableSpan<JSONNode> {
    /// Reads `text` onto this tape as ``read(_:_:)`` does, and finds the registered claims.
    package mutating func read(_ text: Span<UInt8>, _ limits: JSONLimits, finding claims: inout ClaimPlaces) -> Int {
        var limits = limits.kernel
        return unsafe withKernelNodes { nodes, count in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe claims.withKernelClaims { unsafe cjwt_json_tape(nodes, count, $0, text.baseAddress, text.count, &limits) }
            }
        }
    }
}

extension JSONValue {
    /// Tokenizes a payload onto `tape`, and finds its registered claims.
    @_lifetime(copy text, &tape)
    init(
        _ text: Span<UInt8>, tape: inout Scratch<JSONNode>, finding claims: inout ClaimPlaces, limits: JSONLimits, base: Int
    ) throws(VerificationError) {
        var count = Self.read(text, &tape, limits, &claims)
        if count == 0 {
            claims = ClaimPlaces()
            count = try Self.tokenize(text, &tape, limits, base)
        }
        self.init(text: text, tape: tape.span(0..<count))
    }

    private static func read(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, _ limits: JSONLimits, _ claims: inout ClaimPlaces
    ) -> Int {
        var nodes = tape.mutableSpan()
        return nodes.read(text, limits, finding: &claims)
    }
}
