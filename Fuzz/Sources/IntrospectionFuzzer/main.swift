import FuzzInput
import JWTCore

/// Fuzzes the answers of an introspection endpoint, plain and signed, as a gateway asks for them. A request is admitted only if jansson finds an
/// active token for this issuer, audience and time in the answer.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replacePart(data, size, room, seed: seed, after: 1, by: [.introspection, .introspection])
}

let plain = Fuzzer.lasting { Endpoint(isSigned: false) }
let signed = Fuzzer.lasting { Endpoint(isSigned: true) }

Fuzzer.useLibcrypto()
Fuzzer.run { input in
    var reader = InputReader(input)
    let kind = reader.byte(), header = reader.part(until: 0xff), answer = Array(reader.rest)
    switch kind {
    case 0xfe: precondition(!signed.admits(answer) || answer.split(separator: UInt8(ascii: ".")).count == 3, "admitted without a signature")
    case let kind where kind & 1 == 0:
        checkReading(answer)
        if plain.admits(answer) { checkAdmitted(answer) }
        precondition(!signed.admits(answer), "an unsigned answer is admitted")
    default:
        let token = Keys.token(Keys.ed25519, header: header, payload: answer)
        precondition(!plain.admits(token), "a token is no plain answer")
        guard signed.admits(token) else { return }
        let type = Witness.text("typ", in: header)
        precondition(type?.ends(in: "token-introspection+jwt") ?? !Witness.reads(header), "another type")
        Witness.check(payload: answer, issuer: "https://idp.example", audience: "gateway", now: Double(Endpoint.now), leeway: 60)
        guard let inner = (try? JSONTree(parsing: answer))?.members?["token_introspection"] else { preconditionFailure("no answer") }
        checkAdmitted(inner.json)
    }
}

/// An answer is read in one way, and says that a token is active only by `true`.
func checkReading(_ answer: [UInt8]) {
    do throws(VerificationError) {
        let token = try IntrospectedToken.read(answer)
        let active = (try? JSONTree(parsing: answer))?.members?["active"]
        precondition(active == .bool(token != nil), "another activity")
    } catch {
        ReachedCodes.note(error)
    }
}

func checkAdmitted(_ answer: [UInt8]) {
    precondition((try? JSONTree(parsing: answer))?.members?["active"] == .bool(true), "admitted without an active token")
    Witness.check(payload: answer, issuer: "https://idp.example", audience: "orders", now: Double(Endpoint.now), leeway: 60)
}

extension [UInt8] {
    fileprivate func ends(in text: String) -> Bool { String(decoding: self, as: UTF8.self).lowercased().hasSuffix(text) }
}
