internal import IDaaSWire
internal import Logging
internal import Secrets

/// Sends SMS codes, one for each captcha token.
///
/// Known and unknown numbers get the same answer after the same steps. For an unknown number that gets no user, the server makes and stores
/// a code in the same way, and does not send the message.
package struct SMSCodes: DomainService {
    package let environment: SharedEnvironment
    let stateTokens: StateTokens
    let gateway: any SMSGateway
    let sink: any SMSGateway
    let flights = SharedWork<SendRequest, SMSReceipt>()

    /// Sends a code to `mobile`. It replaces the previous code of this device.
    ///
    /// The same request within 30 s, for example after a lost reply, gets the same answer without a second SMS.
    ///
    /// - Parameter stateToken: of the login that the code continues; types other than LOGIN_SMS need it.
    /// - Throws: COMMON.1001, 1002 and 1009; COMMON.1005 and 1006 with {0} = state_token; `IDAAS.SDK.MFA.1001` for a second factor with a
    ///   number that is not the user's; `IDAAS.SDK.SMS.1007` for an unsupported type; `SMS.1004` for a captcha token that is unknown,
    ///   expired, used, or belongs to another caller or number; `SMS.1008` if the gateway does not take the message; `IDAAS.SDK.LOGIN.1003`
    ///   for a device that is locked for this number; `IDAAS.SDK.RATE.1001`. The last two consume nothing.
    package func send(
        mobile: String, type: String, captchaToken: String, stateToken: String = "", for caller: Caller
    ) async throws -> SMSReceipt {
        let number = try areaCodes.number(of: mobile)
        let purpose = SMSPurpose(rawValue: type)
        guard let step = SMSPurpose.served[purpose] else { throw ServiceError(.unknownScenario) }
        guard purpose != .login || caller.client.settings.sms else { throw ServiceError(.unknownConfiguration) }
        let request = SendRequest(
            owner: CodeOwner(purpose, number, caller), token: Digest256.of(Array(captchaToken.utf8)),
            step: try step.map { try stateTokens.read(stateToken, for: caller, [$0]) })
        return try await flights.value(of: request) { try await self.send(request, for: caller) }
    }

    private func send(_ request: SendRequest, for caller: Caller) async throws -> SMSReceipt {
        let receipt = SMSReceipt(expire: lifetimes.code, interval: lifetimes.sendInterval)
        let now = clock.now
        let order = try await store.settle { [fresh = freshCode()] store in
            try self.order(request, freshCode: fresh, for: caller, at: now, in: store)
        }
        guard case .send(let code, let isReal) = order else { return receipt }
        do {
            try await (isReal ? gateway : sink).deliver(message(code, request.owner, caller))
            return receipt
        } catch {
            if isReal { log(error, of: request, for: caller) }
            try await undo(request, at: now)
            throw ServiceError(.sendingFailed)
        }
    }

    private enum Order: Sendable {
        case send(code: String, isReal: Bool)
        case sentBefore
    }

    /// Decides about a request and records it, in one transaction.
    private func order(
        _ request: SendRequest, freshCode: String, for caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> Result<Order, ServiceError> {
        let owner = request.owner
        if let refusal = try refusal(of: request, for: caller, at: now, in: store) { return .failure(refusal) }
        guard let token = try store.singleUse(.captchaToken, request.token), token.belongs(to: caller), token.subject == owner.mobile.text
        else { return .failure(ServiceError(.captchaIncorrect)) }
        if token.consumed != nil { return repetition(of: token, request, at: now) }
        if let locked = try store.failures(of: owner.mobile.text, on: owner.device)?.refusal(at: now) { return .failure(locked) }
        let user = try store.user(mobile: owner.mobile.text)
        let testCode = environment.isDevelopment ? user?.testCode : nil
        let budget = limits.sendBudget(
            to: owner.mobile, of: caller, preferred: areaCodes.preferredCountry, pause: lifetimes.sendInterval)
        if testCode == nil, let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
        guard try store.consume(.captchaToken, request.token, at: now, outcome: SendOutcome.sent(owner.type)) else {
            return .failure(ServiceError(.captchaIncorrect))
        }
        if testCode == nil { try budget.record(at: now, in: store) }
        let code = testCode ?? freshCode
        try store.save(
            SingleUse(
                purpose: .code(owner.type), key: owner.key, client: owner.client, device: owner.device, subject: owner.mobile.text,
                content: owner.hash(of: code, under: environment.codeHash), created: now, expires: now + lifetimes.code))
        return .success(.send(code: code, isReal: testCode == nil && isReachable(user, caller.client, owner.type)))
    }

    /// Whether the step that the code continues waits for this number.
    private func refusal(
        of request: SendRequest, for caller: Caller, at now: Timestamp, in store: any StoreReading
    ) throws -> ServiceError? {
        guard let step = request.step else { return nil }
        switch try step.record(of: caller, at: now, in: store) {
        case .failure(let refusal): return refusal
        case .success(let record):
            let isTheirs = step.purpose != .secondFactor || record.subject == request.owner.mobile.text
            return isTheirs ? nil : ServiceError(.mobileMismatch)
        }
    }

    /// Whether to send the message: to users who may log in, to numbers that become users, and to unknown numbers if the client reveals
    /// that they have no user. Binding reveals that, to the owner of the number.
    private func isReachable(_ user: User?, _ client: Client, _ type: SMSPurpose) -> Bool {
        guard let user else {
            return type != .login || client.settings.registersUnknownNumbers || client.settings.revealsUnknownNumbers
        }
        return !user.isLocked
    }

    /// Answers a request with a consumed token like the request that consumed it, if both are equal and not more than 30 s apart.
    private func repetition(of token: SingleUse, _ request: SendRequest, at now: Timestamp) -> Result<Order, ServiceError> {
        guard let consumed = token.consumed, now < consumed + lifetimes.retry else { return .failure(ServiceError(.captchaIncorrect)) }
        switch token.outcome {
        case SendOutcome.sent(request.owner.type): return .success(.sentBefore)
        case SendOutcome.failed(request.owner.type): return .failure(ServiceError(.sendingFailed))
        default: return .failure(ServiceError(.captchaIncorrect))
        }
    }

    /// Lifts the pause of a number whose message failed. The other limits stay, because a gateway may fail after it has sent. The code
    /// stays too, because it may have arrived.
    private func undo(_ request: SendRequest, at now: Timestamp) async throws {
        try await store.write { store in
            try store.removeEvent(.sendPause, request.owner.mobile.text, at: now)
            guard var token = try store.singleUse(.captchaToken, request.token) else { return }
            token.outcome = SendOutcome.failed(request.owner.type)
            try store.save(token)
        }
    }

    private func log(_ error: any Error, of request: SendRequest, for caller: Caller) {
        environment.logger.warning(
            "an SMS was not sent",
            metadata: [
                "request_id": "\(caller.requestID)", "client": "\(request.owner.client)", "reason": "\(DeliveryFailure.reason(of: error))",
            ])
    }

    /// Six digits; all values are equally likely.
    private func freshCode() -> String {
        let digits = String(randomness.integer(below: 1_000_000))
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private func message(_ code: String, _ owner: CodeOwner, _ caller: Caller) -> SMSMessage {
        SMSMessage(
            mobile: owner.mobile.text, code: code, type: owner.type.rawValue, client: owner.client, language: caller.language,
            requestID: caller.requestID,
            text: MessageText(issuer: environment.issuer).text(
                code: code, client: caller.client.name, minutes: (lifetimes.code.components.seconds + 59) / 60, in: caller.language),
            made: clock.now)
    }
}
