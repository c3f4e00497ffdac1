import FuzzInput
import IDaaSServer
import IDaaSWire
import JWTCore

/// Fuzzes requests to the reference IDaaS: bodies in JSON and in the format of forms, and the fields that name addresses, languages and
/// requests. A JSON body is refused, or is an object as another reader of JSON finds it.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 0, by: requests)
}

let requests = JSONMutator(
    names: [
        "mobile", "code", "type", "token", "point", "sender", "captcha_token", "authorization_code", "nonce", "public_key", "random",
        "decision", "match_code", "username", "password",
    ],
    values: [#""13800000000""#, #""+86-13800000000""#, #""{\"x\":1.0,\"y\":5.0}""#, #"{"x":1.0,"y":5.0}"#, #""LOGIN""#, #""approve""#])

/// A variable of this file is made where it stands, so it stands before the run.
let proxies = TrustedProxies(AddressBlock.loopback + [AddressBlock("192.0.2.0/24"), AddressBlock("2001:db8::/32")].compactMap(\.self))

Fuzzer.run { input in
    checkJSON(input)
    checkForm(input)
    let text = String(decoding: input, as: UTF8.self)
    checkAddresses(text)
    for tag in [text, String(text.prefix(8))] { _ = Language(replyLanguage: tag, acceptLanguage: text) }
    guard RequestIdentifier.isValid(text) else { return }
    precondition([32, 36].contains(input.count) && input.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "an identifier that may be anything")
}

func checkJSON(_ input: [UInt8]) {
    _ = JSONBody.isJSON(String(decoding: input, as: UTF8.self))
    do throws(ServiceError) {
        let body = try JSONBody(text: input)
        guard let document = try? KeySet.document(input.span) else { return }
        precondition(document.root.isObject, "a body that is no object")
        for name in ["mobile", "code", "point", "nonce", "decision"] { ask(body, name, document.root[name]?.utf8) }
    } catch {
        note(error)
    }
}

/// Asks for a member as every type.
func ask(_ body: JSONBody, _ name: String, _ expected: [UInt8]?) {
    do throws(ServiceError) {
        let text = try body.optionalString(name, limit: 64)
        precondition(text.map { Array($0.utf8) } == expected, "another text")
    } catch {
        note(error)
    }
    do throws(ServiceError) { _ = try body.string(name) } catch { note(error) }
    do throws(ServiceError) { _ = try body.optionalBool(name) } catch { note(error) }
    do throws(ServiceError) { _ = try body.optionalInteger(name) } catch { note(error) }
    do throws(ServiceError) { _ = try body.optionalText(name, limit: 64) } catch { note(error) }
}

/// A member's text is at most as long as the form.
func checkForm(_ input: [UInt8]) {
    do throws(ServiceError) {
        let form = try FormBody(text: input)
        for name in ["code", "a", ""] { precondition((form[name]?.utf8.count ?? 0) <= input.count, "a text from nowhere") }
        _ = try form.string("code", limit: 8)
    } catch {
        note(error)
    }
}

/// A client's address is one, and no proxy's unless nothing else is known; a peer that is no proxy says nothing about others.
func checkAddresses(_ text: String) {
    _ = AddressBlock(text)
    let lines = text.split(separator: "\n").prefix(16).map(String.init)
    let client = proxies.clientAddress(peer: "192.0.2.1", forwardedFor: lines)
    precondition(AddressBlock.canonical(client) == client, "a client's address is none")
    precondition(AddressBlock(client)?.contains(client) == true, "an address is not in its own block")
    precondition(proxies.clientAddress(peer: "198.51.100.1", forwardedFor: lines) == "198.51.100.1", "a stranger is believed")
}

func note(_ error: ServiceError) { ReachedCodes.note("service.\(error.code)") }
