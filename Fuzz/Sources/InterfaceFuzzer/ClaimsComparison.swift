import CAssayInterface
import JWTCore

/// Compares the claims of a result with those of the Swift library, value by value.
struct ClaimsComparison {
    /// A function of the interface that lends a text of a result.
    private typealias Reader = (
        UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafeMutablePointer<Int>?, OpaquePointer?
    ) -> assay_code

    private let result: OpaquePointer?

    init(_ result: OpaquePointer?) { self.result = result }

    func compare(_ expected: Outcome) {
        guard let token = expected.token else { preconditionFailure("claims of a refused token") }
        precondition(text(assay_result_payload) == token.payload, "another payload")
        precondition(text(assay_result_header) == Array(copying: token.header.value.text), "another header")
        precondition(text(assay_result_issuer) == token.issuer.map { Array($0.utf8) }, "another issuer")
        precondition(text(assay_result_subject) == token.subject.map { Array($0.utf8) }, "another subject")
        precondition(text(assay_result_token_id) == token.tokenID.map { Array($0.utf8) }, "another token id")
        precondition(text(assay_result_key_id) == token.keyID.map { Array($0.utf8) }, "another key id")
        precondition(text(assay_result_algorithm) == Array(token.algorithm.name.utf8), "another algorithm")
        precondition(date(assay_result_expiration) == token.expiration?.seconds, "another expiry")
        precondition(date(assay_result_not_before) == token.notBefore?.seconds, "another start")
        precondition(date(assay_result_issued_at) == token.issuedAt?.seconds, "another time of issue")
        precondition(date(assay_result_authentication_time) == token.authenticationTime?.seconds, "another time of login")
        var root = assay_value()
        precondition(assay_result_claim_at(&root, result, "", 0) == ASSAY_OK)
        compare(root, token.claims.value)
        token.claims.value.forEachMember { name, value in
            var found = assay_value()
            precondition(name.utf8.withChars { assay_result_claim(&found, result, $0, $1) } == ASSAY_OK, "a claim is not found")
            compare(found, value)
        }
    }

    private func compare(_ value: assay_value, _ expected: borrowing JSONValue) {
        var value = value
        switch Int(value.type) {
        case ASSAY_TYPE_STRING: precondition(lent { assay_value_string($0, $1, &value) } == expected.string?.utf8, "another string")
        case ASSAY_TYPE_NUMBER: compareNumber(&value, expected)
        case ASSAY_TYPE_BOOLEAN:
            var isTrue: Int32 = 2
            precondition(assay_value_bool(&isTrue, &value) == ASSAY_OK && isTrue == (expected.bool == true ? 1 : 0), "another truth value")
        case ASSAY_TYPE_NULL: precondition(expected.isNull, "null is something else")
        default: compareContainer(&value, expected)
        }
        let raw = Array(copying: expected.raw), quote = [UInt8(ascii: "\"")]
        let json = expected.string == nil ? raw : quote + raw + quote
        precondition(lent { assay_value_json($0, $1, &value) } == json, "another text")
    }

    private func compareNumber(_ value: inout assay_value, _ expected: borrowing JSONValue) {
        var whole: Int64 = 0, double = 0.0
        let isWhole = assay_value_integer(&whole, &value) == ASSAY_OK, isDouble = assay_value_number(&double, &value) == ASSAY_OK
        precondition((isWhole ? whole : nil) == expected.number?.int64, "another integer")
        precondition((isDouble ? double : nil) == expected.number?.double, "another number")
    }

    private func compareContainer(_ value: inout assay_value, _ expected: borrowing JSONValue) {
        var count = 0, index = 0, inner = assay_value()
        precondition(assay_value_count(&count, &value) == ASSAY_OK && count == expected.count, "another count")
        expected.forEachElement { element in
            precondition(assay_value_element(&inner, &value, index) == ASSAY_OK, "a missing element")
            compare(inner, element)
            index += 1
        }
        expected.forEachMember { name, member in
            precondition(lent { assay_value_member(&inner, $0, $1, &value, index) } == name.utf8, "another name")
            compare(inner, member)
            index += 1
        }
        precondition(assay_value_element(&inner, &value, index) != ASSAY_OK, "an element too many")
    }

    private func text(_ read: Reader) -> [UInt8]? { lent { read($0, $1, result) } }

    /// A lent text; nil if the library lends no text.
    private func lent(_ read: (UnsafeMutablePointer<UnsafePointer<CChar>?>, UnsafeMutablePointer<Int>) -> assay_code) -> [UInt8]? {
        var start: UnsafePointer<CChar>?, count = 0
        guard read(&start, &count) == ASSAY_OK else { return nil }
        return UnsafeBufferPointer(start: start, count: count).map { UInt8(bitPattern: $0) }
    }

    private func date(_ read: (UnsafeMutablePointer<Int64>?, OpaquePointer?) -> assay_code) -> Int64? {
        var seconds: Int64 = 0
        return read(&seconds, result) == ASSAY_OK ? seconds : nil
    }
}
