/// A reference from a part of an object to the object, which does not keep it alive.
///
/// A `weak` variable allocates a side table for the object, and makes each later retain and release of it slower. This
/// reference does so only when it is read.
struct BackReference<Object: AnyObject> {
    // Unsafe: `counted` keeps the memory of the object until this value ends, also after the object was deinitialized.
    // So the pointer leads to an object, to which a weak reference can be formed. The runtime forms none if the
    // deinitialization of the object has begun, which it checks in one atomic step.
    private unowned let counted: Object
    private let pointer: Unmanaged<Object>

    private struct Reference {
        weak var object: Object?
    }

    init(to object: Object) {
        counted = object
        pointer = .passUnretained(object)
    }

    /// The object; nil from the beginning of its deinitialization.
    var object: Object? {
        var reference = Reference()
        form(&reference)
        return reference.object
    }

    // Never inlined: otherwise the optimizer could conclude from the pointer that the object is alive.
    @inline(never)
    private func form(_ reference: inout Reference) {
        pointer._withUnsafeGuaranteedRef { reference.object = $0 }
    }
}
