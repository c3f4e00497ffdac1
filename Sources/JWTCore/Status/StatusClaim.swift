/// What the claim `status` of a verified token says about where the token's status is (draft-ietf-oauth-status-list-20 section 6).
///
/// A malformed claim is never one of these: ``Claims/status`` throws.
public enum StatusClaim: ~Escapable {
    /// The token has no claim `status`.
    case absent
    /// The claim names other mechanisms, and no status list.
    case anotherMechanism
    /// The status is in a list, perhaps beside other mechanisms.
    case statusList(StatusReference)
}

extension Claims {
    /// The claim `status`. Reading it allocates nothing.
    ///
    /// - Throws: `invalid_status` unless the claim is an object that names a mechanism, and its `status_list`, if it has one, is an object
    ///   with a usable `idx` and `uri`.
    public var status: StatusClaim {
        @_lifetime(copy self) get throws(VerificationError) {
            guard let status = self["status"] else { return .absent }
            guard status.isObject, status.count > 0 else {
                throw VerificationError(.invalidStatus, because: "status is not an object that names a mechanism")
            }
            guard let list = status["status_list"] else { return .anotherMechanism }
            return .statusList(try StatusReference(list))
        }
    }
}
