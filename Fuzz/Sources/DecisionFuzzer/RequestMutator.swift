import FuzzInput

/// Changes a request line by line: the fields, the path, and the tokens that single bytes stand for.
enum RequestMutator {
    private static let lines = [
        "Authorization: Bearer ", "Cookie: session=", "cookie: a=b; session=", "x-token: ", "X-B: jwt=", "Connection: x-a-sub",
        "x_a_sub: a",
        "Origin: https://app.example", "Access-Control-Request-Method: POST", "X-HTTP-Method-Override: PUT", "x-original-method: GET",
        "x-original-uri: /main", "x-forwarded-method: GET", "Sec-Fetch-Mode: navigate", "Accept: text/html;q=0.9, */*",
        "x-forwarded-proto: https", "x-forwarded-host: h", "x-forwarded-uri: /open", "host: h", "x-route: a",
    ].map { Array($0.utf8) }
    private static let targets = [
        "/main", "/open", "/asked/a/by", "/asked/b/by/c", "/both", "/either/", "/scoped", "/hosts", "/open/..;/main", "/%6fpen", "//open",
        "/open%2fmain",
        "/open/%2e%2e/main",
        "/main?access_token=", "*", "http://h/main", "/a\\main", "/%00", "/main#x",
    ].map { Array($0.utf8) }

    private static let hosts = ["h", "a.open.example", "a.open.example:80", "a.open.example.", ""]

    static func mutate(_ input: [UInt8], _ chance: inout Chance) -> [UInt8] {
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        let place = chance.number(below: lines.count)
        switch chance.number(below: 9) {
        case 0: lines.append(chance.one(of: Self.lines) + token(&chance))
        case 1: lines.insert(lines[place], at: place)
        case 2 where lines.count > 3: lines.remove(at: 3 + chance.number(below: lines.count - 3))
        case 3 where lines.count > 2: lines[2] = chance.one(of: targets) + token(&chance)
        case 4 where lines.count > 2: lines[2] += chance.one(of: targets)
        case 5: lines[place] += token(&chance)
        case 6: lines[0] = Array(chance.one(of: ["GET", "POST", "OPTIONS", "CONNECT", "get", ""]).utf8)
        case 7 where lines.count > 1: lines[1] = Array(chance.one(of: hosts).utf8)
        default: return JSONMutator.bytes(input, 0..<input.count)
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// A byte that stands for a token, in half of the cases.
    private static func token(_ chance: inout Chance) -> [UInt8] {
        chance.number(below: 2) == 0 ? [UInt8(0xf8 + chance.number(below: 8))] : []
    }
}
