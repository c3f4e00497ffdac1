/// A key for the kernels: the owner of its slot in the tables.
///
/// The slot may outlive the key: the tables hold slots, never keys. So no code of theirs can release the last reference to a key under
/// their lock, and this deinit takes no lock.
package final class KernelKey: Sendable {
    let slot: KeySlot
    let tables: KeyTables

    init(_ material: KernelMaterial, tables: KeyTables = .shared) {
        self.tables = tables
        slot = KeySlot(material, tables: tables)
        tables.loaded(slot)
    }

    deinit { tables.left(slot) }

    // For tests

    /// The current table's family, and whether the table is full-size.
    package var table: (family: KernelFamily, isFull: Bool)? { slot.table }

    /// The kernels' verdict, if any.
    package func verdict(_ algorithm: SignatureAlgorithm, message: Span<UInt8>, signature: Span<UInt8>) -> KernelVerdict? {
        slot.verdict(algorithm.row, message: message, signature: signature)
    }

    /// The same without the family.
    package func verifies(_ algorithm: SignatureAlgorithm, message: Span<UInt8>, signature: Span<UInt8>) -> Bool? {
        verdict(algorithm, message: message, signature: signature)?.isGood
    }
}
