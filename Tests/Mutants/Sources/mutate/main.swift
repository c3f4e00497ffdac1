// Puts every mutant of some Swift files behind a switch, so that one build holds them all.
//
//   mutate ROOT LIST FILE…                    lists the mutants
//   mutate ROOT LIST --into TREE CHOSEN FILE…
//
// Reads each FILE below ROOT. LIST gets a JSON line for each mutant. With --into, the program writes each file below TREE with those
// mutants that CHOSEN names, one `FILE:START-END:OPERATOR:NUMBER` a line. Each becomes `mutated(7) ? changed : original`.
// A changed file has the lines of the original, so a line of the compiler's errors is a line of both.
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

let arguments = CommandLine.arguments
guard arguments.count > 3 else {
    FileHandle.standardError.write(Data("usage: mutate ROOT LIST [--into TREE CHOSEN] FILE…\n".utf8))
    exit(2)
}
let tree = arguments[3] == "--into" ? arguments[4] : nil
let chosen = tree == nil ? nil : Set(try String(contentsOfFile: arguments[5], encoding: .utf8).split(separator: "\n").map(String.init))
var mutants: [Mutant] = []
for file in arguments.dropFirst(tree == nil ? 3 : 6) {
    let text = try String(contentsOfFile: "\(arguments[1])/\(file)", encoding: .utf8)
    let source = try OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }.cast(SourceFileSyntax.self)
    let schemata = Schemata(file: file, source: source, chosen: chosen, first: mutants.count + 1)
    let changed = schemata.rewrite(source).description
    mutants += schemata.mutants
    guard let tree else { continue }
    let target = URL(fileURLWithPath: "\(tree)/\(file)")
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    // The import is no line of its own.
    let data = Data((schemata.mutants.isEmpty ? text : "internal import CMutant; " + changed).utf8)
    if (try? Data(contentsOf: target)) != data { try data.write(to: target) }
}
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
let lines = try mutants.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: arguments[2]))
