/// The first steps of a batch's token: split, header, key, signature.
///
/// Each function either allocates memory or has steps, as in ``Verification``.
extension BatchVerification {
    /// The signature of a token that a kernel can judge with exactly one key of the set; nil for any other token, which is verified singly.
    ///
    /// - Parameter signature: receives the signature, decoded.
    @unsafe
    func pendingSignature(
        of bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, in signature: inout MutableSpan<UInt8>
    ) -> PendingSignature? {
        do throws(VerificationError) {
            return unsafe try splitting(bytes, policy, keys, in: &signature)
        } catch {
            return nil
        }
    }

    /// A separate function: within `do` and `catch` the optimiser would box the memo on the heap.
    @unsafe
    private func splitting(
        _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, in signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        let token = try CompactToken(parsing: bytes, limits: limits)
        return unsafe try recognisingHeader(of: token, HeaderMemo(for: token.header), policy, keys, in: &signature)
    }

    @unsafe
    private func recognisingHeader(
        of token: CompactToken, _ memo: borrowing HeaderMemo, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        in signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        guard memo.recognises(token.header, limits) else { return unsafe try decodingHeader(of: token, policy, keys, in: &signature) }
        return unsafe try choosingKey(for: token, memo.header, memo.chosenKey, policy, keys, in: &signature)
    }

    @unsafe
    private func decodingHeader(
        of token: CompactToken, _ policy: borrowing ClaimsPolicy, _ keys: KeySet, in signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        guard Base64URL.decodedCount(token.header.count) <= limits.headerBytes else { return nil }
        let decoded = try DecodedPart(token.header, base: 0)
        var tape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return unsafe try readingHeader(of: token, decoded, &tape, policy, keys, in: &signature)
    }

    @unsafe
    private func readingHeader(
        of token: CompactToken, _ decoded: borrowing DecodedPart, _ tape: inout Scratch<JSONNode>, _ policy: borrowing ClaimsPolicy,
        _ keys: KeySet, in signature: inout MutableSpan<UInt8>
    ) throws(VerificationError) -> PendingSignature? {
        let header = try JOSEHeader(JSONValue(decoded.bytes, tape: &tape, limits: limits.headerJSON, base: 0))
        return unsafe try choosingKey(for: token, header, ChosenKey(), policy, keys, in: &signature)
    }

    /// The steps after the header.
    @unsafe
    private func choosingKey(
        for token: CompactToken, _ header: borrowing JOSEHeader, _ chosen: ChosenKey, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        in signature: inout MutableSpan<UInt8>
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
