public import JWKSCache

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RefreshFailure: LocalizedError {
    /// The failure's description: one sentence, without header fields, bodies or credentials.
    public var errorDescription: String? { description }
}

extension RequestFailure: LocalizedError {
    /// The reason and its detail, without header fields, bodies or credentials.
    public var errorDescription: String? { description }
}
