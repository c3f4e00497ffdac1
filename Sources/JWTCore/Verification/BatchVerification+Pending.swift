extension BatchVerification {
    /// The signature of a token that one key of the set can judge by a kernel; nil for any other token, which goes alone.
    @unsafe
    func pending(
        _ place: Int, _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, _ signatures: inout Scratch<UInt8>,
        at slot: Int
    ) -> PendingSignature? {
        do throws(VerificationError) {
            return unsafe try collected(place, bytes, policy, keys, &signatures, at: slot)
        } catch {
            return nil
        }
    }

    /// A function of its own: within `do` and `catch` the optimiser would put the memo into a box on the heap.
    @unsafe
    private func collected(
        _ place: Int, _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, _ signatures: inout Scratch<UInt8>,
        at slot: Int
    ) throws(VerificationError) -> PendingSignature? {
        let token = try CompactToken(parsing: bytes, limits: limits)
        return unsafe try collected(place, token, HeaderMemo(for: token.header), policy, keys, &signatures, at: slot)
    }

    @unsafe
    private func collected(
        _ place: Int, _ token: CompactToken, _ memo: borrowing HeaderMemo, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        _ signatures: inout Scratch<UInt8>, at slot: Int
    ) throws(VerificationError) -> PendingSignature? {
        if memo.recognises(token.header, limits) {
            return unsafe try pending(place, token, memo.header, memo.chosenKey, policy, keys, &signatures, at: slot)
        }
        guard Base64URL.decodedCount(token.header.count) <= limits.headerBytes else { return nil }
        let decoded = try DecodedHeader(token, limits: limits)
        var tape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return unsafe try pending(place, token, decoded, &tape, policy, keys, &signatures, at: slot)
    }

    @unsafe
    private func pending(
        _ place: Int, _ token: CompactToken, _ decoded: borrowing DecodedHeader, _ tape: inout Scratch<JSONNode>,
        _ policy: borrowing ClaimsPolicy, _ keys: KeySet, _ signatures: inout Scratch<UInt8>, at slot: Int
    ) throws(VerificationError) -> PendingSignature? {
        let header = try JOSEHeader(JSONValue(decoded.bytes, tape: &tape, limits: limits.headerJSON, base: 0))
        return unsafe try pending(place, token, header, ChosenKey(), policy, keys, &signatures, at: slot)
    }

    @unsafe
    private func pending(
        _ place: Int, _ token: CompactToken, _ header: borrowing JOSEHeader, _ chosen: ChosenKey, _ policy: borrowing ClaimsPolicy,
        _ keys: KeySet, _ signatures: inout Scratch<UInt8>, at slot: Int
    ) throws(VerificationError) -> PendingSignature? {
        try policy.evaluate(header)
        let candidates = try keys.candidates(header, chosen: chosen, allowed: policy.algorithms, limit: limits.candidateKeys)
        guard candidates.count == 1, Base64URL.decodedCount(token.signature.count) <= Kernels.modulusBytes else { return nil }
        let position = candidates[0]
        guard let (family, table) = unsafe keys.borrowed[position].loadTable() else { return nil }
        let start = slot * Kernels.modulusBytes
        var out = signatures.mutableSpan(from: start)
        let count = try Base64URL.decode(token.signature, into: &out)
        let row = header.algorithm.row
        guard row.signatureLength == 0 || count == row.signatureLength, table.takes(signatureOf: count, family) else { return nil }
        // SAFETY: the batch keeps the token's bytes, the caller the signatures and the section in which the table was loaded.
        let message = unsafe token.signingInput.withUnsafeBufferPointer { unsafe $0 }
        let signature = unsafe signatures.span(start..<start + count).withUnsafeBufferPointer { unsafe $0 }
        return unsafe PendingSignature(
            family: family, table: table, algorithm: header.algorithm, message: message, signature: signature, token: place,
            keyPosition: position)
    }
}

/// The header of a token, decoded.
struct DecodedHeader: ~Copyable {
    private let scratch: Scratch<UInt8>
    private let count: Int

    init(_ token: borrowing CompactToken, limits: TokenLimits) throws(VerificationError) {
        var scratch = try Scratch<UInt8>(capacity: token.header.count)
        var out = scratch.mutableSpan()
        count = try Base64URL.decode(token.header, into: &out)
        self.scratch = scratch
    }

    var bytes: Span<UInt8> { @_lifetime(borrow self) get { scratch.span(0..<count) } }
}
