import ArgumentParser
import Foundation

/// Instructions of whole verifications on arm64, which Benchmarks/arm64/counts.sh counts in an emulator. No time follows from them.
struct InstructionCounts: Codable {
    let machine: String
    let openssl: String
    let date: String
    let rows: [Count]

    /// Means over the tokens of a row.
    struct Count: Codable {
        let name: String
        let instructions: Double
        /// Those that multiply 64 bits.
        let products: Double
        /// Instructions of vectors that multiply 32 bits.
        let vectorProducts: Double
        /// OpenSSL's bare operation. Nil for rows that have none.
        let opensslInstructions: Double?

        /// OpenSSL's instructions divided by ours.
        var ratio: Double? { opensslInstructions.map { $0 / instructions } }

        enum CodingKeys: String, CodingKey {
            case name, instructions, products
            case vectorProducts = "vector_products"
            case opensslInstructions = "openssl_instructions"
        }
    }

    /// - Throws: a mistake of the caller, for a file that counts.sh did not write.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path), let counts = try? JSONDecoder().decode(Self.self, from: data) else {
            throw ValidationError("\(path) is not a JSON file of Benchmarks/arm64/counts.sh")
        }
        self = counts
    }

    var title: String { "Instructions on arm64, counted and not timed (\(machine), \(openssl), \(date))" }

    var table: TextTable {
        var table = TextTable(["row", "instructions", "products", "vector products", "OpenSSL", "ratio"])
        for row in rows {
            let counts = [row.instructions, row.products, row.vectorProducts].map { $0.grouped() }
            table.add([row.name] + counts + [row.opensslInstructions?.grouped() ?? "-", row.ratio?.ratioText ?? "-"])
        }
        return table
    }
}
