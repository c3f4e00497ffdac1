internal import Foundation
internal import IDaaSWire

/// The text of the SMS with a code.
struct MessageText: Sendable {
    /// The only host that phones fill the code into: the last line binds the code to it (origin-bound one-time codes, WICG).
    private let host: String

    init(issuer: String) { host = URL(string: issuer)?.host ?? "" }

    /// - Parameter minutes: the lifetime of the code.
    func text(code: String, client: String, minutes: Int64, in language: Language) -> String {
        let message =
            switch language {
            case .chinese: "【\(client)】验证码 \(code),\(minutes) 分钟内有效。请勿告诉他人;如非本人操作,请忽略本短信。"
            case .english:
                "\(client): your code is \(code). It is valid for \(minutes) minutes. Tell it to nobody; ignore this if you did not ask for it."
            }
        return host.isEmpty ? message : "\(message)\n\n@\(host) #\(code)"
    }
}
