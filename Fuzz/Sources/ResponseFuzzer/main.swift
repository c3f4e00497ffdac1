import FuzzInput
import JWKSCache
import JWTCore

/// Fuzzes the header fields of a response with keys: each line of an input is a field. What is read is within its bounds, and a date is that
/// of the C library.
Fuzzer.run { input in
    let response = ReceivedResponse(status: 200, fields: fields(input))
    let directives = CacheDirectives(response)
    precondition(directives == CacheDirectives(response))
    for span in [directives.lifetime, directives.age, CacheDirectives.retryAfter(response)] {
        guard let span else { continue }
        precondition(span >= .zero && span <= .seconds(253_402_300_800), "a span out of bounds")
    }
    for text in [directives.entityTag, directives.lastModified] {
        guard let text else { continue }
        let isVisible = text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        precondition((1...256).contains(text.utf8.count) && isVisible, "a field that cannot be sent")
    }
    for field in response.fields { checkDate(field.value) }
    precondition(!response.description.contains("\n"))
}

func fields(_ input: [UInt8]) -> [HeaderField] {
    String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).prefix(64).map { line in
        let name = line.prefix { $0 != ":" }
        return HeaderField(String(name), String(line.dropFirst(name.count + 1)))
    }
}

/// Compares a date in the current format (RFC 9110 section 5.6.7) with the C library's.
func checkDate(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), [4, 7, 11, 16, 25].allSatisfy({ bytes[$0] == 0x20 }),
        let seconds = CLibrary.date(text), seconds >= 0
    else { return }
    precondition(HTTPDate(text)?.seconds == seconds, "another date than the C library's")
}
