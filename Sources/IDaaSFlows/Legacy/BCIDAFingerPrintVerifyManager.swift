internal import IDaaSWire
internal import JWTCore
internal import Locks

/// Keys and signatures under the names of the vendor's SDK.
public final class BCIDAFingerPrintVerifyManager: Sendable {
    private static let shared = BCIDAFingerPrintVerifyManager()

    public static func sharedInstance() -> BCIDAFingerPrintVerifyManager { shared }

    /// Calls back with `0` and the public key in base64, made if there was none; otherwise with `101` or `1`, and a text.
    public func getPublicKeywithUserid(_ userid: String, CallBack callBack: @escaping BCIDAFingerPrintKeypairGenerateCompleteHandler) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let outcome = await flows.biometrics.publicKey(userID: userid)
            guard case .publicKey(let key) = outcome else { return outcome.refusal(flows) }
            return (outcome.legacyCode, .text(key))
        }
    }

    /// Verifies the user and signs. Calls back with `0` and the signature in base64; otherwise with `2`, `5`, `6`, `7`, `8`, `102` or `110` (the
    /// phone), `101` (key) or `1`, and a text.
    ///
    /// The signature of a request's random string covers the request's approval by the user who asked for it.
    public func signDataByPrivateKeywithUserid(
        _ userid: String, WithStr signStr: String, andWithCallBack callBack: @escaping BCIDAFingerPrintSignDataCompleteHandler
    ) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let request = LegacyRequests.shared.request(random: signStr)
            let outcome = await flows.biometrics.sign(signStr, userID: userid, approving: request)
            guard case .signed(let signed) = outcome else { return outcome.refusal(flows) }
            LegacyRequests.shared.note(signed)
            return (outcome.legacyCode, .text(signed.signature))
        }
    }
}

/// The latest request and the latest signature of this process: the documented calls pass on only its random string and only the signature.
final class LegacyRequests: Sendable {
    static let shared = LegacyRequests()

    private let latest = Locked((request: PendingApproval?.none, signed: SignedText?.none))

    func note(_ request: PendingApproval) { latest.withLock { $0.request = request } }

    func note(_ signed: SignedText) { latest.withLock { $0.signed = signed } }

    func request(random: String) -> PendingApproval? { latest.withLock { $0.request?.random == random ? $0.request : nil } }

    func signed(signature: String) -> SignedText? { latest.withLock { $0.signed?.signature == signature ? $0.signed : nil } }
}
