internal import LocatorProperties

/// The scopes that children of a context have opened in one state of it, and the inputs to pass for them.
final class Openings {
    /// A scope that loaded modules name, whether or not the modules' conditions hold.
    ///
    /// Constant, except that another one may be added after it.
    final class Opening {
        let scope: Scope
        /// The inputs in force, in lookup order.
        let inputs: [DeclaredInput]
        let next = LazyReference<Opening>()

        init(_ scope: Scope, _ inputs: [DeclaredInput]) {
            self.scope = scope
            self.inputs = inputs
        }
    }

    /// A registration of an input that is in force.
    // A class, because opening a child iterates over them.
    final class DeclaredInput {
        let record: RegistrationRecord
        let slot: Slot
        /// Whether an earlier module in lookup order answers its key.
        ///
        /// The input may then be omitted.
        let isHidden: Bool

        init(record: RegistrationRecord, slot: Slot, isHidden: Bool) {
            self.record = record
            self.slot = slot
            self.isHidden = isHidden
        }

        var registered: Registered { Registered(key: record.key, location: record.location) }
    }

    /// The number of scopes that are found without the lock.
    ///
    /// Comparing so few scopes costs less than hashing one.
    private static var listedCount: Int { 16 }

    private let first = LazyReference<Opening>()
    // The lock of the context guards the other fields.
    private var last: Opening?
    private var all: [Scope: Opening] = [:]
    private var inputTypes = IdentitySet()

    /// One of the first scopes that were opened.
    func known(_ scope: Scope) -> Unmanaged<Opening>? {
        var next = first.unmanaged
        while let opening = next {
            if opening._withUnsafeGuaranteedRef({ $0.scope == scope }) { return opening }
            next = opening._withUnsafeGuaranteedRef { $0.next.unmanaged }
        }
        return nil
    }

    func has(_ scopes: [Scope]) -> Bool { scopes.allSatisfy { known($0) != nil } }

    /// A scope that was opened.
    ///
    /// The caller holds the lock.
    subscript(scope: Scope) -> Unmanaged<Opening>? {
        known(scope) ?? all[scope].map(Unmanaged.passUnretained)
    }

    /// The caller holds the lock.
    func add(_ opening: Opening) {
        all[opening.scope] = opening
        for input in opening.inputs { inputTypes.insert(ObjectIdentifier(input.record.key.type)) }
        if all.count > Self.listedCount { return }
        if let last { _ = last.next.storeIfNil(opening) } else { _ = first.storeIfNil(opening) }
        last = opening
    }

    /// Whether the scopes or inputs may change when a module comes, goes, or moves.
    ///
    /// The caller holds the lock.
    func depend(on loaded: LoadedModule) -> Bool {
        if !loaded.scopes.isEmpty { return true }
        if inputTypes.count < loaded.registrations.count { return inputTypes.contains { loaded.has($0) } }
        var hasType = false
        loaded.forEachType { if inputTypes.contains($0) { hasType = true } }
        return hasType
    }
}
