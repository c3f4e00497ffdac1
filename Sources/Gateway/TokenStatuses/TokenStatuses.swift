internal import JWKSCache
internal import JWTCore
internal import StatusListCache
internal import Synchronization

/// The status lists of one provider's tokens, and a count of what they said.
@safe
package final class TokenStatuses: @unchecked Sendable {
    package let lists: ProviderLists
    /// The provider's name.
    package let provider: String
    private let sources: Sources
    // SAFETY: allocated and initialised in init, freed in deinit; every access is atomic and within ``places``.
    private let memory: UnsafeMutablePointer<Atomic<UInt64>>

    private static let places = 2 * StatusFinding.codes.count

    /// What lists are made of. With the same, they continue.
    private struct Sources {
        let terms: StatusListTerms
        let issuers: [[UInt8]]
        let keys: [ProviderKeys]
        let fetching: ListFetching

        func equals(_ other: Self) -> Bool {
            terms == other.terms && issuers == other.issuers && keys.elementsEqual(other.keys, by: { $0.isSame(as: $1) })
                && fetching.isSame(as: other.fetching)
        }
    }

    /// - Parameters:
    ///   - provider: has been checked, and has terms.
    ///   - keys: those of each of its issuers.
    ///   - fetching: who makes the requests. A provider's own transport is used in place of that of tasks.
    ///   - old: what this one may continue.
    static func of(
        _ provider: Provider, keys: [ProviderKeys], _ fetching: ListFetching, continuing old: [TokenStatuses]
    ) -> TokenStatuses? {
        guard let terms = provider.statusLists else { return nil }
        let sources = Sources(
            terms: terms, issuers: provider.issuers.map { Array($0.issuer.utf8) }, keys: keys, fetching: fetching.of(provider))
        return old.first { $0.provider == provider.name && $0.sources.equals(sources) } ?? TokenStatuses(provider, sources)
    }

    private init(_ provider: Provider, _ sources: Sources) {
        var policy = ClaimsPolicy.statusList
        policy.algorithms = provider.issuer.policy.algorithms
        policy.leeway = provider.issuer.policy.leeway
        // An origin that is none has been refused; here its provider would have no list at all, and refuse.
        let issuers = zip(provider.issuers, sources.keys).compactMap {
            try? StatusListIssuer($0.issuer, origins: sources.terms.origins, keys: $1, policy: policy)
        }
        self.provider = provider.name
        self.sources = sources
        lists = ProviderLists(issuers, sources.terms, sources.fetching)
        unsafe memory = .allocate(capacity: Self.places)
        for place in 0..<Self.places { unsafe (memory + place).initialize(to: Atomic(0)) }
    }

    deinit { unsafe memory.deallocate() }

    // Judging

    /// Why its status does not admit a verified token; nil if it does, or the token has none.
    ///
    /// - Parameters:
    ///   - answer: receives what the list says, to be counted when the decision is made.
    ///   - awaited: receives the list that the token lacks.
    func denial(
        of claims: borrowing Claims, _ answer: inout StatusVerdict?, _ awaited: inout [AwaitedStatus]
    ) -> DenialReason? {
        do throws(VerificationError) {
            switch try claims.status {
            case .absent: return nil
            // The other mechanism is not implemented here.
            case .anotherMechanism: return .token(VerificationError(.invalidStatus))
            case .statusList(let reference):
                guard let issuer = claims.issuer else { return .token(VerificationError(.missingClaim, claim: .issuer)) }
                return denial(at: reference, issuer, &answer, &awaited)
            }
        } catch {
            return .token(error)
        }
    }

    private func denial(
        at reference: borrowing StatusReference, _ issuer: borrowing JSONString, _ answer: inout StatusVerdict?,
        _ awaited: inout [AwaitedStatus]
    ) -> DenialReason? {
        let verdict = lists.verdict(of: reference, issuer: issuer)
        answer = verdict
        guard !verdict.isAdmitted else { return nil }
        let reason = Self.reason(verdict.finding)
        guard reason == .statusUnavailable else { return reason }
        if let list = lists.awaited(index: reference.index, uri: reference.uri.string, issuer: issuer.string) { awaited.append(list) }
        return reason
    }

    private static func reason(_ finding: StatusFinding) -> DenialReason {
        switch finding {
        case .valid, .unknownList, .staleList, .refusedList: .statusUnavailable
        case .invalid: .revoked
        case .suspended, .other: .suspended
        case .forbiddenList, .beyondEnd: .token(VerificationError(.invalidStatus))
        }
    }

    // Counting

    func count(_ verdict: StatusVerdict) {
        let place = 2 * verdict.finding.position + (verdict.isAdmitted ? 0 : 1)
        unsafe memory[place].wrappingAdd(1, ordering: .relaxed)
    }

    /// How often a list said this about a token of a request.
    package struct Count: Sendable {
        /// ``StatusFinding/code``.
        package let finding: String
        package let isAdmitted: Bool
        package let count: UInt64
    }

    /// Every count that is not zero.
    package var counts: [Count] {
        StatusFinding.codes.enumerated().flatMap { position, code in
            [true, false].compactMap { isAdmitted in
                let count = unsafe memory[2 * position + (isAdmitted ? 0 : 1)].load(ordering: .relaxed)
                return count > 0 ? Count(finding: code, isAdmitted: isAdmitted, count: count) : nil
            }
        }
    }
}
