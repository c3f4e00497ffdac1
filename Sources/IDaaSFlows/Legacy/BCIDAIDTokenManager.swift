internal import JWTCore

/// id_tokens under the names of the vendor's SDK.
public final class BCIDAIDTokenManager: Sendable {
    private static let shared = BCIDAIDTokenManager()

    public static func sharedInstance() -> BCIDAIDTokenManager { shared }

    /// 0 success, 1 nothing to verify or not set up, 102 no key, 103 signature, 106 time, 107 another client; with a text.
    public func verifySignWithIdToken(_ idToken: String, andWithCallBack callback: @escaping BCIDAIdTokenVerifyHandlerBlock) {
        BCIDACommonManager.sharedInstance().run(callback) { flows in
            let outcome = await flows.identity.verify(idToken)
            guard case .verified = outcome else { return outcome.refusal(flows) }
            return (outcome.legacyCode, .text("success"))
        }
    }

    /// What the token says, **unverified**, as the documents have it: good for showing, never for deciding. See
    /// ``IDTokenVerification/userInfo(of:)``.
    ///
    /// 0 with the claims, 1 for an empty token, 102 for what is none; with a text.
    public func getUserInfoFromIdTokenWithIdToken(_ idToken: String, andWithCallBack callback: @escaping BCIDAIdTokenGetInfoHandlerBlock) {
        BCIDACommonManager.sharedInstance().answer(callback) { language throws(FlowError) in
            guard !idToken.isEmpty else { throw FlowError(.missingInput("id_token")) }
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
