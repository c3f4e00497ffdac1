import FuzzInput
import JWTCore

/// Fuzzes the decoded payload: reads it as unverified claims, visits every value in every way, and decodes it into Swift types.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 0, by: .claims)
}

Fuzzer.run { payload in
    let token = Array("e30.".utf8) + Base64URL.encode(payload) + [UInt8(ascii: ".")]
    do throws(VerificationError) {
        let claims = try UnverifiedClaims(reading: token.span)
        precondition(Array(copying: claims.value.raw).count <= payload.count)
        walk(claims.value)
        _ = (claims.value.string("iss"), claims.value.value(at: "aud", 0)?.count, claims.value["amr"]?.contains("otp"))
        decode(claims.value)
    } catch {
        ReachedCodes.note(error)
    }
}

func walk(_ value: borrowing JSONValue) {
    if let number = value.number { check(number) }
    if let text = value.string {
        precondition(text.equals(text.string) && text.equals(text.utf8), "a text differs from itself")
        precondition(text.isEscaped || text.raw.count == text.utf8.count)
    }
    _ = (value.date, value.bool, value.isNull)
    var count = 0
    value.forEachElement {
        precondition(value[count] != nil)
        count += 1
        walk($0)
    }
    value.forEachMember { name, member in
        count += 1
        precondition(member.raw.count >= 0 && name.equals(name.string), "a name differs from itself")
        precondition(value[name.string] != nil, "a member is not found")
        walk(member)
    }
    precondition(count == value.count, "a container has another count")
}

func check(_ number: borrowing JSONNumber) {
    if let whole = number.int64 {
        precondition(number.isInteger && Int64(number.text) == whole, "an integer has another value")
        precondition(number.double == Double(whole), "two values of one number")
    }
    if let date = NumericDate(number), let double = number.double {
        precondition(abs(Double(date.seconds) - double) < 2, "a date has another value")
    }
}

/// Types that need every container of the decoder.
struct Profile: Decodable {
    let iss: String?
    let aud: [String]?
    let exp: NumericDate?
    let amr: [String?]?
    let iat: Int?
    let nbf: Double?
    let admin: Bool?
    let nested: [String: [Int8]]?
}

func decode(_ value: borrowing JSONValue) {
    _ = (try? value.decode(Profile.self), try? value.decode(Shape.self))
    _ = try? value.decode([String: Double].self)
    _ = try? value.decode([String: [UInt64]].self)
    _ = try? value.decode([String: String].self)
    value.forEachMember { _, member in
        _ = (try? member.decode(Int16.self), try? member.decode(Float.self), try? member.decode(Bool?.self))
        _ = (try? member.decode([Profile].self), try? member.decode(Shape.self))
    }
}
