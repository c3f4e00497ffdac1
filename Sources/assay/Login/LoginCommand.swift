#if HTTP
import ArgumentParser

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Logs in to a tenant and stores the session.",
        discussion: "Example: assay login sms --domain http://127.0.0.1:8080 --client demo --mobile +86-13800000000",
        subcommands: [SMSLoginCommand.self, WeChatLoginCommand.self, OneClickLoginCommand.self]
    )
}
#endif
