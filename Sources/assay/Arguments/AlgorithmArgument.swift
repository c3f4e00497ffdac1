import ArgumentParser
import JWTCore

/// The name of an algorithm on the command line, in any case. In a token its case counts (RFC 7515 section 4.1.1).
enum AlgorithmArgument {
    static let names = SignatureAlgorithm.all.map(\.name)

    static func algorithm(_ text: String) throws -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm.all.first(where: { $0.name.lowercased() == text.lowercased() }) else {
            throw ValidationError("unknown algorithm; the algorithms are \(names.joined(separator: ", "))")
        }
        return algorithm
    }
}
