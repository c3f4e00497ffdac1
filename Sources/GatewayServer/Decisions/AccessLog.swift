#if Gateway
internal import Gateway
internal import Logging

/// A line for each decision of one listener. It has no secret: of a query only the names, of a path and a host only segments that look like
/// names, and no other header field than those that the operator names for the client's address and the request's name.
struct AccessLog: Sendable {
    private let logger: Logger
    private let listener: String

    init(logger: Logger, listener: String) {
        var logger = logger
        // `access` alone says which decisions have a line.
        logger.logLevel = min(logger.logLevel, .info)
        self.logger = logger
        self.listener = listener
    }

    /// - Parameter time: nil for a message that is refused before a decision begins.
    func record(_ answered: AnsweredRequest, took time: Duration?) { logger.info("decision", metadata: metadata(answered, time)) }

    private func metadata(_ answered: AnsweredRequest, _ time: Duration?) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["listener": .string(listener), "status": .stringConvertible(answered.answer.status)]
        if let (seconds, attoseconds) = time?.components {
            metadata["microseconds"] = .stringConvertible(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        }
        if let facts = answered.facts {
            metadata["method"] = .string(LoggedText.method(facts.method))
            metadata["host"] = .string(LoggedText.host(facts.host))
            metadata["target"] = .string(LoggedText.target(facts.target))
            if let client = facts.client.flatMap(LoggedText.address) { metadata["client"] = .string(client) }
        }
        if let name = answered.requestID { metadata["request_id"] = .string(LoggedText.word(name)) }
        switch answered.decision {
        case .allowed(let admission):
            metadata["outcome"] = .string(admission.waived == nil ? "allowed" : "waived")
            metadata["policy"] = .string(admission.policy)
            metadata["provider"] = admission.provider.map { .string($0) }
            if let subject = admission.subject { metadata["subject"] = .string(LoggedText.word(subject)) }
            metadata["code"] = admission.waived.map { .string($0.reason.code) }
        case .denied(let denial):
            metadata["outcome"] = "denied"
            metadata["code"] = .string(denial.reason.code)
            metadata["policy"] = denial.policy.map { .string($0) }
        }
        return metadata
    }
}

extension Decision {
    /// Whether the access log has a line for it.
    func hasLine(_ logging: LogSettings.AccessLogging) -> Bool { logging == .all || logging == .denied && isRefusal }

    /// Whether there is a refusal, even if it is waived.
    private var isRefusal: Bool {
        switch self {
        case .allowed(let admission): admission.waived != nil
        case .denied: true
        }
    }
}
#endif
