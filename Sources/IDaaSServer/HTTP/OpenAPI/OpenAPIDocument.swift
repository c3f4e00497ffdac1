internal import IDaaSWire

/// The description of the wire protocol (OpenAPI 3.1), as `/openapi.json` serves it and `Docs/openapi.json` keeps it.
package enum OpenAPIDocument {
    package static let json: JSON = [
        "openapi": "3.1.0",
        "info": [
            "title": "Assay reference IDaaS",
            "version": "1",
            "description": """
            Logins by SMS, WeChat, carrier and password, second factors, sessions and id_tokens with the paths, header fields and bodies that BambooCloud IDaaS and Huawei Cloud OneAccess \
            publish. Members that are not described are ignored; two of one name are refused. Header fields are checked in this order: \
            X-client-id absent is COMMON.1001, a device that says too little is COMMON.1003, an unknown client is COMMON.1012.
            """,
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ],
        "servers": [["url": "/"]],
        "tags": .array(
            ["Discovery", "System", "Captcha", "SMS", "Login", "Second factor", "Sessions", "Signals", "Operations"].map {
                ["name": .string($0)]
            }),
        "paths": paths,
        "components": [
            "securitySchemes": [
                "bearer": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An id_token of this client."],
                "signalSecret": ["type": "http", "scheme": "bearer", "description": "Of a stream of shared signals."],
                "sessionToken": ["type": "apiKey", "in": "header", "name": "session-token"],
                "stateToken": [
                    "type": "apiKey", "in": "header", "name": "X-state-token",
                    "description": "From the reply that named the step; for its client and device, until the step succeeds.",
                ],
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

    package static let operations =
        DiscoveryOperations.all + CaptchaOperations.all + ProviderOperations.all + SecondFactorOperations.all
        + PhoneOperations.all + SessionOperations.all + SignalOperations.all + OperationsOperations.all

    /// Operations by path, in the order of their description.
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
    /// Whether it takes the common header fields.
    var hasCaller = true
    /// Whether it needs parts that may fail, mainly the store.
    var canFail = true
    var security: [String] = []
    var parameters: [String] = []
    /// A schema, and whether the body is optional.
    var body: (schema: String, isOptional: Bool)?
    /// The replies besides the refusals that ``errors``, the method and the body imply.
    var replies: [(status: String, reply: JSON)]
    /// The error codes of this operation, besides the common ones.
    var errors: [ServiceCode] = []

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

    /// One reply for each refusal status of this operation, with its codes.
    private var refusals: [(String, JSON)] {
        let common: [ServiceCode] = hasCaller ? [.missingParameter, .invalidFormat, .incompleteDevice, .unknownClient] : [.invalidFormat]
        let all = common + errors.filter { !common.contains($0) }
        var refusals = [("400", OpenAPIResponses.error("Refused.", all.filter { $0.status == 400 }))]
        // The server receives a body even if the operation does not use it.
        if method != "get" { refusals.append(("413", OpenAPIResponses.reference("ContentTooLarge"))) }
        if body != nil { refusals.append(("415", OpenAPIResponses.reference("UnsupportedMediaType"))) }
        if all.contains(.rateLimited) { refusals.append(("429", OpenAPIResponses.reference("RateLimited"))) }
        if canFail {
            refusals.append(("500", OpenAPIResponses.reference("SystemBusy")))
            refusals.append(("503", OpenAPIResponses.reference("Unavailable")))
        }
        return refusals
    }

    static func content(_ schema: JSON) -> JSON { ["application/json": ["schema": schema]] }

    /// The success, with a body of this schema.
    static func ok(_ description: String, _ schema: String, links: JSON? = nil) -> (status: String, reply: JSON) {
        ("200", reply(description, schema, links: links))
    }

    static func reply(_ description: String, _ schema: String, links: JSON? = nil) -> JSON {
        reply(description, content: content(["$ref": "#/components/schemas/\(schema)"]), links: links)
    }

    static func reply(_ description: String, content: JSON, links: JSON? = nil) -> JSON {
        var members: [(String, JSON)] = [
            ("description", .string(description)), ("headers", OpenAPIResponses.headers), ("content", content),
        ]
        if let links { members.append(("links", links)) }
        return .object(members)
    }
}
