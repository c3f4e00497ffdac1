internal import HTTPEdge
internal import HTTPTypes
internal import Hummingbird
internal import IDaaSWire
internal import Logging
internal import NIOCore
internal import Secrets

/// The data that Hummingbird carries with a request.
struct FramedContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: String
    var origin: RequestOrigin

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        // An unknown peer gets no privileges: no block of addresses contains this one.
        peer = source.channel.remoteAddress?.ipAddress ?? "0.0.0.0"
        origin = RequestOrigin(address: peer, requestID: "")
    }
}

/// Surrounds every endpoint: assigns the request id, determines the origin, limits the header, turns errors into replies, sets the common
/// reply fields, omits the body for HEAD, counts, and logs.
struct RequestFrame: RouterMiddleware {
    let routes: RouteTable
    let proxies: TrustedProxies
    let metrics: RequestMetrics
    let randomness: Randomness
    let isTLS: Bool

    func handle(
        _ request: Request, context: FramedContext, next: (Request, FramedContext) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        var context = context
        context.origin = origin(of: request, from: context.peer)
        context.logger[metadataKey: "request_id"] = "\(context.origin.requestID)"
        let reply = await answered(request, context, next)
        finish(request, context, reply, took: .now - started)
        let sealed = seal(reply, context.origin)
        // RFC 9110 section 9.3.2: refusals follow the rule too. Otherwise a client takes the body for the next answer on the connection.
        return request.method == .head ? sealed.createHeadResponse() : sealed
    }

    private func origin(of request: Request, from peer: String) -> RequestOrigin {
        let fields = request.headers
        return RequestOrigin(
            address: proxies.clientAddress(peer: peer, forwardedFor: fields[values: .forwardedFor]),
            isForwarded: proxies.isTrusted(peer) || fields.contains(.forwardedFor), isTLS: isTLS,
            language: Language(replyLanguage: fields[.replyLanguage], acceptLanguage: fields[.acceptLanguage]),
            requestID: RequestIdentifier.accepting(fields[.requestID], randomness: randomness))
    }

    private func answered(
        _ request: Request, _ context: FramedContext, _ next: (Request, FramedContext) async throws -> Response
    ) async -> Response {
        do {
            try HeaderBounds.check(request.headers)
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            let methods = routes.methods(of: request.uri.path)
            return response(to: methods.isEmpty ? RequestRefusal.notFound : .methodNotAllowed(methods), context)
        } catch {
            return response(to: error, context)
        }
    }

    /// The reply to an error. An unforeseen error is COMMON.1008; its text goes only to the log.
    private func response(to error: any Error, _ context: FramedContext) -> Response {
        let language = context.origin.language
        switch error {
        case let error as ServiceError: return Response(Reply(error, in: language))
        case let refusal as RequestRefusal:
            var reply = Reply(refusal.error, status: refusal.status, in: language)
            if !refusal.allowed.isEmpty { reply.fields[.allow] = refusal.allowed.joined(separator: ", ") }
            reply.fields[.wwwAuthenticate] = refusal.challenge
            if refusal.status == 503 { reply.fields[.retryAfter] = "1" }
            return Response(reply)
        case let fault as RequestFault: return response(to: RequestRefusal(fault), context)
        default:
            context.logger.error("a request failed", metadata: ["error": "\(type(of: error)): \(error)"])
            let isPassing = (error as? StoreFailure)?.isPassing ?? false
            return isPassing ? response(to: RequestRefusal.unavailable, context) : Response(Reply(ServiceError(.systemBusy), in: language))
        }
    }

    private func seal(_ response: Response, _ origin: RequestOrigin) -> Response {
        var response = response
        response.headers[.requestID] = origin.requestID
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if isTLS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    private func finish(_ request: Request, _ context: FramedContext, _ response: Response, took duration: Duration) {
        let route = context.coreContext.endpointPath.value ?? "none"
        let method = Self.countedMethods.contains(request.method.rawValue) ? request.method.rawValue : "other"
        metrics.record(method: method, route: route, status: response.status.code, took: duration)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(method)", "route": "\(route)", "status": "\(response.status.code)", "address": "\(context.origin.address)",
                "milliseconds": "\(duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000)",
            ])
    }

    /// Limits the values of the label, whatever the request contains.
    private static let countedMethods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
}

/// Limits of a request's header: at most 64 fields of 16 KiB together (sentence 52), without control characters but for tabs, and each field
/// that names the caller or the body once.
enum HeaderBounds {
    static let fields = 64
    static let bytes = 16_384

    static func check(_ header: HTTPFields) throws {
        let size = header.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        guard header.count <= fields, size <= bytes, header.allSatisfy({ !$0.value.replacing("\t", with: " ").hasControlCharacter }) else {
            throw ServiceError(.invalidFormat, "header")
        }
        for name in single where header[values: name].count > 1 { throw ServiceError(.invalidFormat, name.rawName) }
    }

    /// Joined by a comma, two of them would be a third value; a proxy may read the first or the last.
    private static let single: [HTTPField.Name] = [
        .clientID, .deviceFingerprint, .operatingSystem, .agent, .sessionToken, .stateToken, .signature, .authorization, .contentType,
    ]
}

extension Response {
    init(_ reply: Reply) {
        self.init(
            status: HTTPResponse.Status(code: reply.status), headers: reply.fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
}
