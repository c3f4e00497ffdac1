import JWTCore
import TokenStatus

/// Assay's own answers to the vectors of status lists.
struct StatusListJudge {
    private let lists: StatusListVerifier<VectorKeys>
    private let tokens: TokenVerifier<VectorKeys>
    private let now: NumericDate

    init(keys: VectorKeys, policy: StatusListFile.Policy, now: NumericDate) {
        lists = StatusListVerifier(
            keys: keys, policy: policy.applied(to: .statusList), maximumBytes: policy.maximumBytes ?? VerifiedStatusList.maximumBytes)
        tokens = TokenVerifier(keys: keys, policy: policy.applied(to: ClaimsPolicy()))
        self.now = now
    }

    func answer(to vector: StatusListFile.Case) -> VectorAnswer {
        if let token = vector.referencedToken { return place(in: token) }
        guard let list = vector.list, let uri = vector.uri, let index = vector.index else { return .refused("no question") }
        return status(in: list, uri, index)
    }

    private func status(in list: String, _ uri: String, _ index: Int) -> VectorAnswer {
        do throws(StatusListError) {
            // Nothing is known of a token that has no place in the list: for a gateway the token's claim is at fault.
            guard let status = try lists.verify(list, uri: uri, now: now).status(at: index) else { return .refused("invalid_status") }
            return .valid(StatusListFile.Case.text(Int(status)))
        } catch {
            return .refused(error.cause?.code.name ?? error.code.name)
        }
    }

    private func place(in token: String) -> VectorAnswer {
        do throws(VerificationError) {
            return try tokens.withVerified(token.utf8.span, now: now) { claims in Self.place(in: claims) }
        } catch {
            return .refused(error.code.name)
        }
    }

    private static func place(in claims: borrowing Claims) -> VectorAnswer {
        do throws(VerificationError) {
            switch try claims.status {
            case .absent, .anotherMechanism: return .valid(StatusListFile.Case.place(nil, nil))
            case .statusList(let place): return .valid(StatusListFile.Case.place(place.uri.string, place.index))
            }
        } catch {
            return .refused(error.code.name)
        }
    }
}
