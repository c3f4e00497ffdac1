/// What a simulated phone asks of the simulators that a development server starts. A server asks the vendors' own paths instead.
///
/// Every request is a POST with a JSON body of ``SimulatorMember``. The simulators are absent unless they were asked for.
package enum SimulatorPath {
    /// The WeChat app. Request: `appid`, `scope`, `state`, `universal_link`, `user`, `decision`. Reply: `callback`, the URL that the WeChat app
    /// opens, with a code that works once within ten minutes; or `errcode` and `errmsg`, where the app answers with an error.
    package static let wechatApp = "/__simulators/wechat/app"
    /// The carrier's pre-fetch. Request: `bundle_id`, `operator`, `generation`, `mobile`. Reply: `resultCode`, `msg`; with `600000` also
    /// `number` (masked), `protocol_name`, `protocol_url` and `expires_in`.
    package static let carrierPrefetch = "/__simulators/carrier/prefetch"
    /// The carrier's login token. The same request. Reply: `resultCode`, `msg`; with `600000` also `token` and `expires_in`.
    package static let carrierToken = "/__simulators/carrier/token"
}

/// The members of a simulated phone's requests and of their replies.
package enum SimulatorMember {
    // The WeChat app
    package static let appID = "appid"
    package static let scope = "scope"
    package static let state = "state"
    package static let universalLink = "universal_link"
    /// The WeChat account that is logged in on the phone: any name.
    package static let user = "user"
    /// ``SimulatedDecision``
    package static let decision = "decision"
    package static let callback = "callback"
    package static let errorCode = "errcode"
    package static let errorText = "errmsg"

    // The carrier
    package static let bundleID = "bundle_id"
    /// `CM`, `CU` or `CT`: China Mobile, China Unicom, China Telecom.
    package static let carrier = "operator"
    /// 2 to 5: the generation of the mobile network.
    package static let generation = "generation"
    /// The number of the SIM card. A carrier knows it from the cellular connection, a simulator is told.
    package static let mobile = "mobile"
    package static let resultCode = "resultCode"
    package static let message = "msg"
    package static let number = "number"
    package static let protocolName = "protocol_name"
    package static let protocolURL = "protocol_url"
    package static let token = "token"
    package static let lifetime = "expires_in"
}

/// What a simulated user does on WeChat's authorisation page.
public enum SimulatedDecision: String, Hashable, Sendable, CaseIterable {
    case allow
    case deny
    /// Leaves the page without an answer.
    case cancel
}

/// The carriers of one-click login.
public enum Carrier: String, Hashable, Sendable, CaseIterable, Codable {
    case mobile = "CM"
    case unicom = "CU"
    case telecom = "CT"
}
