internal import JWTCore

/// The program's registration at the WeChat Open Platform. The AppSecret is the server's alone.
public struct WeChatApplication: Hashable, Sendable {
    /// The AppID: also the scheme of the URL with which WeChat opens the program.
    public let id: String
    /// The registered Universal Link: https, with the path below which WeChat opens the program.
    public let universalLink: String
    /// What the user is asked to permit.
    public static let scope = "snsapi_userinfo"

    /// - Parameters:
    ///   - id: letters, digits, `.`, `-` and `+`, the first one a letter (RFC 3986 section 3.1).
    ///   - universalLink: `https://app.example/path/`.
    /// - Throws: ``FlowError`` of reason `configuration`.
    public init(id: String, universalLink: String) throws(FlowError) {
        let isScheme = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        guard isScheme, id.first?.isLetter == true, id.utf8.count <= 64 else {
            throw FlowError(.configuration("the WeChat AppID is not the scheme of a URL"))
        }
        guard let parts = URLText(universalLink), parts.scheme == "https", !parts.host.isEmpty,
            !parts.hasUser, parts.query == nil, parts.fragment == nil
        else { throw FlowError(.configuration("the Universal Link is not an https URL without query and fragment")) }
        self.id = id
        self.universalLink = universalLink
    }
}
