#if HTTP
package import HTTPGuard
package import JWKSCache

extension TransportFailure {
    /// The failure of a guarded client, for the modules that do not know it.
    package init(_ failure: RequestFailure) { self.init(Reason(failure.reason), failure.detail) }
}

extension TransportFailure.Reason {
    fileprivate init(_ reason: RequestFailure.Reason) {
        self =
            switch reason {
            case .invalidURL: .invalidURL
            case .invalidField: .invalidField
            case .forbiddenAddress: .forbiddenAddress
            case .unresolvedName: .unresolvedName
            case .connection, .proxy: .connection
            case .tls: .tls
            case .pinMismatch: .pinMismatch
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .redirect: .redirect
            case .malformed: .malformed
            case .cancelled: .cancelled
            }
    }
}
#endif
