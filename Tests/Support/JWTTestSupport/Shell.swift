import Foundation

/// Shell commands that communicate through files: with Foundation's `Process`, children inherit each other's pipes when tests run in
/// parallel.
public enum Shell {
    /// The exit code of a command.
    public static func run(_ command: String) -> Int32 { unsafe system(command) >> 8 & 0xff }

    /// An argument, quoted for a command.
    public static func quoted(_ argument: String) -> String { "'" + argument.replacing("'", with: "'\\''") + "'" }
}
