internal import IDaaSWire

extension WireValue {
    /// The status of a login's reply, without the spaces that tenants send: " SOCIAL_BIND". A reply without a status is a success.
    var loginStatus: String { self[WireMember.status]?.text?.filter { !$0.isWhitespace } ?? LoginStatus.success }
}
