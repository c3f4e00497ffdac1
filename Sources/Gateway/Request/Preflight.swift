internal import JWTCore

/// A preflight of CORS (the Fetch standard, "CORS-preflight request"): a browser asks, without credentials, whether a page of another origin
/// may send a request.
enum Preflight {
    private static let options = Array("OPTIONS".utf8), origin = Array("origin".utf8)
    private static let requestMethod = Array("access-control-request-method".utf8)

    /// The method of the request that is asked for. Nil for a request that is no preflight: that lacks one of the two fields, or has one twice.
    @_lifetime(copy request)
    static func method(_ request: RequestView) -> Span<UInt8>? {
        guard request.method.equals(options), request.onlyField(origin) != nil, let place = request.onlyField(requestMethod) else {
            return nil
        }
        let value = request.fieldValue(place), method = value.extracting(value.trimmed(value.indices))
        return RoutedRequest.isMethod(method) ? method : nil
    }
}
