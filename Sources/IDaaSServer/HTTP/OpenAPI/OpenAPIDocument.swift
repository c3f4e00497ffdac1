#if IDaaS
/// The description of the wire protocol (OpenAPI 3.1), as `/openapi.json` serves it and `Docs/openapi.json` keeps it.
package enum OpenAPIDocument {
    package static let json: JSON = [
        "openapi": "3.1.0",
        "info": [
            "title": "Assay reference IDaaS",
            "version": "1",
            "description": """
            SMS login, sessions and id_tokens with the paths, header fields and bodies that BambooCloud IDaaS and Huawei Cloud OneAccess \
            publish. Members that are not described are ignored; two of one name are refused. Header fields are checked in this order: \
            X-client-id absent is COMMON.1001, a device that says too little is COMMON.1003, an unknown client is COMMON.1012.
            """,
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ],
        "servers": [["url": "/"]],
        "tags": .array(
            ["Discovery", "System", "Captcha", "SMS", "Login", "Sessions", "Operations"].map { ["name": .string($0)] }),
        "paths": paths,
        "components": [
            "securitySchemes": [
                "bearer": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An id_token of this client."],
                "sessionToken": ["type": "apiKey", "in": "header", "name": "session-token"],
                "signature": [
                    "type": "apiKey", "in": "header", "name": "X-signature",
                    "description": """
                    Base64 of session_token=…&timestamp=…&nonce=… under the public key of the client, RSA-OAEP with SHA-256; the timestamp \
                    in milliseconds within 300 s of the server's, the nonce once.
                    """,
                ],
            ],
            "parameters": OpenAPIParameters.json,
            "responses": OpenAPIResponses.json,
            "schemas": OpenAPISchemas.json,
        ],
    ]

    package static let operations = DiscoveryOperations.all + CaptchaOperations.all + SessionOperations.all + OperationsOperations.all

    /// Operations by their path, in the order in which they are described.
    private static var paths: JSON {
        var order: [String] = []
        var methods: [String: [(String, JSON)]] = [:]
        for operation in operations {
            if methods[operation.path] == nil { order.append(operation.path) }
            methods[operation.path, default: []].append((operation.method, operation.json))
        }
        return .object(order.map { ($0, .object(methods[$0] ?? [])) })
    }
}

/// One operation of the document.
package struct OpenAPIOperation: Sendable {
    package let method: String
    package let path: String
    package let name: String
    let tag: String
    let summary: String
    var note: String?
    /// Whether the common header fields belong to it.
    var hasCaller = true
    /// Whether it needs what may fail, the store above all.
    var canFail = true
    var security: [String] = []
    var parameters: [String] = []
    /// A schema, and whether the body may be left out.
    var body: (schema: String, isOptional: Bool)?
    /// The replies with a 2xx or 3xx status.
    var replies: [(status: String, reply: JSON)]
    /// The codes that it refuses with beside those that all have.
    var errors: [ErrorCode] = []

    var json: JSON {
        var members: [(String, JSON)] = [
            ("operationId", .string(name)), ("tags", [.string(tag)]), ("summary", .string(summary)),
        ]
        if let note { members.append(("description", .string(note))) }
        members.append(("security", .array(security.map { [$0: []] as JSON })))
        let names = (hasCaller ? OpenAPIParameters.common : []) + parameters
        members.append(("parameters", .array(names.map { ["$ref": "#/components/parameters/\($0)"] })))
        if let body {
            members.append(
                (
                    "requestBody",
                    ["required": .bool(!body.isOptional), "content": Self.content(["$ref": "#/components/schemas/\(body.schema)"])]
                ))
        }
        members.append(("responses", .object(replies.map { ($0.status, $0.reply) } + refusals)))
        return .object(members)
    }

    /// A reply of each status that this operation refuses with, and the codes that come with it.
    private var refusals: [(String, JSON)] {
        let common: [ErrorCode] = hasCaller ? [.missingParameter, .invalidFormat, .incompleteDevice, .unknownClient] : [.invalidFormat]
        let all = common + errors.filter { !common.contains($0) }
        var refusals = [("400", OpenAPIResponses.error("Refused.", all.filter { $0.status == 400 }))]
        // A body that nobody wants is received all the same.
        if method != "get" { refusals.append(("413", OpenAPIResponses.reference("ContentTooLarge"))) }
        if body != nil { refusals.append(("415", OpenAPIResponses.reference("UnsupportedMediaType"))) }
        if all.contains(.rateLimited) { refusals.append(("429", OpenAPIResponses.reference("RateLimited"))) }
        if canFail { refusals.append(("500", OpenAPIResponses.reference("SystemBusy"))) }
        return refusals
    }

    static func content(_ schema: JSON) -> JSON { ["application/json": ["schema": schema]] }

    static func reply(_ description: String, _ schema: String, links: JSON? = nil) -> JSON {
        var members: [(String, JSON)] = [
            ("description", .string(description)), ("headers", OpenAPIResponses.headers),
            ("content", content(["$ref": "#/components/schemas/\(schema)"])),
        ]
        if let links { members.append(("links", links)) }
        return .object(members)
    }
}

#endif
