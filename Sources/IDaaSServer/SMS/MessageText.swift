#if IDaaS
internal import Foundation

/// What stands in the SMS of a code.
struct MessageText: Sendable {
    /// The host that phones may fill the code into, and none else: the last line binds the two (the origin-bound one-time codes of WICG).
    private let host: String

    init(issuer: String) { host = URL(string: issuer)?.host ?? "" }

    /// - Parameter minutes: until the code is worth nothing.
    func text(code: String, client: String, minutes: Int, in language: Language) -> String {
        let message =
            switch language {
            case .chinese: "【\(client)】验证码 \(code),\(minutes) 分钟内有效。请勿告诉他人;如非本人操作,请忽略本短信。"
            case .english:
                "\(client): your code is \(code). It is valid for \(minutes) minutes. Tell it to nobody; ignore this if you did not ask for it."
            }
        return host.isEmpty ? message : "\(message)\n\n@\(host) #\(code)"
    }
}
#endif
