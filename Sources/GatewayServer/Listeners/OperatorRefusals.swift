#if Gateway
internal import Gateway
internal import Logging

/// Counts and logs connections of a listener without decisions that are refused because their head is malformed (400) or late (408). The line
/// has no byte of the head.
struct OperatorRefusals: Sendable {
    let counts: ListenerCounts
    let logger: Logger

    func record(_ status: Int) {
        let denial = Denial(policy: nil, reason: .malformedRequest, status: status)
        counts.refuseMessage(denial)
        logger.info(
            "a message is refused",
            metadata: ["listener": "\(counts.listener)", "status": "\(status)", "code": "\(denial.reason.code)"])
    }
}
#endif
