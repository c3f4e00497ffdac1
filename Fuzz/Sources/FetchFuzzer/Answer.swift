import CAssayInterface
import FuzzInput
import JWKSCache

/// A response: the place of its status, fields in lines up to an empty one, and the body.
struct Answer {
    private let status: UInt32
    private let fields: [(name: [CChar], value: [CChar])]
    private let body: [CChar]

    private static let statuses: [UInt32] = [200, 200, 200, 304, 404, 429, 500, 503, 999, 1_000]

    init(_ reader: inout InputReader) {
        status = Self.statuses[reader.number(below: Self.statuses.count)]
        var fields: [(name: [CChar], value: [CChar])] = []
        while !reader.isAtEnd {
            let line = reader.part(until: UInt8(ascii: "\n"))
            guard !line.isEmpty else { break }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            fields.append((name.map(CChar.init(bitPattern:)), line.dropFirst(name.count + 1).map(CChar.init(bitPattern:))))
        }
        self.fields = fields
        body = reader.rest.map(CChar.init(bitPattern:))
    }

    /// The response as a transport of Swift has it.
    var response: ReceivedResponse {
        ReceivedResponse(
            status: Int(status), fields: fields.map { HeaderField(Self.text($0.name), Self.text($0.value)) },
            body: body.map(UInt8.init(bitPattern:)))
    }

    private static func text(_ bytes: [CChar]) -> String { String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self) }

    /// Hands the response over, in memory of exactly its size.
    func install(_ keys: OpaquePointer?, _ fetch: OpaquePointer?) -> assay_code {
        let texts = fields.map { (Self.copy($0.name), Self.copy($0.value)) }
        defer {
            for (name, value) in texts {
                name.deallocate()
                value.deallocate()
            }
        }
        let fields = texts.map { name, value in
            assay_field(
                name: assay_text(bytes: name.baseAddress, len: name.count), value: assay_text(bytes: value.baseAddress, len: value.count))
        }
        return assay_keys_install(keys, fetch, status, fields, fields.count, body, body.count)
    }

    private static func copy(_ text: [CChar]) -> UnsafeMutableBufferPointer<CChar> {
        let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
        _ = memory.initialize(from: text)
        return memory
    }

    /// Changes the body by the grammar of its document, or the fields.
    static func mutated(_ event: [UInt8], _ chance: inout Chance) -> [UInt8] {
        let end = event.indices.dropFirst(2).first { event[$0] == UInt8(ascii: "\n") && event[$0 - 1] == UInt8(ascii: "\n") }
        guard let end, chance.number(below: 4) > 0 else { return JSONMutator.bytes(event, 0..<event.count) }
        let mutator = chance.number(below: 3) == 0 ? JSONMutator.metadata : .keys
        return Array(event[...end]) + mutator.mutate(Array(event[(end + 1)...]), limit: 4_096, &chance)
    }
}
