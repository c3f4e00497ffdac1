internal import HTTPTypes
internal import IDaaSWire
internal import Mustache
package import Secrets

/// The login page for a browser: a password and the phone as second factor, or an SMS code. It ends where an authorization request came from.
///
/// The page is one document that works without any other host. Its script calls the same endpoints as an app.
package struct LoginPage: EndpointGroup {
    private let clients: Clients
    private let authorizations: AuthorizationRequests
    private let randomness: Randomness
    private let page: MustacheTemplate
    private let failure: MustacheTemplate

    /// - Throws: for a template that cannot be read.
    package init(clients: Clients, authorizations: AuthorizationRequests, randomness: Randomness) throws {
        Markup.register()
        self.clients = clients
        self.authorizations = authorizations
        self.randomness = randomness
        page = try MustacheTemplate(string: String(decoding: PackageResources.login_mustache, as: UTF8.self))
        failure = try MustacheTemplate(string: String(decoding: PackageResources.failure_mustache, as: UTF8.self))
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, PagePath.login, "loginPage", document),
            Endpoint(.get, PagePath.script, "loginScript") { _ in
                PageFields.asset(PackageResources.login_js, "text/javascript; charset=utf-8")
            },
            Endpoint(.get, PagePath.style, "loginStyle") { _ in PageFields.asset(PackageResources.login_css, "text/css; charset=utf-8") },
        ]
    }

    private func document(_ exchange: Exchange) async throws -> Reply {
        let language = exchange.query["lang"].flatMap(Language.init(rawValue:)) ?? exchange.origin.language
        let nonce = randomness.token(characters: 32, alphabet: .base62)
        let text = PageText.all(in: language)
        guard let id = exchange.query["client_id"], id.utf8.count <= 128, let client = try await clients.find(id) else {
            let values: [String: Any] = ["language": language.rawValue, "text": text, "nonce": nonce, "style": PagePath.style]
            return PageFields.page(failure.render(values), nonce: nonce, status: 400)
        }
        let request = exchange.query["request"].flatMap { $0.utf8.count <= 512 ? $0 : nil } ?? ""
        var values = Self.values(client, request, language)
        values["text"] = text
        values["nonce"] = nonce
        // Only for the browser that the application sent here.
        let shown = try await authorizations.shown(
            of: request, cookie: BrowserCookie.request.value(in: exchange) ?? "", client: client)
        values["message"] = shown?.message
        values["consent"] = shown?.consent.map { Self.values($0, text) }
        var reply = PageFields.page(page.render(values), nonce: nonce)
        if BrowserCookie.device.value(in: exchange) == nil {
            let value = randomness.token(characters: BrowserCookie.length, alphabet: .base62)
            reply.fields[.setCookie] = BrowserCookie.device.field(value, for: PageDevice.lifetime, exchange.origin)
        }
        return reply
    }

    private static func values(_ client: Client, _ request: String, _ language: Language) -> [String: Any] {
        let other: Language = language == .chinese ? .english : .chinese
        return [
            "language": language.rawValue, "style": PagePath.style, "script": PagePath.script, "client": client.name, "clientID": client.id,
            "request": request, "otherLanguage": other.rawValue, "otherLanguageName": other == .chinese ? "中文" : "English",
            "otherLanguageURL": url(client.id, request, other),
        ]
    }

    /// What the user is asked. A name that the client gives itself is marked as its own words.
    private static func values(_ consent: Consent, _ text: [String: String]) -> [String: Any] {
        var values: [String: Any] = [
            "client": consent.client.isEmpty ? text["nameless"] ?? "" : consent.client, "resource": consent.resource, "uri": consent.uri,
            "scopes": consent.scopes, "recipient": consent.redirectHost ?? text["thisDevice"] ?? "",
        ]
        if !consent.scopes.isEmpty { values["hasScopes"] = true }
        if consent.isRegistered { values["advice"] = consent.documentHost == nil ? text["unverified"] : text["documented"] }
        values["documentHost"] = consent.documentHost
        values["renewal"] = consent.renewableDays.map { (text["renewal"] ?? "").replacing("{0}", with: String($0)) }
        return values
    }

    /// The same page in another language.
    private static func url(_ client: String, _ request: String, _ language: Language) -> String {
        "\(PagePath.login)?client_id=\(encoded(client))&request=\(encoded(request))&lang=\(language.rawValue)"
    }

    /// RFC 3986 section 2.1: everything but unreserved characters.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { out, byte in
            let scalar = Unicode.Scalar(byte)
            let isUnreserved = byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte))
            out += isUnreserved ? String(Character(scalar)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}

/// The paths of the login page, which the server serves itself.
package enum PagePath {
    /// The page. Its query has `client_id`, and `request` if an authorization request sent the browser here. Once logged in, the page's
    /// script posts `request` to the end of that request, and goes to the address in the answer.
    package static let login = "/login"
    package static let script = "/login/login.js"
    package static let style = "/login/login.css"
}
