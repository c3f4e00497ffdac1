internal import HTTPGuard
internal import JWKSCache

/// Why the gateway did not take a message, as text for an operator's log.
///
/// Error texts are left out: the path of the webhook may be a secret, and an error of an embedding program's gateway may quote the message
/// with its number and code.
package enum DeliveryFailure {
    package static func reason(of error: any Error) -> String {
        switch error {
        case let error as GatewayRefusal: "status \(error.status)"
        case let error as RequestFailure: error.reason.rawValue
        default: "\(type(of: error))"
        }
    }
}
