/// The status of a call in `grpc-status`, and the code of a `google.rpc.Status` (`google/rpc/code.proto`).
package enum GRPCStatus: UInt64, Error, Hashable, Sendable {
    case ok = 0
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case permissionDenied = 7
    case resourceExhausted = 8
    case unimplemented = 12
    case `internal` = 13
    case unavailable = 14
    case unauthenticated = 16

    /// The code of a refusal with an HTTP status. It is never ``ok``.
    init(refusal status: Int) {
        self =
            switch status {
            case 400: .invalidArgument
            case 302, 401: .unauthenticated
            case 503: .unavailable
            default: .permissionDenied
            }
    }
}
