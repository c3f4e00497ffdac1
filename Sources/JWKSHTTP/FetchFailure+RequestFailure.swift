#if HTTP
internal import HTTPGuard
internal import JWKSCache

extension FetchFailure {
    init(_ failure: RequestFailure) {
        self.init(Reason(failure.reason), failure.detail)
    }
}

extension FetchFailure.Reason {
    init(_ reason: RequestFailure.Reason) {
        self =
            switch reason {
            case .invalidURL, .invalidField: .invalidURL
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
