internal import CReadCopyUpdate

/// The verification of many tokens: the signatures of a run of them are judged together, and then each goes the way of a single token,
/// its verdict in hand. What is refused, and why, is the same as alone.
struct BatchVerification {
    let limits: TokenLimits

    /// Tokens whose signatures are collected before any is judged.
    private static let run = 64

    func verify(
        _ batch: borrowing TokenBatch, _ policy: borrowing ClaimsPolicy, keys: some KeySource, now: NumericDate,
        accepted: (Int, borrowing Claims) -> Void, refused: (Int, VerificationError) -> Void
    ) {
        var first = 0
        while first < batch.count {
            let run = first..<min(first + Self.run, batch.count)
            do throws(VerificationError) {
                try verify(run, batch, policy, keys: keys, now: now, accepted: accepted, refused: refused)
            } catch {
                // Without keys or memory every token is told its own reason, as alone.
                for token in run { verify(token, nil, batch, policy, keys: keys, now: now, accepted: accepted, refused: refused) }
            }
            first = run.upperBound
        }
    }

    private func verify(
        _ run: Range<Int>, _ batch: borrowing TokenBatch, _ policy: borrowing ClaimsPolicy, keys: some KeySource,
        now: NumericDate, accepted: (Int, borrowing Claims) -> Void, refused: (Int, VerificationError) -> Void
    ) throws(VerificationError) {
        var memory = try Scratch<PendingSignature>(capacity: Self.run)
        var signatures = try Scratch<UInt8>(capacity: Self.run * Kernels.modulusBytes)
        let judgement = try keys.withKeys { lent throws(VerificationError) in
            Judgement(serial: lent.serial, count: try judge(run, batch, policy, lent, &memory, &signatures))
        }
        // The keys are given back by now: what the caller does with a verdict holds nobody up, and a key that is gone by a token's turn
        // accepts no more.
        let pending = memory.span(0..<judgement.count)
        var next = 0
        for token in run {
            var judged: JudgedSignature?
            if next < judgement.count, pending[next].token == token {
                judged = JudgedSignature(pending[next], keySetSerial: judgement.serial)
                next += 1
            }
            verify(token, judged, batch, policy, keys: keys, now: now, accepted: accepted, refused: refused)
        }
    }

    private struct Judgement {
        let serial: UInt64
        let count: Int
    }

    /// Judges the signatures of a run by one set of keys.
    ///
    /// - Returns: how many of them `memory` tells of, in the order of their tokens.
    private func judge(
        _ run: Range<Int>, _ batch: borrowing TokenBatch, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        _ memory: inout Scratch<PendingSignature>, _ signatures: inout Scratch<UInt8>
    ) throws(VerificationError) -> Int {
        // No kernel judges a signature by a shared secret.
        guard keys.hasAsymmetric else { return 0 }
        var pending = memory.mutableSpan()
        var count = 0
        // SAFETY: tables are loaded and used within the section, so none of them is freed before their signatures are judged.
        guard let reader = unsafe crcu_enter() else { throw VerificationError(.keysUnavailable) }
        for token in run {
            guard let entry = unsafe self.pending(token, batch[token], policy, keys, &signatures, at: count) else { continue }
            pending[count] = entry
            count += 1
        }
        unsafe pending.withUnsafeMutableBufferPointer { all in
            var signatures = unsafe SignatureBatch(UnsafeMutableBufferPointer(rebasing: all[..<count]))
            signatures.judge()
        }
        unsafe crcu_leave(reader)
        return count
    }

    private func verify(
        _ token: Int, _ judged: JudgedSignature?, _ batch: borrowing TokenBatch, _ policy: borrowing ClaimsPolicy,
        keys: some KeySource, now: NumericDate, accepted: (Int, borrowing Claims) -> Void, refused: (Int, VerificationError) -> Void
    ) {
        do throws(VerificationError) {
            try Verification(limits: limits, judged: judged).withClaims(batch[token], policy, keys: keys, now: now) { accepted(token, $0) }
        } catch {
            refused(token, error)
        }
    }
}
