/// What a place of a request holds.
enum PresentedToken: Equatable, Sendable {
    case none
    case one(TokenSpot)
    /// More than one token, or one that another reader may find elsewhere.
    case several
}

/// Where a token stands in a request.
enum TokenSpot: Equatable, Sendable {
    /// In the value of the field at this place.
    case field(Int, Range<Int>)
    /// The same, with the token in base64url.
    case fieldInBase64URL(Int, Range<Int>)
    /// The entry of the gateway's context at this place.
    case context(Int)
    case query(Range<Int>)
    /// In the query, with encodings. No JWT needs one.
    case encoded(Range<Int>)
}
