/// Why a configuration is refused: a stable code, and the setting.
public struct ConfigurationFault: Error, Hashable, Sendable {
    public let code: Code
    /// From the top of ``GatewayConfiguration``: the names of its properties and the positions in its arrays. An array of strings ends with
    /// a position; a policy's name in a route ends with `policy`.
    public let path: [Step]

    public enum Step: Hashable, Sendable {
        case member(String)
        case position(Int)
    }

    init(_ code: Code, _ path: [Step]) {
        self.code = code
        self.path = path
    }

    public enum Code: String, Sendable, CaseIterable {
        // Names and references
        case invalidName = "invalid_name"
        case duplicateName = "duplicate_name"
        case unknownProvider = "unknown_provider"
        case unknownPolicy = "unknown_policy"
        case unknownShadow = "unknown_shadow"
        case shadowCycle = "shadow_cycle"
        // Providers
        case invalidIssuer = "invalid_issuer"
        case conflictingIssuer = "conflicting_issuer"
        case sharedStorage = "shared_storage"
        case noSources = "no_sources"
        case repeatedSource = "repeated_source"
        case invalidScheme = "invalid_scheme"
        case invalidPrefix = "invalid_prefix"
        case invalidCookieName = "invalid_cookie_name"
        case invalidParameterName = "invalid_parameter_name"
        case invalidOrigin = "invalid_origin"
        case noReplayMemory = "no_replay_memory"
        case invalidEndpoint = "invalid_endpoint"
        case introspectionOfTenants = "introspection_of_tenants"
        case noProofSource = "no_proof_source"
        case noProofAlgorithm = "no_proof_algorithm"
        case invalidProofOrigin = "invalid_proof_origin"
        // Header fields
        case invalidFieldName = "invalid_field_name"
        case reservedFieldName = "reserved_field_name"
        case repeatedFieldName = "repeated_field_name"
        case fieldOfTokens = "field_of_tokens"
        case emptyClaimPath = "empty_claim_path"
        case invalidSeparator = "invalid_separator"
        // Policies
        case emptyRequirement = "empty_requirement"
        case requirementTooLarge = "requirement_too_large"
        case misplacedAllowance = "misplaced_allowance"
        case sharedSource = "shared_source"
        case sharedFieldName = "shared_field_name"
        case invalidScope = "invalid_scope"
        case scopesWithoutToken = "scopes_without_token"
        case invalidText = "invalid_text"
        case invalidRedirect = "invalid_redirect"
        case redirectWithoutToken = "redirect_without_token"
        case invalidAuthentication = "invalid_authentication"
        case authenticationWithoutToken = "authentication_without_token"
        // Protected resources
        case invalidResource = "invalid_resource"
        case invalidResourceURL = "invalid_resource_url"
        case resourceTooLarge = "resource_too_large"
        case repeatedResource = "repeated_resource"
        case unknownResource = "unknown_resource"
        case repeatedMetadata = "repeated_metadata"
        case resourceIsNoAudience = "resource_is_no_audience"
        // Rules about claims
        case emptyRule = "empty_rule"
        case ruleTooLarge = "rule_too_large"
        case ruleWithoutToken = "rule_without_token"
        case ruleWithoutProvider = "rule_without_provider"
        case invalidMailDomain = "invalid_mail_domain"
        // Routes
        case noRoutes = "no_routes"
        case superfluousRoutes = "superfluous_routes"
        case invalidPath = "invalid_path"
        case invalidMethod = "invalid_method"
        case invalidHost = "invalid_host"
        // Limits
        case invalidLimit = "invalid_limit"

        /// One sentence for the operator.
        public var summary: String {
            switch self {
            case .invalidName: "a name has 1 to 128 printable ASCII characters, without quotes and backslashes"
            case .duplicateName: "another one has this name"
            case .unknownProvider: "no provider has this name"
            case .unknownPolicy: "no policy has this name"
            case .unknownShadow: "no policy has the shadow's name"
            case .shadowCycle: "the policy is a shadow of itself"
            case .invalidIssuer: "an issuer is not empty and has no controls or spaces"
            case .conflictingIssuer: "another provider has this issuer with other sources, another refresh policy or another transport"
            case .sharedStorage: "another issuer keeps its keys in this file, and each would overwrite those of the other"
            case .noSources: "a provider needs a place for its token"
            case .repeatedSource: "the provider has this source already"
            case .invalidScheme: "a scheme is a token of RFC 9110 section 5.6.2"
            case .invalidPrefix: "a prefix has only printable ASCII characters, without a comma"
            case .invalidCookieName: "a cookie's name is a token of RFC 9110 section 5.6.2"
            case .invalidParameterName: "a parameter's name is not empty, and has only printable ASCII characters"
            case .invalidOrigin: "status lists need an origin: https or, on this machine, http, with a host and perhaps a port"
            case .noReplayMemory: "tokens that pass once, and DPoP proofs, need a memory of uses"
            case .invalidEndpoint: "introspection needs a URL: https or, on this machine, http, without user and fragment"
            case .introspectionOfTenants: "a provider with tenants cannot introspect: an opaque token does not say whose it is"
            case .noProofSource: "tokens with DPoP proofs come in Authorization: the provider needs the source with the scheme DPoP"
            case .noProofAlgorithm: "a DPoP proof needs an algorithm for public keys"
            case .invalidProofOrigin: "an origin has a scheme, https or http, a host and perhaps a port, and nothing else"
            case .invalidFieldName: "a field's name has letters, digits and hyphens only"
            case .reservedFieldName: "this field belongs to HTTP, to the gateway or to another kind of source"
            case .repeatedFieldName: "the provider has a claim with this field already"
            case .fieldOfTokens: "tokens come in this field, so no claim can be sent in it"
            case .emptyClaimPath: "a claim's path has at least one step, and positions are not negative"
            case .invalidSeparator: "a separator has 1 to 8 printable ASCII characters, without letters, digits and percent signs"
            case .emptyRequirement: "any and all need members"
            case .requirementTooLarge: "a requirement has at most 8 levels, 64 members and 64 sources"
            case .misplacedAllowance: "allowMissing and allowFailed stand in an any, once, beside a provider"
            case .sharedSource: "providers of an all need different sources"
            case .sharedFieldName: "providers of an all need different fields"
            case .invalidScope: "a scope is a scope-token of RFC 6749 section 3.3"
            case .scopesWithoutToken: "scopes need a requirement that no request without a token meets"
            case .invalidText: "the text has only printable ASCII characters"
            case .invalidRedirect: "a redirect is an https URL or a path, with {url} at most once and in its query"
            case .redirectWithoutToken: "the policy needs no token, so it would redirect no browser"
            case .invalidAuthentication:
                "an age is from a second to ten years; at most 16 values of acr, without blanks, quotes and backslashes"
            case .authenticationWithoutToken: "authentication needs a requirement that no request without a token meets"
            case .invalidResource: "a resource is an https URL with one reading, its host in lower case, without user, query and fragment"
            case .invalidResourceURL: "an https URL is expected, or http on this machine, without user and fragment"
            case .resourceTooLarge: "there are at most 256 resources, with lists of at most 64 texts of 1 to 1024 bytes"
            case .repeatedResource: "another resource has its metadata at the same address"
            case .unknownResource: "no resource has this identifier"
            case .repeatedMetadata: "the policy's resource names its metadata already"
            case .resourceIsNoAudience: "a policy with a resource needs this provider, whose audiences lack the resource's identifier"
            case .emptyRule: "a rule needs a value, and limits of up to 253402300799 with a number between them"
            case .ruleTooLarge: "a policy has at most 64 rules about claims, and a rule has at most 256 values"
            case .ruleWithoutToken: "rules about claims need a requirement that no request without a token meets"
            case .ruleWithoutProvider: "the policy's requirement does not name this provider"
            case .invalidMailDomain: "a mail domain has labels of letters, digits and hyphens, with dots between them"
            case .noRoutes: "without a route every request is refused"
            case .superfluousRoutes: "the host has routes of its own"
            case .invalidPath: "a path begins with a slash and has no second reading; a prefix does not end with a slash"
            case .invalidMethod: "a method has upper-case letters, digits and hyphens only"
            case .invalidHost: "a host has no port, and `*.` only at its start"
            case .invalidLimit: "a limit is positive, and the total is not below the limit of one value"
            }
        }
    }
}
