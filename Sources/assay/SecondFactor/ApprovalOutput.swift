#if HTTP
import CommandProgram
import IDaaSFlows
import JWTCore

/// Shows a login that waits, as text or as one JSON document.
struct ApprovalOutput {
    let isJSON: Bool

    init(_ isJSON: Bool) { self.isJSON = isJSON }

    func show(_ request: PendingApproval, on terminal: Terminal = .output) {
        if isJSON { return terminal.json(encoding: Document(request)) }
        terminal.line("a login to " + terminal.styled(printable(request.clientName, upTo: 64), .good) + " waits")
        let now = SystemClock().now
        let rows = [
            ("application", request.clientID), ("message", request.message), ("network", request.region),
            ("expires", request.expiresAt.map { Times.words(NumericDate(seconds: $0), now: now) }),
            ("match code", request.needsMatchCode ? "required" : nil),
        ]
        for (name, value) in rows {
            if let value { terminal.line("  \(terminal.styled(name, .name)): \(printable(value, upTo: 128))") }
        }
    }

    private struct Document: Encodable {
        let status = "pending"
        let random, clientId, clientName: String
        let bindingMessage, region: String?
        let createdAt, expiresAt: Int64?
        let matchRequired: Bool

        init(_ request: PendingApproval) {
            random = request.random
            clientId = request.clientID
            clientName = request.clientName
            bindingMessage = request.message
            region = request.region
            createdAt = request.createdAt
            expiresAt = request.expiresAt
            matchRequired = request.needsMatchCode
        }
    }
}
#endif
