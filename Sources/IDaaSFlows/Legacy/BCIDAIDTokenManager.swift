internal import IDaaSWire
internal import JWTCore

/// id_tokens under the names of the vendor's SDK.
public final class BCIDAIDTokenManager: Sendable {
    private static let shared = BCIDAIDTokenManager()

    public static func sharedInstance() -> BCIDAIDTokenManager { shared }

    /// Calls back with `0` (verified), `1` (no token or no settings), `102` (no key), `103` (signature), `106` (time) or `107` (another
    /// client), and a text.
    public func verifySignWithIdToken(_ idToken: String, andWithCallBack callback: @escaping BCIDAIdTokenVerifyHandlerBlock) {
        BCIDACommonManager.sharedInstance().run(callback) { flows in
            let outcome = await flows.identity.verify(idToken)
            guard case .verified = outcome else { return outcome.refusal(flows) }
            return (outcome.legacyCode, .text("success"))
        }
    }

    /// Reads the token's claims **without verification**, as the documents do. Show them, but base no decision on them: see
    /// ``IDTokenVerification/userInfo(of:)``.
    ///
    /// Calls back with `0` and the claims, `1` for an empty token, or `102` for an unreadable one, with a text.
    public func getUserInfoFromIdTokenWithIdToken(_ idToken: String, andWithCallBack callback: @escaping BCIDAIdTokenGetInfoHandlerBlock) {
        BCIDACommonManager.sharedInstance().answer(callback) { language throws(FlowError) in
            guard !idToken.isEmpty else { throw FlowError(.missingInput(WireMember.idToken)) }
            do throws(VerificationError) {
                let claims = try UnverifiedClaims(reading: idToken.utf8.span)
                guard case .object(let members) = WireValue(json: Array(copying: claims.value.raw)) else {
                    throw VerificationError(.invalidClaim)
                }
                return ("0", .dictionary(members))
            } catch {
                return ("102", .text(FlowError(.token(error)).text(in: language)))
            }
        }
    }
}
