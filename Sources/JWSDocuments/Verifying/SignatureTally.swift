internal import JWTCore

/// Which signatures of a document hold, and which do not.
struct SignatureTally {
    private(set) var held: [VerifiedSignature] = []
    private(set) var refusals: [Int: VerificationError] = [:]

    /// Adds the next signature of the document.
    mutating func add(
        _ signature: UnverifiedSignature, _ outcome: Result<(algorithm: SignatureAlgorithm, key: VerificationKey), VerificationError>
    ) {
        let position = held.count + refusals.count
        switch outcome {
        case .success(let found):
            held.append(
                VerifiedSignature(
                    position: position, algorithm: found.algorithm, key: found.key, protectedHeader: signature.protectedHeader))
        case .failure(let error):
            refusals[position] = error
        }
    }

    /// Checks that as many signatures hold as the policy requires, and those of its signers.
    ///
    /// - Throws: `signature_refused`, `signer_mismatch`.
    func check(_ policy: DocumentPolicy) throws(DocumentError) {
        let isEnough = policy.requirement == .all ? refusals.isEmpty : !held.isEmpty
        if !isEnough, let worst { throw DocumentError(.signatureRefused, signature: worst.key, cause: worst.value) }
        guard policy.requirement == .all || held.count == 1 else { throw DocumentError(.signerMismatch) }
        let names = held.compactMap { $0.key.keyID.map { Array($0.utf8) } }
        guard policy.signers.allSatisfy({ names.contains(Array($0.utf8)) }) else { throw DocumentError(.signerMismatch) }
    }

    /// The refusal that says most: one that a fetch may heal, then a wrong signature, then the first.
    private var worst: (key: Int, value: VerificationError)? {
        let ordered = refusals.sorted { $0.key < $1.key }
        return ordered.first { $0.value.code.isRetryable } ?? ordered.first { $0.value.code == .signatureInvalid } ?? ordered.first
    }
}
