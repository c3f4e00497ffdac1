import JWTCore

extension JSONValue {
    /// What the search before the signature finds is the issuer of the object.
    func compareIssuer(_ text: [UInt8]) {
        let found = text.span.unverifiedIssuer?.utf8
        guard isObject, let issuer = self["iss"]?.string else { return precondition(found == nil, "an issuer that is not there") }
        precondition(found == nil || found == issuer.utf8, "another issuer")
    }
}
