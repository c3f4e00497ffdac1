import Foundation
import JWTTestSupport
import Testing

/// `assay login wechat` and `assay login one-click`, at a reference server that simulates the WeChat app and the carriers.
@Suite struct PhoneLoginTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs `commands` while a server runs. `wechat` and `one_click` are the commands, with a store of this folder.
    private func beside(_ commands: String) throws -> Command.Outcome {
        let store = ["--client", "demo", "--store", folder.path + "/session.json"]
        return try Command.shell(
            """
            export ASSAY=\(Command.line([]))
            mkdir -p \(folder.path)/data
            . scripts/idaas.sh
            start_idaas \(folder.path)/data --simulators || exit 1
            trap 'kill $first; wait $first' EXIT
            first=$idaas_pid
            wechat() { \(Command.line(["login", "wechat"] + store)) --domain "$idaas_url" "$@"; }
            one_click() { \(Command.line(["login", "one-click"] + store)) --domain "$idaas_url" "$@"; }
            \(commands)
            """)
    }

    @Test func theNumberOfTheSIMCardLogsIn() throws {
        let outcome = try beside("one_click --sim CM:+86-13800000000 --agree --json </dev/null")
        #expect(outcome.output.contains(#""mobile":"+86-13800000000""#))
        #expect(outcome.errors.contains("Log in as 138****0000") && !outcome.errors.contains("13800000000"))
        #expect(outcome.errors.contains("中国移动认证服务条款"))
    }

    /// Each command ends with the documents' result.
    static let ends = [
        ("echo n | one_click --sim CM:+86-13800000000", "6667"), ("echo s | one_click --sim CM:+86-13800000000", "6669"),
        ("one_click --sim CM:+86-13800000000 </dev/null", "6667"), ("one_click --sim CM:+86-13800000000 --wifi-only --agree", "2222"),
        ("one_click --sim CT:+86-18900000000 --generation 3 --agree", "4444"), ("wechat --user li --decision deny", "102"),
        ("wechat --user li --decision cancel", "102"), ("wechat --user li </dev/null", "104"), ("echo | wechat --user li", "104"),
        ("echo 'wx0000000000000000://oauth?code=c&state=foreign' | wechat", "103"), ("echo 'https://elsewhere.example/' | wechat", "103"),
        ("wechat </dev/null", "102"), ("wechat --callback 'wx0000000000000000://oauth?code=c&state=foreign'", "103"),
    ]

    @Test(arguments: ends) func eachEndHasItsCode(_ command: String, code: String) throws {
        let outcome = try beside("\(command); echo \"exit code $?\"")
        #expect(outcome.output == "exit code 1\n" && outcome.errors.contains("\(code): "), "\(outcome.errors)")
    }

    @Test(arguments: [
        "wechat --callback https://elsewhere.example/", "wechat --app-id wx_1", "wechat --decision perhaps",
        "one_click --sim 13800000000", "one_click --sim CM:1 --generation 6", "one_click",
    ])
    func whatCannotWorkIsAUsageError(_ command: String) throws {
        #expect(try beside("\(command) </dev/null; echo \"exit code $?\"").output == "exit code 2\n")
    }

    /// WeChat opens the program anew: the request of one process is answered in another.
    @Test func aCallbackContinuesInAnotherProcess() throws {
        let outcome = try beside(
            """
            state=$(wechat </dev/null 2>&1 | sed -n 's/.* state \\([0-9A-Za-z]*\\)$/\\1/p')
            callback=$(python3 - "$idaas_url" "$state" <<'CALL'
            import json, sys, urllib.request
            body = {"appid": "wx0000000000000000", "state": sys.argv[2], "user": "li"}
            url = sys.argv[1] + "/__simulators/wechat/app"
            request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
            print(json.load(urllib.request.urlopen(request))["callback"])
            CALL
            )
            wechat --callback "$callback" </dev/null
            wechat --callback "$callback" </dev/null
            """)
        // The account has no user, so the code was accepted. The second time its state is used up.
        #expect(outcome.errors.contains("This WeChat account has no user.") && outcome.errors.contains("104: "))
        #expect(outcome.errors.ranges(of: "103: ").count == 1)
    }
}
