internal import HTTPEdge
internal import HTTPTypes
internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// The WeChat app, WeChat, the carriers and Aliyun, simulated on the server's own listener. They exist only with `--simulators`, on loopback.
package struct SimulatorEndpoints: EndpointGroup {
    let clock: any ServerClock
    let wechat: WeChatSimulator
    let carrier: CarrierSimulator
    let faults = SimulatedFaults()

    /// Below these paths the vendors' own begin.
    static let wechatBase = "/__simulators/wechat"
    static let dypnsapi = "/__simulators/dypnsapi"

    init(clock: any ServerClock, randomness: Randomness) {
        self.clock = clock
        wechat = WeChatSimulator(clock: clock, randomness: randomness)
        carrier = CarrierSimulator(clock: clock, randomness: randomness)
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.post, SimulatorPath.wechatApp, "simulatedWeChatApp", isListed: false, wechatApp),
            Endpoint(
                .get, Self.wechatBase + "/sns/oauth2/access_token", "simulatedWeChatToken", isSafe: false, isListed: false, wechatToken),
            Endpoint(.get, Self.wechatBase + "/sns/userinfo", "simulatedWeChatUser", isListed: false, wechatUser),
            Endpoint(.post, SimulatorPath.carrierPrefetch, "simulatedPrefetch", isListed: false, prefetch),
            Endpoint(.post, SimulatorPath.carrierToken, "simulatedToken", isListed: false, token),
            Endpoint(.post, Self.dypnsapi, "simulatedGetMobile", isListed: false, getMobile),
            Endpoint(.post, "/__simulators/faults", "simulatedFaults", isListed: false, orderFault),
        ]
    }

    // WeChat

    private func wechatApp(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        let body = try JSONBody(exchange)
        let appID = try body.string(SimulatorMember.appID)
        let state = try body.optionalString(SimulatorMember.state) ?? ""
        if let code = faults.next(of: "wechat.app") { return Self.appError(Int(code) ?? -1) }
        switch SimulatedDecision(rawValue: try body.optionalString(SimulatorMember.decision) ?? "allow") {
        case .deny: return Self.appError(-4)
        case .cancel: return Self.appError(-2)
        case nil: throw ServiceError(.invalidParameter, SimulatorMember.decision)
        case .allow: break
        }
        let code = await wechat.code(for: try body.string(SimulatorMember.user), appID: appID)
        let query = "code=\(code)&state=\(PercentEncoding.strict(state))"
        let link = try body.optionalString(SimulatorMember.universalLink, limit: 1_024) ?? ""
        let base = link.isEmpty ? "\(appID)://oauth" : "\(link.hasSuffix("/") ? link : link + "/")\(appID)/oauth"
        return .json([SimulatorMember.callback: .string("\(base)?\(query)")])
    }

    private static func appError(_ code: Int) -> Reply {
        .json([SimulatorMember.errorCode: JSON(code), SimulatorMember.errorText: .string("the user did not allow it, or WeChat failed")])
    }

    private func wechatToken(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        if let reply = fault(of: "wechat") { return reply }
        let query = exchange.query
        return .json(
            await wechat.accessToken(
                appID: query["appid"] ?? "", secret: query["secret"] ?? "", code: query["code"] ?? "", grantType: query["grant_type"] ?? "")
        )
    }

    private func wechatUser(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        return .json(await wechat.userInfo(accessToken: exchange.query["access_token"] ?? "", openID: exchange.query["openid"] ?? ""))
    }

    // Carriers

    private func prefetch(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        let phone = try SimulatedPhone(exchange, faults)
        if let result = phone.failure { return Self.carrierFailure(result) }
        return .json([
            SimulatorMember.resultCode: "600000", SimulatorMember.message: "ok", SimulatorMember.number: .string(phone.masked),
            SimulatorMember.protocolName: .string(phone.protocolName), SimulatorMember.protocolURL: .string(phone.protocolURL),
            SimulatorMember.lifetime: JSON(CarrierSimulator.lifetime(of: phone.carrier)),
        ])
    }

    private func token(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        let phone = try SimulatedPhone(exchange, faults)
        if let result = phone.failure { return Self.carrierFailure(result) }
        let (token, lifetime) = await carrier.token(for: phone.mobile, bundleID: phone.bundleID, phone.carrier)
        return .json([
            SimulatorMember.resultCode: "600000", SimulatorMember.message: "ok", SimulatorMember.token: .string(token),
            SimulatorMember.lifetime: JSON(lifetime),
        ])
    }

    private static func carrierFailure(_ code: String) -> Reply {
        .json([SimulatorMember.resultCode: .string(code), SimulatorMember.message: .string("simulated \(code)")])
    }

    // Aliyun

    private func getMobile(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        if let reply = fault(of: "dypnsapi") { return reply }
        guard let signer = signer(of: exchange) else {
            return .json(CarrierSimulator.error("SignatureDoesNotMatch", "the signature is not valid"), status: 400)
        }
        guard await carrier.admits(nonce: exchange.fields[.init("x-acs-signature-nonce")!] ?? "") else {
            return .json(CarrierSimulator.error("SignatureNonceUsed", "the nonce was used"), status: 400)
        }
        return .json(await carrier.mobile(of: exchange.query["AccessToken"] ?? "", for: signer))
    }

    /// The AccessKeyID of a call whose signature is right and whose date is within 15 minutes.
    private func signer(of exchange: Exchange) -> String? {
        let prefix = AliyunSignature.algorithm + " Credential="
        guard let authorization = exchange.value(.authorization), authorization.hasPrefix(prefix) else { return nil }
        let parts = authorization.dropFirst(prefix.count).split(separator: ",")
        guard parts.count == 3, parts[1].hasPrefix("SignedHeaders=") else { return nil }
        let accessKeyID = String(parts[0])
        var fields: [String: String] = [:]
        for name in parts[1].dropFirst("SignedHeaders=".count).split(separator: ";") {
            guard let field = HTTPField.Name(String(name)) else { return nil }
            fields[String(name)] = name == "host" ? exchange.host : exchange.fields[field]
        }
        guard fields["x-acs-action"] == DypnsapiClient.action, fields["x-acs-version"] == DypnsapiClient.version,
            let date = fields["x-acs-date"], isRecent(date), accessKeyID.hasPrefix(CarrierSimulator.account)
        else { return nil }
        let call = AliyunSignature.Call(query: exchange.query, fields: fields)
        let expected = AliyunSignature(accessKeyID: accessKeyID, secret: CarrierSimulator.secret).authorization(of: call)
        return equalInConstantTime(Array(expected.utf8), Array(authorization.utf8)) ? accessKeyID : nil
    }

    private func isRecent(_ date: String) -> Bool {
        (-15...15).contains { minutes in
            let text = ISOTime.text(clock.now + .seconds(60 * minutes))
            return text.prefix(16) == date.prefix(16)
        }
    }

    // Faults

    private func orderFault(_ exchange: Exchange) async throws -> Reply {
        try admit(exchange)
        let body = try JSONBody(exchange)
        let count = Int(clamping: try body.optionalInteger("count") ?? 1)
        guard (0...1_000).contains(count) else { throw ServiceError(.invalidParameter, "count") }
        faults.order(try body.string("code"), from: try body.string("upstream"), count: count)
        return .json([:])
    }

    /// The ordered error of an upstream: a number of WeChat's, a code of Aliyun's, or `status 503`.
    private func fault(of upstream: String) -> Reply? {
        guard let code = faults.next(of: upstream) else { return nil }
        if code.hasPrefix("status "), let status = Int(code.dropFirst(7)) { return Reply(status: status, body: Array("<html>".utf8)) }
        guard upstream == "wechat" else { return .json(CarrierSimulator.error(code, "ordered"), status: 400) }
        return .json(WeChatSimulator.error(Int(code) ?? -1, "ordered"))
    }

    private func admit(_ exchange: Exchange) throws(RequestRefusal) {
        guard !exchange.origin.isForwarded, AddressBlock.loopback.contains(where: { $0.contains(exchange.origin.address) }),
            DevelopmentEndpoints.isLoopback(host: exchange.host)
        else { throw .notFound }
    }
}

/// What a simulated phone says about itself and its SIM card.
private struct SimulatedPhone {
    let bundleID: String
    let carrier: Carrier
    let mobile: String
    /// The carrier's result code, if the phone gets no token.
    let failure: String?

    init(_ exchange: Exchange, _ faults: SimulatedFaults) throws {
        let body = try JSONBody(exchange)
        bundleID = try body.string(SimulatorMember.bundleID)
        let network = try body.string(SimulatorMember.carrier)
        mobile = try body.string(SimulatorMember.mobile, limit: 32)
        let generation = try body.optionalInteger(SimulatorMember.generation) ?? 4
        carrier = Carrier(rawValue: network) ?? .mobile
        // China Unicom serves 3G and later, China Telecom 4G and later.
        let least: Int64 = carrier == .mobile ? 2 : carrier == .unicom ? 3 : 4
        failure = faults.next(of: "carrier") ?? (Carrier(rawValue: network) == nil ? "600009" : generation < least ? "600011" : nil)
    }

    var masked: String {
        let digits = mobile.split(separator: "-").last.map(String.init) ?? mobile
        return digits.count < 8 ? "****" : "\(digits.prefix(3))****\(digits.suffix(4))"
    }

    var protocolName: String {
        switch carrier {
        case .mobile: "中国移动认证服务条款"
        case .unicom: "联通统一认证服务条款"
        case .telecom: "天翼账号服务与隐私协议"
        }
    }

    var protocolURL: String {
        switch carrier {
        case .mobile: "https://wap.cmpassport.com/resources/html/contract.html"
        case .unicom: "https://opencloud.wostore.cn/authz/resource/html/disclaimer.html"
        case .telecom: "https://e.189.cn/sdk/agreement/detail.do"
        }
    }
}
