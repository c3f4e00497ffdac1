import Foundation
import GatewayServer
import HTTPEdge
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

@Suite struct SocketFileTests {
    private static func text(_ path: String, _ more: String = "") -> String {
        SampleConfiguration.replacing("tcp: 127.0.0.1:0", with: "unix: \(path)\(more)")
    }

    private static func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test(arguments: [("", 0o660), ("\n    mode: \"0600\"", 0o600), ("\n    mode: \"0666\"", 0o666)])
    func aSocketHasItsModeAndGoesWithTheService(setting: String, mode: Int) async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        try await RunningGateway.with(Self.text(path, setting), folder: folder) { gateway async throws in
            #expect(try Self.mode(path) == mode)
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aSocketThatNothingListensOnIsReplaced() async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        try Self.leaveSocket(path)
        try await RunningGateway.with(Self.text(path), folder: folder) { gateway async throws in
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
        }
    }

    @Test func aSocketInUseStays() async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        try await RunningGateway.with(Self.text(path), folder: folder) { gateway async throws in
            #expect(throws: ListeningFailure.self) { _ = try ListeningSocket.unix(SocketPath(path)) }
            #expect(try await gateway.ask(bearing: gateway.forge.token())?.status == 200)
        }
    }

    /// Root may remove any user's file, and a socket with an `owner` of its own stays behind a service that was killed.
    @Test(.enabled(if: geteuid() == 0))
    func rootReplacesASocketOfAnotherUserThatNothingListensOn() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        try Self.leaveSocket(path)
        let changed = unsafe chown(path, 65_534, 65_534)
        try #require(changed == 0)
        let socket = try ListeningSocket.unix(SocketPath(path))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? NSNumber == 0)
        #expect(socket.name == "unix:\(path)")
    }

    @Test(arguments: ["file", "folder", "link"])
    func whatIsNotASocketStays(kind: String) throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s", target = try folder.write("target", "kept")
        switch kind {
        case "file": _ = try folder.write("s", "kept")
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        let failure = #expect(throws: ListeningFailure.self) { _ = try ListeningSocket.unix(SocketPath(path)) }
        #expect(failure?.reason == .pathTaken)
        #expect(FileManager.default.fileExists(atPath: path) && folder.read("target") == "kept")
    }

    /// The second listener cannot be opened: the first one must not stay behind, where gateways would wait for an answer.
    @Test func aFailedStartLeavesNoSocket() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        _ = try folder.write("taken", "")
        let second = "\n  - name: second\n    profile: caddy\n    unix: \(folder.path)/taken"
        let file = try folder.write("gateway.yaml", Self.text(path, second))
        var surroundings = GatewayServer.Surroundings()
        surroundings.transport = ScriptedTransport()
        surroundings.environment = [:]
        let failure = #expect(throws: GatewayServer.StartFailure.self) { _ = try GatewayServer(file: file, surroundings: surroundings) }
        #expect(failure?.code == "path_taken")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func anUnknownUserIsNamed() throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: ListeningFailure.self) {
            _ = try ListeningSocket.unix(SocketPath(folder.path + "/s", owner: "nobody-of-this-name"))
        }
        #expect(failure?.reason == .unknownOwner)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// A client of another user may not connect to a socket of mode 0600. Root may, so the client gives up its rights first.
    @Test(.enabled(if: geteuid() == 0))
    func aSocketOfAnotherUserIsClosed() async throws {
        let folder = try TemporaryFolder(), path = "/tmp/assay-\(UUID().uuidString.prefix(8)).sock"
        for (mode, status) in [("0600", "000"), ("0666", "401")] {
            try await RunningGateway.with(Self.text(path, "\n    mode: \"\(mode)\""), folder: folder) { _ async throws in
                let question = "curl -s -o /dev/null -w '%{http_code}' --unix-socket \(path)"
                let headers = "-H 'X-Original-URI: /' -H 'X-Original-Method: GET' http://localhost/"
                _ = Shell.run("setpriv --reuid 65534 --regid 65534 --clear-groups \(question) \(headers) > \(folder.path)/status")
                #expect(folder.read("status") == status, "mode \(mode)")
            }
        }
    }

    @Test func socketsOfTheServiceManagerAreFoundByName() throws {
        let listening = try ListeningSocket.tcp(try #require(ListenAddress("127.0.0.1:0")))
        let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "nginx:admin"]
        let own = SocketActivation(environment: environment, processID: 7)
        #expect(own.descriptors == ["nginx": [3], "admin": [4]])
        #expect(SocketActivation(environment: environment, processID: 8).descriptors.isEmpty)
        #expect(throws: ListeningFailure.self) { _ = try own.sockets("absent") }
        #expect(listening.port != 0)
    }

    /// A name that is misspelt in the unit or in the configuration: the service would listen elsewhere than its operator thinks.
    @Test func aPassedSocketThatNoListenerNamesIsInTheLog() throws {
        let folder = try TemporaryFolder(), log = Lines()
        var surroundings = GatewayServer.Surroundings()
        surroundings.transport = ScriptedTransport()
        surroundings.environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "ngnix:admin"]
        surroundings.logger = log.logger
        _ = try GatewayServer(file: try folder.write("gateway.yaml", SampleConfiguration.text), surroundings: surroundings)
        let line = try #require(log.all.first { $0.contains("sockets of the service manager that no listener names") })
        #expect(line.contains("\"level\":\"warning\"") && line.contains("admin") && line.contains("ngnix"))
    }

    private static func leaveSocket(_ path: String) throws {
        // Bound, never listening, and closed: what a killed service leaves.
        _ = Shell.run("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('\(path)')\"")
        try #require(FileManager.default.fileExists(atPath: path))
    }
}
