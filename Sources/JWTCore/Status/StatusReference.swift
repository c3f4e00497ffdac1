/// A verified token's place in a status list: `status_list` in its claim `status` (draft-ietf-oauth-status-list-20 section 6.2). A view of
/// the payload, made only from ``Claims``.
public struct StatusReference: ~Escapable {
    /// `idx`: the token's place in the list, from zero.
    public let index: Int
    /// `uri`: where the list is, and the `sub` of the token that has it. It has the form of a URI (RFC 3986), of any scheme: judge it as any
    /// address that a token names before a request is sent there.
    public let uri: JSONString

    /// Reads `status_list`. Unknown members are ignored.
    ///
    /// - Throws: `invalid_status`.
    @_lifetime(copy list)
    init(_ list: JSONValue) throws(VerificationError) {
        guard list.isObject else { throw VerificationError(.invalidStatus, because: "status_list is not an object") }
        guard let number = list["idx"]?.number?.int64, let index = Int(exactly: number), index >= 0 else {
            throw VerificationError(.invalidStatus, because: "idx is not an integer from zero on")
        }
        guard let uri = list["uri"]?.string, uri.hasFormOfURI else {
            throw VerificationError(.invalidStatus, because: "uri is not a string with a URI")
        }
        self.index = index
        self.uri = uri
    }
}
