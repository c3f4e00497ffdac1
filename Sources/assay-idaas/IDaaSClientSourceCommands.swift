import ArgumentParser
import CommandProgram
import IDaaSServer

/// The accounts of an application with other providers. Secrets come from standard input: arguments are visible to every user of the machine.
extension IDaaSClientCommand {
    struct WeChat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "wechat", abstract: "Lets users log in with WeChat; AppSecret is the first line of standard input.",
            discussion: "Example: assay idaas client wechat S1ScicdI --app wx0123456789abcdef < secret.txt")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @OptionGroup var listing: Listing
        @Option(help: "AppID.")
        var app: String
        @Option(help: "A name of the open platform account, whose applications share users. Default: this application alone.")
        var platform = ""
        @Flag(inversion: .prefixedNo, help: "Send new WeChat users to registration instead of to binding.")
        var registersNewUsers = true

        func run() async throws {
            let secret = try Self.secret()
            let client = try await options.administer(.adminClientSet) { [id, app, platform, registersNewUsers] services, trail in
                trail.note(client: id)
                return try await services.administration.setWeChat(
                    of: id, appID: app, secret: secret, platform: platform, registersNewUsers: registersNewUsers)
            }
            listing.show([client.row])
        }
    }

    struct OneClick: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "one-click",
            abstract: "Lets users log in with the number that their carrier confirms; AccessKeySecret is the first line of standard input.",
            discussion: "Example: assay idaas client one-click S1ScicdI --access-key LTAI0123456789 < secret.txt")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @OptionGroup var listing: Listing
        @Option(help: "AccessKeyId of the Aliyun account.")
        var accessKey: String

        func run() async throws {
            let secret = try Self.secret()
            let client = try await options.administer(.adminClientSet) { [id, accessKey] services, trail in
                trail.note(client: id)
                return try await services.administration.setOneClick(of: id, accessKeyID: accessKey, secret: secret)
            }
            listing.show([client.row])
        }
    }

    struct Web: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "web",
            abstract: "Registers a web application for the authorization code flow; its secret is the first line of standard input.",
            discussion: "Example: assay idaas client web shop --redirect https://shop.example/callback < secret.txt")
        @OptionGroup var options: IDaaSOptions
        @Argument var id: String
        @OptionGroup var listing: Listing
        @Option(name: .customLong("redirect"), help: "An allowed redirect_uri. May be repeated.")
        var redirects: [String]
        @Option(name: .customLong("logout-redirect"), help: "An allowed post_logout_redirect_uri. May be repeated.")
        var logoutRedirects: [String] = []
        @Flag(name: .customLong("public"), help: "The application keeps no secret and proves itself by PKCE alone.")
        var isPublic = false

        func run() async throws {
            let secret = isPublic ? nil : try Self.secret()
            let client = try await options.administer(.adminClientSet) { [id, redirects, logoutRedirects] services, trail in
                trail.note(client: id)
                return try await services.administration.setWeb(
                    of: id, redirectURIs: redirects, logoutRedirectURIs: logoutRedirects, secret: secret)
            }
            listing.show([client.row])
        }
    }
}

extension ParsableCommand {
    /// The first line of standard input.
    static func secret() throws -> String {
        guard let secret = readLine(strippingNewline: true), !secret.isEmpty else {
            throw CommandFailure.usage("standard input has no secret")
        }
        return secret
    }
}
