extension BatchVerification {
    /// The signature of a token that a kernel can judge with exactly one key of the set; nil for any other token, which is verified singly.
    ///
    /// - Parameter signature: receives the signature, decoded.
    @unsafe
    func pending(
        _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, _ signature: inout MutableSpan<UInt8>
    ) -> PendingSignature? {
        do throws(VerificationError) {
            return unsafe try collected(bytes, policy, keys, &signature)
        } catch {
            return nil
        }
    }

    /// A separate function: within `do` and `catch` the optimiser would box the memo on the heap.
    @unsafe
    private func collected(
        _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, _ signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        let token = try CompactToken(parsing: bytes, limits: limits)
        return unsafe try collected(token, HeaderMemo(for: token.header), policy, keys, &signature)
    }

    @unsafe
    private func collected(
        _ token: CompactToken, _ memo: borrowing HeaderMemo, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        _ signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        if memo.recognises(token.header, limits) {
            return unsafe try pending(token, memo.header, memo.chosenKey, policy, keys, &signature)
        }
        guard Base64URL.decodedCount(token.header.count) <= limits.headerBytes else { return nil }
        let decoded = try DecodedPart(token.header, base: 0)
        var tape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return unsafe try pending(token, decoded, &tape, policy, keys, &signature)
    }

    @unsafe
    private func pending(
        _ token: CompactToken, _ decoded: borrowing DecodedPart, _ tape: inout Scratch<JSONNode>, _ policy: borrowing ClaimsPolicy,
        _ keys: KeySet, _ signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        let header = try JOSEHeader(JSONValue(decoded.bytes, tape: &tape, limits: limits.headerJSON, base: 0))
        return unsafe try pending(token, header, ChosenKey(), policy, keys, &signature)
    }

    @unsafe
    private func pending(
        _ token: CompactToken, _ header: borrowing JOSEHeader, _ chosen: ChosenKey, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        _ signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        try policy.evaluate(header)
        let choice = KeyChoice(chosen: chosen, allowed: policy.algorithms, limit: limits.candidateKeys)
        let candidates = try keys.candidates(header, choice)
        guard candidates.count == 1, Base64URL.decodedCount(token.signature.count) <= Kernels.modulusBytes else { return nil }
        let position = candidates[0]
        guard let (family, table) = unsafe keys.borrowed[position].loadTable() else { return nil }
        let count = try Base64URL.decode(token.signature, into: &signature)
        let row = header.algorithm.row
        guard row.signatureLength == 0 || count == row.signatureLength, table.takes(signatureOf: count, family) else { return nil }
        // SAFETY: the batch retains the token's bytes; the caller retains the signature's memory and stays in the section that loaded the table.
        let message = unsafe token.signingInput.withUnsafeBufferPointer { unsafe $0 }
        let decoded = unsafe signature.span.extracting(first: count).withUnsafeBufferPointer { unsafe $0 }
        return unsafe PendingSignature(
            family: family, table: table, algorithm: header.algorithm, message: message, signature: decoded, keyPosition: position)
    }
}
