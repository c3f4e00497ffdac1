public import Hummingbird
public import JWTCore

/// A context of requests that ``BearerTokenMiddleware`` has let pass.
public protocol TokenContext: RequestContext {
    /// The token of the request; nil before the middleware.
    var token: VerifiedToken? { get set }
}

/// The smallest such context.
public struct APIContext: TokenContext {
    public var coreContext: CoreRequestContextStorage
    public var token: VerifiedToken?

    public init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}
