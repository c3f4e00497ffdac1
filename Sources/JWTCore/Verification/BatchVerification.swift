internal import CReadCopyUpdate

/// The verification of many tokens: the signatures of a run are judged together, then each token is verified like a single one, with its
/// verdict. Results and errors are the same as for single tokens.
struct BatchVerification {
    let limits: TokenLimits
    let now: NumericDate

    /// Tokens whose signatures are collected before any is judged.
    private static let run = 64

    func verify(
        _ batch: borrowing TokenBatch, _ rules: Rules, accepted: (Int, borrowing Claims) -> Void,
        refused: (Int, VerificationError) -> Void
    ) {
        var first = 0
        while first < batch.count {
            let run = first..<min(first + Self.run, batch.count)
            do throws(VerificationError) {
                try verify(run, batch, rules, accepted: accepted, refused: refused)
            } catch {
                // Without keys or memory every token gets its own error, as a single one would.
                for token in run { verify(token, nil, batch, rules, accepted: accepted, refused: refused) }
            }
            first = run.upperBound
        }
    }

    private func verify(
        _ run: Range<Int>, _ batch: borrowing TokenBatch, _ rules: Rules, accepted: (Int, borrowing Claims) -> Void,
        refused: (Int, VerificationError) -> Void
    ) throws(VerificationError) {
        var memory = unsafe try Scratch<PendingSignature>(capacity: Self.run)
        var signatures = try Scratch<UInt8>(capacity: Self.run * Kernels.modulusBytes)
        var judgement = Judgement(serial: 0, count: 0)
        try rules.withKeys { lent throws(VerificationError) in
            judgement = unsafe Judgement(serial: lent.serial, count: try judge(run, batch, rules.policy, lent, &memory, &signatures))
        }
        // The keys are released by now. The caller's code delays no refresh, and a key removed before a token's turn no longer accepts it.
        // SAFETY: reads only numbers and verdicts here; the tables may have been freed.
        let pending = unsafe memory.span(0..<judgement.count)
        var next = 0
        for token in run {
            var judged: JudgedSignature?
            if next < judgement.count, unsafe pending[next].token == token {
                judged = unsafe JudgedSignature(pending[next], keySetSerial: judgement.serial)
                next += 1
            }
            verify(token, judged, batch, rules, accepted: accepted, refused: refused)
        }
    }

    private struct Judgement {
        let serial: UInt64
        let count: Int
    }

    /// Judges the signatures of a run with one set of keys.
    ///
    /// - Returns: the number of judged signatures in `memory`, in the order of their tokens.
    private func judge(
        _ run: Range<Int>, _ batch: borrowing TokenBatch, _ policy: borrowing ClaimsPolicy, _ keys: KeySet,
        _ memory: inout Scratch<PendingSignature>, _ signatures: inout Scratch<UInt8>
    ) throws(VerificationError) -> Int {
        // No kernel judges signatures by a shared secret.
        guard keys.hasAsymmetric else { return 0 }
        var pending = unsafe memory.mutableSpan()
        var count = 0
        // SAFETY: tables are loaded and used within the section, so none is freed before its signatures are judged.
        guard let reader = unsafe crcu_enter() else { throw VerificationError(.keysUnavailable) }
        for token in run {
            var out = signatures.mutableSpan(from: count * Kernels.modulusBytes)
            guard let entry = unsafe pendingSignature(of: batch[token], policy, keys, in: &out) else { continue }
            unsafe pending[count] = unsafe entry
            unsafe pending[count].token = token
            count += 1
        }
        unsafe pending.withUnsafeMutableBufferPointer { all in
            var signatures = unsafe SignatureBatch(UnsafeMutableBufferPointer(rebasing: all[..<count]))
            unsafe signatures.judge()
        }
        unsafe crcu_leave(reader)
        return count
    }

    private func verify(
        _ token: Int, _ judged: JudgedSignature?, _ batch: borrowing TokenBatch, _ rules: Rules,
        accepted: (Int, borrowing Claims) -> Void, refused: (Int, VerificationError) -> Void
    ) {
        do throws(VerificationError) {
            try Verification(limits: limits, now: now, judged: judged).verify(batch[token], by: rules) { accepted(token, $0) }
        } catch {
            refused(token, error)
        }
    }
}
