/// What a kill must not change.
enum Fact: String, CaseIterable {
    case session = "a session goes on"
    case idToken = "an id_token verifies"
    case captchaToken = "a captcha token is good for its SMS"
    case codeOnce = "a code is refused the second time"
    case captchaTokenOnce = "a captcha token is refused the second time"
    case replacedToken = "a replaced session token is refused"

    case registrationStep = "a registration through WeChat goes on after its first step"
    case registrationCode = "a registration through WeChat goes on after its SMS, or is complete"
    case registeredAccount = "a registered WeChat account logs in its user"
    case registrationOnce = "a registration is refused the second time"
    case bindingStep = "a binding through WeChat goes on after its first step"
    case bindingCode = "a binding through WeChat goes on after its SMS, or is complete"
    case boundAccount = "a bound WeChat account logs in its user"
    case bindingOnce = "a binding is refused the second time"
    case weChatAnswer = "the same request with a code of WeChat has the same answer"
    case weChatCodeOnce = "a code of WeChat is refused once its retry time is over"

    case carrierAnswer = "the same request with a carrier's token has the same answer"
    case carrierTokenElsewhere = "a carrier's token is refused to another device"
    case carrierTokenOnce = "a carrier's token is refused once its retry time is over"
    case carrierUser = "the next token of a SIM card logs in the same user"

    case firstFactor = "a login with a password goes on to its second factor"
    case asked = "a phone that was asked answers"
    case approved = "an approved request is polled"
    case twoFactors = "a session of two factors goes on"
    case bound = "a bound phone answers"
    case unbound = "an unbound phone stays unbound"
    case polledOnce = "a polled request is refused the second time"
    case answeredOnce = "an answered request is refused the second time"
}

/// How often each fact was checked: a kill while no user is in a state proves nothing about it.
struct Facts {
    private(set) var counts: [Fact: Int] = [:]

    var unseen: [Fact] { Fact.allCases.filter { counts[$0] == nil } }

    mutating func add(_ other: Facts) { counts.merge(other.counts, uniquingKeysWith: +) }

    mutating func expect(_ fact: Fact, _ holds: Bool, _ outcome: @autoclosure () -> String) throws {
        guard holds else { throw Wrong("\(fact.rawValue): \(outcome())") }
        counts[fact, default: 0] += 1
    }
}
