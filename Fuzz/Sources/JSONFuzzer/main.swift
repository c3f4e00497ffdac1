import FuzzInput
import JWTCore

/// Compares three readers of JSON: the kernel's tape, in every form that this processor runs, the tokenizer that is its reference, and
/// jansson. The first two agree in every record, every error and every claim. jansson agrees in verdict and values, except where
/// `DocumentedDifference` says otherwise.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replaceJSON(data, size, room, seed: seed, after: 1, by: .documents)
}

let wide = JSONLimits(depth: 512, members: 65_536, values: 65_536, stringBytes: 65_536, numberBytes: 64)
let allLimits = [
    wide, JSONLimits(depth: 16, members: 256, values: 2_048, stringBytes: 8_192, numberBytes: 64),
    JSONLimits(depth: 3, members: 4, values: 12, stringBytes: 8, numberBytes: 4),
    JSONLimits(depth: 1, members: 40, values: 64, stringBytes: 0, numberBytes: 1),
]

Fuzzer.run { input in
    var reader = InputReader(input)
    let limits = allLimits[reader.number(below: allLimits.count)], text = Array(reader.rest)
    let fast = KernelForms.compare { Tape(text, limits, byReference: false) }, reference = Tape(text, limits, byReference: true)
    precondition(fast == reference, "the kernel and its reference differ")
    Places.compare(text, limits)
    Places.compareIssuers(text)
    if reference.error == nil { reference.withRoot(text) { $0.compareIssuer(text) } }
    guard limits == wide else { return }
    let document = JanssonTree(text)
    switch (reference.error, document) {
    case (let error?, nil): precondition(document == nil, "\(error)")
    case (let error?, _?): precondition(DocumentedDifference.allows(refusing: error, text), "jansson accepts what the tokenizer refuses")
    case (nil, nil): precondition(DocumentedDifference.allows(text, reference), "jansson refuses what the tokenizer accepts")
    case (nil, let document?): reference.withRoot(text) { document.compare($0) }
    }
}
