public import JWKSCache
internal import JWTCore
internal import Locks

/// An HTTP client for URLs that another party may influence. It dials only checked addresses, verifies certificates, follows redirects
/// within one origin, and limits time and size. It speaks HTTP/1.1.
///
/// Every request has its own connection, so that no earlier request can affect it.
public struct GuardedClient: Sendable {
    let configuration: Configuration
    let trust: Trust
    private let resolution: AddressResolution

    /// Reads the files named in the configuration.
    public init(_ configuration: Configuration = Configuration()) throws(ConfigurationFailure) {
        try self.init(configuration, resolution: .system)
    }

    package init(_ configuration: Configuration, resolution: AddressResolution) throws(ConfigurationFailure) {
        for field in configuration.originFields.flatMap(\.fields) where !field.isSendable {
            throw ConfigurationFailure("the field \(field.name) may not be sent")
        }
        guard HeaderField("User-Agent", configuration.userAgent).isSendable else {
            throw ConfigurationFailure("the user agent may not be sent")
        }
        guard configuration.bearerToken?.origin.isSecure ?? true else {
            throw ConfigurationFailure("a bearer token may not be sent without TLS")
        }
        self.configuration = configuration
        self.resolution = resolution
        trust = try Trust(configuration)
    }

    /// Sends a request and receives the response, whatever its status.
    ///
    /// Redirects are followed for GET and HEAD, to the same origin, without `If-None-Match` and `If-Modified-Since`. If a name has several
    /// addresses, they are tried in order until one connects; a request that was sent is not sent again.
    ///
    /// - Throws: why there is no response; `cancelled` as soon as the task is cancelled.
    public func send(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let (target, limits) = try checked(request)
        return try await Self.within(limits.total, of: target) { try await follow(request, to: target, limits) }
    }

    /// Where a request goes, and its limits.
    func checked(_ request: OutgoingRequest) throws(RequestFailure) -> (TargetURL, RequestLimits) {
        let target = try TargetURL(request.url)
        for field in request.fields where !field.isSendable {
            throw RequestFailure(.invalidField, "a field that may not be sent in a request for \(target)")
        }
        var limits = configuration.limits
        if let limit = request.timeLimit { limits.total = limit }
        return (target, limits)
    }

    /// Sends the request and follows its redirects.
    private func follow(_ request: OutgoingRequest, to target: TargetURL, _ limits: RequestLimits) async throws -> ReceivedResponse {
        var redirection = Redirection(request, to: target, limits)
        while true {
            let response = try await exchange(redirection.request, with: redirection.target, limits)
            if let response = try redirection.response(after: response) { return response }
        }
    }

    /// One request and its response, over a connection to the first address that accepts one.
    private func exchange(_ request: OutgoingRequest, with target: TargetURL, _ limits: RequestLimits) async throws -> ReceivedResponse {
        let host = try Route.host(of: target, configuration)
        let route = try Route(to: target, configuration, addresses: try await resolution.addresses(host))
        let request = try request.bearing(configuration.bearerToken, to: target)
        var attempts = AddressAttempts(target)
        for address in route.addresses {
            let end = await transfer(request, to: address, for: target, route, limits)
            if let response = try attempts.response(of: end) { return response }
        }
        throw attempts.failureOfAll
    }

    /// One request over a connection to one address.
    private func transfer(
        _ request: OutgoingRequest, to address: IPAddress, for target: TargetURL, _ route: Route, _ limits: RequestLimits
    ) async -> TransferEnd {
        let begun = Locked<Transfer?>(nil)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let transfer = Transfer(request, to: address, for: target, proxy: route.proxy, limits, self) {
                    continuation.resume(returning: $0)
                }
                begun.withLock { $0 = transfer }
                if Task.isCancelled { transfer.cancel() }
                TransferLoop.shared.run(transfer)
            }
        } onCancel: {
            if let transfer = begun.withLock({ $0 }) { TransferLoop.shared.cancel(transfer) }
        }
        return TransferEnd(result: result, isEstablished: begun.withLock { $0?.isEstablished } ?? false)
    }

    /// The result of `operation`, unless it takes longer than `limit`: then it is cancelled.
    private static func within(
        _ limit: Duration, of target: TargetURL, _ operation: @escaping @Sendable () async throws -> ReceivedResponse
    ) async throws(RequestFailure) -> ReceivedResponse {
        do {
            return try await withThrowingTaskGroup(of: ReceivedResponse.self) { group in
                defer { group.cancelAll() }
                group.addTask(operation: operation)
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw RequestFailure(.timedOut, "no answer of \(target) within \(limit)")
                }
                guard let response = try await group.next() else { throw CancellationError() }
                return response
            }
        } catch {
            throw error as? RequestFailure ?? RequestFailure(.cancelled)
        }
    }
}
