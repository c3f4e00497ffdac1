import FuzzInput
import JWTCore

/// The tokens of a history: valid ones of many lengths and ends, forged ones, and one with the claims of the input.
enum History {
    static func tokens(claims: [UInt8]) -> [[UInt8]] { fixed + [signed(claims)] }

    private static let fixed: [[UInt8]] = {
        let good = (0..<40).map { number in
            signed(Array(payload(expiry: 1_700_000_000 + (number % 7) * 40, filling: number * 37).utf8))
        }
        return good + good.prefix(8).map(forged)
    }()

    private static func payload(expiry: Int, filling: Int) -> String {
        let text = String(repeating: "x", count: filling)
        return #"{"iss":"https://idp.example","aud":"client-1","sub":"\#(text)","exp":\#(expiry),"iat":1699999990}"#
    }

    private static func signed(_ claims: [UInt8]) -> [UInt8] {
        Keys.token(Keys.hs256, header: Array(#"{"alg":"HS256","kid":"hs"}"#.utf8), payload: claims)
    }

    /// The same message with another signature.
    private static func forged(_ token: [UInt8]) -> [UInt8] {
        var forged = token
        forged[forged.count - 3] = forged[forged.count - 3] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return forged
    }
}
