internal import IDaaSWire
internal import JWTCore

/// The metadata of a client that registers itself (RFC 7591 section 2), checked: a public client that uses the code flow with PKCE.
package struct ClientMetadata: Hashable, Sendable {
    package let name: String
    package let redirectURIs: [String]
    package let isRenewable: Bool

    /// - Parameter document: a request to register, or the metadata document of a client.
    /// - Throws: COMMON.1001, 1002 and 1006 with the member; its `error` is `invalid_redirect_uri` or `invalid_client_metadata`.
    package init(_ document: ClientDocument) throws(ServiceError) {
        let addresses = document.redirectURIs ?? []
        guard !addresses.isEmpty else { throw Self.refusal(.missingParameter, OAuthMember.redirectURIs, "invalid_redirect_uri") }
        guard addresses.count <= Self.mostAddresses, addresses.allSatisfy(RedirectAddress.isAllowed) else {
            throw Self.refusal(.invalidParameter, OAuthMember.redirectURIs, "invalid_redirect_uri")
        }
        let grants = document.grantTypes ?? [Self.codeGrant]
        guard grants.contains(Self.codeGrant) else { throw Self.refusal(.invalidParameter, OAuthMember.grantTypes) }
        guard document.responseTypes?.contains("code") ?? true else { throw Self.refusal(.invalidParameter, OAuthMember.responseTypes) }
        let shown = document.name.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
        guard Self.isName(shown ?? "") else { throw Self.refusal(.invalidFormat, OAuthMember.clientName) }
        name = shown ?? ""
        redirectURIs = addresses
        isRenewable = grants.contains(Self.refreshGrant)
    }

    static let codeGrant = "authorization_code"
    static let refreshGrant = "refresh_token"
    static let mostAddresses = 8
    private static let longestName = 64

    var grantTypes: [String] { isRenewable ? [Self.codeGrant, Self.refreshGrant] : [Self.codeGrant] }

    private static func isName(_ name: String) -> Bool {
        name.unicodeScalars.count <= longestName && (try? Administration.checkText(name)) != nil
    }

    private static func refusal(_ code: ServiceCode, _ member: String, _ error: String = "invalid_client_metadata") -> ServiceError {
        var refusal = ServiceError(code, member)
        refusal.error = error
        return refusal
    }
}

/// The members of a client's metadata that this server reads. All others are ignored (RFC 7591 section 2).
package struct ClientDocument: Hashable, Sendable, Decodable {
    var clientID: String?
    var name: String?
    var redirectURIs: [String]?
    var grantTypes: [String]?
    var responseTypes: [String]?
    var authenticationMethod: String?
    var secret: String?

    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case name = "client_name"
        case redirectURIs = "redirect_uris"
        case grantTypes = "grant_types"
        case responseTypes = "response_types"
        case authenticationMethod = "token_endpoint_auth_method"
        case secret = "client_secret"
    }

    /// - Throws: COMMON.1002 with {0} = body for a text that is not such an object.
    package init(text: [UInt8]) throws(ServiceError) {
        guard let document = try? ParsedJSON(text, limits: .clientMetadata), document.root.isObject,
            let read = try? document.decode(Self.self)
        else {
            var refusal = ServiceError(.invalidFormat, "body")
            refusal.error = "invalid_client_metadata"
            throw refusal
        }
        self = read
    }
}

extension JSONLimits {
    fileprivate static let clientMetadata = JSONLimits(depth: 8, members: 64, values: 512, stringBytes: 4_096, numberBytes: 32)
}
