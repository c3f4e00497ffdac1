public import Foundation

/// Keys and tokens from `vectors/`, made and signed by another library.
public enum Fixtures {
    /// The time at which the vectors are judged.
    public static let now: Int64 = 1_700_000_000

    /// A case of a vector file, with the key that its token names.
    public struct Case: Sendable {
        public let token: String
        /// A JWK Set with only that key.
        public let keys: Data
        public let expected: String

        public init(token: String, keys: Data, expected: String) {
            self.token = token
            self.keys = keys
            self.expected = expected
        }
    }

    private struct MissingFixture: Error, CustomStringConvertible {
        let description: String
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../../vectors")

    private static func document(_ file: String) throws -> (keys: [[String: Any]], cases: [[String: Any]]) {
        let data = try Data(contentsOf: folder.appendingPathComponent("\(file).json"))
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard let cases = document?["cases"] as? [[String: Any]], let set = document?["keys"] as? [String: Any],
            let keys = set["keys"] as? [[String: Any]]
        else { throw MissingFixture(description: "\(file).json is no vector file") }
        return (keys, cases)
    }

    /// A JWK Set with the key `keyID` of `file`, and with `others` copies of it under other names.
    public static func keys(_ file: String, keyID: String, others: Int = 0) throws -> Data {
        try set(of: document(file).keys, keyID: keyID, others: others)
    }

    private static func set(of keys: [[String: Any]], keyID: String, others: Int = 0) throws -> Data {
        let own = keys.filter { $0["kid"] as? String == keyID }
        let copies = (0..<others).flatMap { place in own.map { $0.merging(["kid": "key-\(place)"]) { $1 } } }
        return try JSONSerialization.data(withJSONObject: ["keys": own + copies], options: [.sortedKeys])
    }

    /// The named cases of `file`, with its key `keyID`.
    public static func cases(_ file: String, keyID: String, where isWanted: (String) -> Bool) throws -> [(id: String, case: Case)] {
        let (keys, cases) = try document(file)
        let set = try set(of: keys, keyID: keyID)
        return cases.compactMap { entry in
            guard let id = entry["id"] as? String, isWanted(id), let token = entry["token"] as? String,
                let expected = entry["expect"] as? String
            else { return nil }
            return (id, Case(token: token, keys: set, expected: expected))
        }
    }

    public static func `case`(_ file: String, keyID: String, _ id: String) throws -> Case {
        guard let found = try cases(file, keyID: keyID, where: { $0 == id }).first else {
            throw MissingFixture(description: "\(file).json has no \(id)")
        }
        return found.case
    }
}
