import Foundation
import IDaaSServer
import Testing

struct OpenAPILinkTests {
    private struct Link {
        let source: String
        let operation: [String: Any]
        let parameters: [String: String]
        let body: [String: String]
        /// The schemas of the link's reply and of the previous request.
        let reply: [String: Any]
        let request: [String: Any]?

        var name: String { "\(source) to \(operation["operationId"] ?? "nothing")" }
        var expressions: [String] { Array(parameters.values) + Array(body.values) }
    }

    private typealias Object = [String: Any]

    private let document: Object
    private let components: Object
    private let operations: [String: Object]

    init() throws {
        document = try #require(try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.json.text.utf8)) as? Object)
        components = try #require(document["components"] as? Object)
        let items = try #require(document["paths"] as? [String: [String: Object]]).values.flatMap(\.values)
        operations = Dictionary(uniqueKeysWithValues: items.compactMap { item in (item["operationId"] as? String).map { ($0, item) } })
    }

    private var links: [Link] {
        operations.sorted { $0.key < $1.key }.flatMap { source, operation in
            (operation["responses"] as? [String: Object] ?? [:]).values.flatMap { reply in
                (reply["links"] as? [String: Object] ?? [:]).values.map { link in
                    Link(
                        source: source, operation: operations[link["operationId"] as? String ?? ""] ?? [:],
                        parameters: link["parameters"] as? [String: String] ?? [:], body: link["requestBody"] as? [String: String] ?? [:],
                        reply: schema(of: reply), request: (operation["requestBody"] as? Object).map(schema))
                }
            }
        }
    }

    /// The members in a body's schema.
    private func schema(of body: Object) -> Object {
        let content = (body["content"] as? [String: Object] ?? [:])["application/json"]?["schema"] as? [String: String]
        let name = content?["$ref"]?.split(separator: "/").last.map(String.init) ?? ""
        return ((components["schemas"] as? [String: Object] ?? [:])[name] ?? [:])["properties"] as? Object ?? [:]
    }

    /// The header fields and other places for values in an operation, including credentials.
    private func places(of operation: Object) -> Set<String> {
        let references = operation["parameters"] as? [[String: String]] ?? []
        let parameters = references.compactMap { reference -> String? in
            let name = reference["$ref"]?.split(separator: "/").last.map(String.init) ?? ""
            let parameter = (components["parameters"] as? [String: Object] ?? [:])[name] ?? [:]
            guard let place = parameter["in"] as? String, let name = parameter["name"] as? String else { return nil }
            return "\(place).\(name)"
        }
        let schemes = (operation["security"] as? [Object] ?? []).flatMap(\.keys)
        let credentials = schemes.map { scheme in
            let described = (components["securitySchemes"] as? [String: Object] ?? [:])[scheme] ?? [:]
            return described["type"] as? String == "http" ? "header.Authorization" : "header.\(described["name"] as? String ?? "")"
        }
        return Set(parameters + credentials)
    }

    @Test
    func fromTheSliderToTheEndOfASessionEachStepLeadsToTheNext() {
        let logins = [
            "loginBySMS", "bindSocialAccount", "registerSocialAccount", "loginByCarrier", "pollApproval", "secondFactorBySMS", "refresh",
        ]
        let tokens = logins.flatMap { login in ["refresh", "listSessions", "logout", "logoutByGet"].map { "\(login) to \($0)" } }
        let steps = [
            "captcha to verifyCaptcha", "verifyCaptcha to sendSMS", "sendSMS to loginBySMS", "refreshBySignature to listSessions",
            "listSessions to endSession",
        ]
        #expect(Set(links.map(\.name)) == Set(tokens + steps))
    }

    @Test
    func aLinkSetsWhatItsOperationTakesFromWhatWasSentAndAnswered() throws {
        for link in links {
            #expect(Set(link.parameters.keys).isSubset(of: places(of: link.operation)), "\(link.name)")
            let taken = (link.operation["requestBody"] as? Object).map(schema) ?? [:]
            #expect(Set(link.body.keys).isSubset(of: taken.keys), "\(link.name)")
            for expression in link.expressions {
                for match in expression.matches(of: /\$(request|response)\.body#\/([a-z_]+)/) {
                    let source = try #require(match.1 == "request" ? link.request : link.reply)
                    #expect(source[String(match.2)] != nil, "\(link.name) by \(expression)")
                }
            }
        }
    }
}
