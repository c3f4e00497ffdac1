#if Gateway
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JWTCore
internal import Logging
internal import NIOCore
internal import HTTPEdge

/// Answers operators: health, readiness, metrics, keys, explanations and the status page. It runs on a listener of its own.
struct AdministrationResponder: Sendable {
    let observations: Observations
    let page: StatusPage
    let date: any UnixClock
    let logger: Logger
    private let process = ProcessMetrics()

    init(observations: Observations, page: StatusPage, date: any UnixClock, logger: Logger) {
        self.observations = observations
        self.page = page
        self.date = date
        self.logger = logger
    }

    private struct Operation: Sendable {
        let method: HTTPRequest.Method
        let answer: @Sendable (AdministrationResponder, Request) async -> AdministrationAnswer
    }

    private static let operations = [
        "/": Operation(method: .get) { responder, _ in responder.page.answer },
        "/healthz": Operation(method: .get) { _, _ in .text("ok\n") },
        "/readyz": Operation(method: .get) { responder, _ in responder.readiness },
        "/metrics": Operation(method: .get) { responder, _ in responder.metrics },
        "/keys": Operation(method: .get) { responder, _ in .json(KeysDocument(responder.observations.gateway.inForce.core.decider)) },
        "/status.json": Operation(method: .get) { responder, _ in .json(StatusDocument(responder.observations, at: responder.date.now)) },
        "/explain": Operation(method: .post) { responder, request in await responder.explanation(request) },
    ]

    func respond(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        let answer = await answer(request)
        logger.debug("administration", metadata: ["method": "\(LoggedText.method(request.method.rawValue))", "status": "\(answer.status)"])
        let head = answer.head
        if request.method == .head {
            try await writer.writeResponse(head)
        } else {
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
        }
    }

    private func answer(_ request: Request) async -> AdministrationAnswer {
        guard isOwnName(request.head.authority) else {
            return .text("this host name is not in administration.hosts\n", status: 421)
        }
        let path = (request.head.path ?? "").prefix { $0 != "?" }
        guard let operation = Self.operations[String(path)] else { return .text("not found\n", status: 404) }
        let isRead = operation.method == .get && request.method == .head
        guard request.method == operation.method || isRead else {
            var answer = AdministrationAnswer.text("method not allowed\n", status: 405)
            answer.fields[.allow] = operation.method == .get ? "GET, HEAD" : operation.method.rawValue
            return answer
        }
        return await operation.answer(self, request)
    }

    /// A page of another site could give its own name the address of this listener, and a browser would then let it read the answers. Such
    /// a name is neither an address nor configured.
    private func isOwnName(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        let isBracketed = authority.hasPrefix("[")
        let end = isBracketed ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        let host = authority[..<(end ?? authority.endIndex)].lowercased(), port = authority[(end ?? authority.endIndex)...]
        // `[::1].evil.example` and `localhost:evil` are no addresses.
        guard port.isEmpty || port.hasPrefix(":") && port.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        if isBracketed { return host.hasSuffix("]") && Self.isAddress(String(host.dropFirst().dropLast())) }
        return host == "localhost" || Self.isAddress(host)
            || observations.gateway.inForce.configuration.administrationHosts.contains(host)
    }
}

extension AdministrationResponder {
    private static func isAddress(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }

    private var readiness: AdministrationAnswer {
        if observations.gateway.isReady { return .text("ready\n") }
        return .text(observations.gateway.isDraining ? "draining\n" : "a required issuer has no keys\n", status: 503)
    }

    private var metrics: AdministrationAnswer {
        var answer = AdministrationAnswer.text(observations.metricsText + process.text)
        answer.fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return answer
    }
}

/// An answer to an operator. Nothing stores it, and no other page may show it.
struct AdministrationAnswer: Sendable {
    var status = 200
    var fields: HTTPFields = [:]
    var body: [UInt8] = []

    static func text(_ text: String, status: Int = 200) -> Self {
        Self(status: status, fields: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    fileprivate var head: HTTPResponse {
        var fields = fields
        fields[.contentLength] = String(body.count)
        fields[.cacheControl] = "no-store"
        fields[.xContentTypeOptions] = "nosniff"
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'" }
        if let name = HTTPField.Name("referrer-policy") { fields[name] = "no-referrer" }
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }
}
#endif
