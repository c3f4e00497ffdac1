import FuzzInput
import JWTCore

/// Fuzzes whole tokens: each is refused with a code, or carries the only signature that the key makes. Every form of the byte kernels says
/// the same. HS256 keeps signatures cheap.
let policy = {
    var policy = ClaimsPolicy()
    policy.algorithms = AlgorithmSet(SignatureAlgorithm.all)
    return policy
}()
let keys = Keys.set([Keys.hs256JWK])
let verifier = TokenVerifier(keys: keys, policy: policy)

/// The same with limits that a small input reaches.
let narrow = {
    var limits = TokenLimits()
    (limits.tokenBytes, limits.headerBytes, limits.depth) = (700, 90, 4)
    (limits.headerMembers, limits.members, limits.headerValues, limits.values) = (4, 8, 8, 16)
    (limits.stringBytes, limits.numberBytes, limits.candidateKeys) = (64, 12, 1)
    return TokenVerifier(keys: keys, policy: policy, limits: limits)
}()
let now: NumericDate = 1_700_000_100

@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { TokenMutator.mutate($0, limit: room, &$1, key: Keys.hs256) }
}

Fuzzer.run { token in
    let verdict = KernelForms.compare { Verdict { () throws(VerificationError) in try verifier.verify(token.span, now: now) } }
    if case .accepted(let header, let payload, _) = verdict {
        Witness.check(signed: token, by: Keys.hs256)
        Witness.check(header: header, algorithm: "HS256")
        Witness.check(payload: payload, issuer: nil, audience: nil, now: 1_700_000_100, leeway: 60)
    }
    let again = Verdict { () throws(VerificationError) in try verifier.verify(token.span, now: now) }
    precondition(again == verdict, "a second verification differs")
    let narrowed = Verdict { () throws(VerificationError) in try narrow.verify(token.span, now: now) }
    precondition(verdict.isAccepted || !narrowed.isAccepted, "narrower limits accept more")
    if case .refused(let error) = verdict { _ = verifier.explanation(of: error, token: token, now: now) }
    checkPayload(token)
    checkUnverified(token, verdict)
    checkIssuer(token)
    Forms.check(token, verdict)
}

/// A JWS with any payload, and one without its payload.
func checkPayload(_ token: [UInt8]) {
    do throws(VerificationError) {
        try verifier.withVerifiedPayload(token.span) { payload, header in
            Witness.check(signed: token, by: Keys.hs256)
            precondition(header.algorithm == .hs256 && payload.count <= token.count)
        }
    } catch {
        ReachedCodes.note(error)
    }
    do throws(VerificationError) {
        try verifier.verifyDetached(token, payload: Array("{}".utf8))
    } catch {
        ReachedCodes.note(error)
    }
}

func checkUnverified(_ token: [UInt8], _ verdict: Verdict) {
    do throws(VerificationError) {
        let claims = try UnverifiedClaims(reading: token.span)
        _ = claims.issuer
    } catch {
        precondition(!verdict.isAccepted, "a verified token cannot be inspected")
    }
}

/// The issuer by which a verifier is chosen is that of the whole payload.
func checkIssuer(_ token: [UInt8]) {
    do throws(VerificationError) {
        let name = try CompactToken(parsing: token.span).withUnverifiedIssuer(.standard) { name throws(VerificationError) in name.utf8 }
        guard let claims = try? UnverifiedClaims(reading: token.span) else { return }
        precondition(claims.issuer.map { Array($0.utf8) } == name, "a verifier is chosen by another issuer")
    } catch {
        ReachedCodes.note(error)
    }
}
