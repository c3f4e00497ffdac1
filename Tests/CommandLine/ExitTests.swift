import JWTCore
import JWTTestSupport
import Testing

/// The end of a command while its other threads may still be at work.
@Suite struct ExitTests {
    /// A destructor of a library runs after libcrypto's handler of the exit, which frees the locks that other threads may wait for.
    private static let probe = """
        #include <openssl/evp.h>
        #include <stdio.h>
        __attribute__((destructor)) static void look(void) {
            EVP_MD *digest = EVP_MD_fetch(NULL, "SHA256", NULL);
            fputs(digest != NULL ? "libcrypto works\\n" : "libcrypto is gone\\n", stderr);
            EVP_MD_free(digest);
        }
        """

    /// A key set that asked its source in the background once ended the command with a segmentation fault, after the right output.
    @Test func libcryptoOutlivesTheCommand() throws {
        let folder = try TemporaryFolder(), forge = TokenForge(.es256)
        let source = try folder.write("probe.c", Self.probe), library = "\(folder.path)/probe.so"
        let keys = try folder.write("keys.json", "{\"keys\":[\(forge.jwk)]}"), token = try folder.write("token", forge.token())
        let verify = Command.line(["verify", "--keys", keys, "--no-claims"])
        let outcome = try Command.shell(
            """
            "$(scripts/clang.sh)" -shared -fPIC \(source) -o \(library) -fuse-ld=lld -lcrypto &&
                LD_PRELOAD=\(library) \(verify) <\(token)
            """)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("libcrypto works\n"), "\(outcome.errors)")
    }
}
