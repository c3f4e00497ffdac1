import Gateway
import JWKSCache
import Testing

/// Random hostile paths, as servers read them that are less strict.
struct LenientReaderTests {
    private static let pieces = [
        "/", "//", ".", "..", "%2e", "%2E%2e", "%252e", "%2f", "%2F", "%5c", "\\", ";", ";a=b", "%3b", "public", "admin", "%61dmin", "a",
        "%00", "%20", "%c0%ae", "%25", "%2", "%", "?", "#", " ", "\t", "%09", "%c3%a4", "%u002e", "+", "~", "@", ":", "%2525", "65", "2e",
        "%32%65", "%32%66",
    ]

    @Test
    func anOpenPathIsOpenForEveryReader() async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.policies.append(GatewayPolicy("open", requirement: nil))
                $0.routes = [Route(.prefix("/public"), policy: "open"), Route(policy: "main")]
            })
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed), allowed = 0
        for _ in 0..<50_000 {
            let path =
                "/public"
                + (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            guard scene.verdict(Scene.request([], path)) == "anonymous" else { continue }
            allowed += 1
            for reading in Self.readings(of: path) {
                #expect(reading == "public" || reading.utf8.starts(with: "public/".utf8), "seed \(seed): \(path) is \(reading) to a reader")
            }
        }
        #expect(allowed > 500)
    }

    /// Decoding never, once or twice, before or after dot segments are removed.
    private static func readings(of target: String) -> [String] {
        let path = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })
        let once = decoded(path), twice = decoded(once)
        return [resolved(path), resolved(once), resolved(twice), resolved(decoded(Array(("/" + resolved(path)).utf8)))]
    }

    private static func decoded(_ path: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [], position = 0
        while position < path.count {
            let digits = path[position...].dropFirst().prefix(2)
            if path[position] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: Array(digits), as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                position += 3
            } else {
                bytes.append(path[position])
                position += 1
            }
        }
        return bytes
    }

    /// The segments as one of the most lenient servers sees them: backslashes separate, parameters and empty segments are dropped.
    private static func resolved(_ path: [UInt8]) -> String {
        var segments: [String] = []
        for segment in path.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            let name = String(decoding: Array(segment.prefix { $0 != UInt8(ascii: ";") && $0 != 0 }), as: UTF8.self)
            switch name {
            case "", ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(name)
            }
        }
        return segments.joined(separator: "/")
    }
}
