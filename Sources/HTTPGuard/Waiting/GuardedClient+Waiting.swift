package import JWKSCache
internal import JWTCore
internal import Locks

extension GuardedClient {
    /// Sends a request from a thread that waits for the response. It does what `send` does, without a task: tasks do not survive a fork.
    ///
    /// - Parameter bodyBytes: the longest body of the response; nil: as the configuration says.
    /// - Throws: why there is no response; `cancelled` after a cancelled wait.
    package func send(
        _ request: OutgoingRequest, bodyBytes: Int? = nil, waitingOn wait: AnswerWait
    ) throws(RequestFailure) -> ReceivedResponse {
        var (target, limits) = try checked(request)
        limits.bodyBytes = bodyBytes ?? limits.bodyBytes
        let deadline = ContinuousClock.now + limits.total
        var redirection = Redirection(request, to: target, limits)
        while true {
            let response = try exchange(redirection.request, with: redirection.target, limits, deadline, wait)
            if let response = try redirection.response(after: response) { return response }
        }
    }

    private func exchange(
        _ request: OutgoingRequest, with target: TargetURL, _ limits: RequestLimits, _ deadline: ContinuousClock.Instant, _ wait: AnswerWait
    ) throws(RequestFailure) -> ReceivedResponse {
        let host = try Route.host(of: target, configuration)
        let route = try Route(to: target, configuration, addresses: try addresses(of: host, deadline, wait))
        let request = try request.bearing(configuration.bearerToken, to: target)
        var attempts = AddressAttempts(target)
        for address in route.addresses {
            let end = try transfer(request, to: address, for: target, route, limits, deadline, wait)
            if let response = try attempts.response(of: end) { return response }
        }
        throw attempts.failureOfAll
    }

    /// Resolves a name on a thread of its own, since the system's resolver cannot be interrupted.
    private func addresses(
        of host: String, _ deadline: ContinuousClock.Instant, _ wait: AnswerWait
    ) throws(RequestFailure) -> [IPAddress] {
        let answer = Locked<Result<[IPAddress], RequestFailure>?>(nil)
        let isStarted = BackgroundThread.start {
            let resolved = Result { () throws(RequestFailure) in try AddressResolution.resolve(host, flags: 0) }
            answer.withLock { $0 = resolved }
            wait.wake()
        }
        guard isStarted else { throw RequestFailure(.connection, "no thread to resolve \(host)") }
        return try wait.value(by: deadline) { answer.withLock { $0 } }.get()
    }

    private func transfer(
        _ request: OutgoingRequest, to address: IPAddress, for target: TargetURL, _ route: Route, _ limits: RequestLimits,
        _ deadline: ContinuousClock.Instant, _ wait: AnswerWait
    ) throws(RequestFailure) -> TransferEnd {
        let answer = Locked<Result<ReceivedResponse, RequestFailure>?>(nil)
        let transfer = Transfer(request, to: address, for: target, proxy: route.proxy, limits, self) { result in
            answer.withLock { $0 = result }
            wait.wake()
        }
        TransferLoop.shared.run(transfer)
        do throws(RequestFailure) {
            let result = try wait.value(by: deadline) { answer.withLock { $0 } }
            return TransferEnd(result: result, isEstablished: transfer.isEstablished)
        } catch {
            TransferLoop.shared.cancel(transfer)
            throw error
        }
    }
}
