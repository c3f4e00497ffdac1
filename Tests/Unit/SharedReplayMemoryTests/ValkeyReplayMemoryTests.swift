import Foundation
import JWTCore
import ReplayMemory
import SharedReplayMemory
import Testing

@Suite(.serialized, .enabled("redis-server or valkey-server is needed") { ValkeyProcess.program != nil })
struct ValkeyReplayMemoryTests {
    private func failure(_ server: ValkeyServer) async throws -> String {
        let memory = try ValkeyReplayMemory(server, time: .seconds(5))
        do throws(ReplayMemoryError) {
            return try await memory.use(ReplayIdentifier("test", []), until: 2_000_000_000, now: 1_800_000_000).rawValue
        } catch {
            return error.description
        }
    }

    @Test func theServerKeepsADigestUntilTheEndAndTheDifferenceOfClocks() async throws {
        let store = try ValkeyProcess()
        defer { store.stop() }
        let memory = try store.memory(.seconds(5))
        #expect(await memory.answer(1, until: 1_800_000_060) == "first")
        let key = try store.command("KEYS", "*").split(separator: "\n").first.map(String.init) ?? ""
        #expect(key.hasPrefix("assay:use:") && key.count == 74)
        let seconds = try #require(Int(store.command("TTL", key).filter(\.isNumber)))
        #expect((340...361).contains(seconds))
    }

    @Test func aPasswordIsReadFromItsFile() async throws {
        let store = try ValkeyProcess(
            ["--user", "default", "off", "--user", "gateway", "on", ">right-password", "~assay:use:*", "+set", "+info", "+ping"],
            access: ["--user", "gateway", "--pass", "right-password", "--no-auth-warning"])
        defer { store.stop() }
        let file = store.folder.appending(path: "password").path
        try "right-password\n".write(toFile: file, atomically: true, encoding: .utf8)
        var server = try store.server(user: "gateway")
        #expect(try await failure(server).contains("NOAUTH"))
        server.passwordFile = file
        #expect(try await failure(server) == "first")
        try "wrong-password".write(toFile: file, atomically: true, encoding: .utf8)
        let refusal = try await failure(server)
        #expect(refusal.contains("replay_memory_unavailable") && refusal.contains("WRONGPASS") && !refusal.contains("wrong-password"))
        server.passwordFile = file + ".gone"
        #expect(try await failure(server).contains("the file of the password"))
    }

    /// It would answer with the words of the command.
    @Test func aServerWithoutPasswordsDoesNotBringOneIntoTheLog() async throws {
        let store = try ValkeyProcess(["--rename-command", "AUTH", "other"])
        defer { store.stop() }
        var server = try store.server()
        server.passwordFile = store.folder.appending(path: "password").path
        try "right-password".write(toFile: server.passwordFile ?? "", atomically: true, encoding: .utf8)
        let refusal = try await failure(server)
        #expect(refusal.contains("AUTH: ERR") && !refusal.contains("right-password"))
    }

    @Test func aFullServerRefusesAndOneThatForgetsIsRefused() async throws {
        let store = try ValkeyProcess()
        defer { store.stop() }
        try store.command("CONFIG", "SET", "maxmemory-policy", "noeviction")
        try store.command("CONFIG", "SET", "maxmemory", "1")
        let server = try store.server()
        #expect(try await failure(server).contains("replay_memory_full"))
        try store.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        #expect(try await failure(server).contains("may evict live keys"))
        try store.command("CONFIG", "SET", "maxmemory", "0")
        #expect(try await failure(server) == "first")
    }

    @Test func aReplicaIsNoMemory() async throws {
        let store = try ValkeyProcess()
        defer { store.stop() }
        try store.command("REPLICAOF", "127.0.0.1", "1")
        #expect(try await failure(store.server()).contains("READONLY"))
    }

    @Test func theServerOfTLSIsRecognised() async throws {
        let files = ["--tls-cert-file", "FOLDER/certificate.pem", "--tls-key-file", "FOLDER/key.pem"]
        let store = try ValkeyProcess(
            files + ["--tls-ca-cert-file", "FOLDER/certificate.pem", "--tls-auth-clients", "no"],
            access: ["--tls", "--cacert", "FOLDER/certificate.pem"], isTLS: true)
        defer { store.stop() }
        for (host, number) in [("localhost", 1), ("127.0.0.1", 2)] {
            var server = try store.server("rediss", host: host)
            #expect(try await failure(server).contains("certificate verify failed"))
            server.certificateFile = store.folder.appending(path: "certificate.pem").path
            let memory = try ValkeyReplayMemory(server, time: .seconds(5))
            #expect(await memory.answer(number) == "first")
            #expect(await memory.answer(number) == "replayed")
        }
        // Another name than the certificate's.
        var server = try store.server("rediss", host: "127.0.0.2")
        server.certificateFile = store.folder.appending(path: "certificate.pem").path
        #expect(try await !failure(server).contains("first"))
        #expect(try await !failure(store.server()).contains("first"))
        server.certificateFile = "/absent.pem"
        #expect(throws: ReplayMemoryError.self) { try ValkeyReplayMemory(server) }
    }

    @Test(
        arguments: [
            ("redis://host", "host", 6_379, false, nil, 0), ("rediss://host:1/2", "host", 1, true, nil, 2),
            ("redis://me@[::1]:7/", "::1", 7, false, "me", 0),
        ] as [(String, String, Int, Bool, String?, Int)])
    func aURLNamesAServer(url: String, host: String, port: Int, isTLS: Bool, user: String?, database: Int) throws {
        let server = try #require(ValkeyServer(url: url))
        #expect(server.host == host && server.port == port && server.isTLS == isTLS)
        #expect(server.user == user && server.database == database)
    }

    @Test(arguments: [
        "", "host", "http://host", "redis://", "redis://host/x", "redis://host/-1", "redis://host/1/2", "redis://me:secret@host",
        "redis://@host", "redis://host?x", "redis://host#x", "redis://host:70000",
    ])
    func anotherTextNamesNone(url: String) { #expect(ValkeyServer(url: url) == nil) }
}
