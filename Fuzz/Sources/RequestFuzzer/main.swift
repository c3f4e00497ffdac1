import FuzzInput
import HTTPTypes
import IDaaSServer
import IDaaSWire
import JWTCore
import Secrets

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
    checkExchange(text)
    for tag in [text, String(text.prefix(8))] { _ = Language(replyLanguage: tag, acceptLanguage: text) }
    guard RequestIdentifier.isValid(text) else { return }
    precondition([32, 36].contains(input.count) && input.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "an identifier that may be anything")
}

func checkJSON(_ input: [UInt8]) {
    _ = JSONBody.isJSON(String(decoding: input, as: UTF8.self))
    do throws(ServiceError) {
        let body = try JSONBody(text: input)
        guard let document = try? JSONDocument(parsing: input.span) else { return }
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

/// The values of a request's fields, the query, and behind an empty line the body.
func checkExchange(_ text: String) {
    let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let names: [HTTPField.Name] = [.contentType, .authorization, .deviceFingerprint, .operatingSystem, .agent, .requestID]
    let fields = HTTPFields(zip(names, lines).map { HTTPField(name: $0, value: $1) })
    guard
        let exchange = try? Exchange(
            fields: fields, host: nil, query: lines.last ?? "", body: parts.dropFirst().first.map { Array($0.utf8) } ?? [],
            origin: RequestOrigin(address: "192.0.2.1", requestID: RequestIdentifier.accepting(fields[.requestID], randomness: .system)))
    else { return }
    precondition(RequestIdentifier.isValid(exchange.origin.requestID), "an identifier that may be anything")
    for (name, value) in exchange.query { precondition(name.utf8.count + value.utf8.count <= 3 * text.utf8.count, "a text from nowhere") }
    checkFields(exchange)
    checkBodies(exchange)
}

func checkFields(_ exchange: Exchange) {
    do throws(ServiceError) {
        let token = try exchange.bearerToken(limit: 64)
        precondition(token.utf8.count <= 57 && token == token.trimmed, "a token with its scheme, or with blanks")
    } catch {
        note(error)
    }
    do throws(ServiceError) {
        let device = try Clients.device(of: exchange)
        precondition(!device.fingerprint.isEmpty && device.name.count <= 64, "a device without a fingerprint, or with a long name")
    } catch {
        note(error)
    }
}

/// A body is read only as what its type says.
func checkBodies(_ exchange: Exchange) {
    let isJSON = (try? JSONBody(exchange)) != nil, isForm = (try? FormBody(exchange)) != nil
    precondition(!(isJSON && isForm), "a body of two types")
    precondition(!isJSON || (try? JSONBody(text: exchange.body)) != nil, "a body from nowhere")
    let isOptional = (try? JSONBody(optional: exchange)) != nil
    precondition(isOptional == (isJSON || exchange.body.isEmpty), "an optional body is neither absent nor JSON")
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
