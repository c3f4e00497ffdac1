#if IDaaS
internal import HTTPGuard

/// Why a message was not taken, in words that an operator may read in a log.
///
/// Texts of errors are not taken over: the webhook's path may be a secret, and what an embedding program's gateway throws may quote the
/// message, with its number and code.
package enum DeliveryFailure {
    package static func reason(of error: any Error) -> String {
        switch error {
        case let error as GatewayRefusal: "status \(error.status)"
        case let error as RequestFailure: error.reason.rawValue
        default: "\(type(of: error))"
        }
    }
}
#endif
