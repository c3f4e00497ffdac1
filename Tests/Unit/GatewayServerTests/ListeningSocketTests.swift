import Foundation
import HTTPEdge
import JWTCore
import JWTTestSupport
import Testing

@Suite struct ListeningSocketTests {
    private static func connects(_ path: String) -> Bool {
        Shell.run("python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect('\(path)')\" 2> /dev/null") == 0
    }

    @Test func aSocketThatIsNeverServedGoesWithItsFile() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        var socket: ListeningSocket? = try .unix(SocketPath(path))
        #expect(socket != nil && Self.connects(path))
        socket = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: Never.self) { _ = try ListeningSocket.unix(SocketPath(path)) }
    }

    /// On many file systems the next file gets the inode of the one that was removed.
    @Test func aFileIsRemovedOnce() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/s"
        let socket = try ListeningSocket.unix(SocketPath(path))
        let linked = unsafe link(path, path + "2")
        socket.removeFile()
        let renamed = unsafe rename(path + "2", path)
        try #require(linked == 0 && renamed == 0)
        socket.removeFile()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func ofManyThatStartAtOnceOneListens() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<20 {
            let path = folder.path + "/\(round)"
            let sockets = await withTaskGroup(of: ListeningSocket?.self) { group in
                for _ in 0..<8 { group.addTask { try? ListeningSocket.unix(SocketPath(path)) } }
                return await group.reduce(into: [ListeningSocket]()) { sockets, socket in
                    if let socket { sockets.append(socket) }
                }
            }
            #expect(sockets.count == 1)
            #expect(Self.connects(path))
        }
    }

    /// Another user who may write to the folder puts a link where the socket gets its rights.
    @Test func aLinkIsNotFollowed() throws {
        let folder = try TemporaryFolder(), target = try folder.write("target", "kept")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/s.new", withDestinationPath: target)
        let failure = #expect(throws: ListeningFailure.self) { _ = try ListeningSocket.unix(SocketPath(folder.path + "/s", mode: 0o666)) }
        #expect(failure?.reason == .pathTaken)
        #expect((try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func theLimitOfDescriptorsIsNeverLowered() {
        let limit = DescriptorLimit.raise(to: 1)
        #expect(limit > 1)
        #expect(DescriptorLimit.raise(to: limit) == limit)
    }
}
