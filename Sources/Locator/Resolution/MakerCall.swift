/// One call of a factory closure, a decorator, or an injection, which provides the arguments one after the other.
///
/// It retains nothing, and is used only during the call.
struct MakerCall: @unchecked Sendable {
    // Sendable: it never leaves its thread. Because of the conformance, the compiler does not treat values that are
    // resolved through the call as a part of it.

    /// The context that makes the call and its thread; nil for a call that only returns the types of the parameters.
    private let caller: Caller?
    /// The subject of the call: a factory's payload, the box that a decorator wraps, or the box that an injection
    /// receives.
    private let subject: UnsafeRawPointer?
    /// The slot whose instance is being made.
    ///
    /// Its registration or decorator has the qualifiers of the parameters.
    private let slot: Unmanaged<Slot>?
    /// In a lean making, the cell of each parameter, or nil for a parameter that has to be resolved in another way.
    private let plan: UnsafePointer<Unmanaged<Cell>?>?
    /// The position of the next parameter, or of the one that could not be provided.
    ///
    /// It is negative for parameters that come from a factory's payload.
    private(set) var position: Int
    /// The offset at which the next part of the payload can begin.
    private var payloadOffset = 0

    fileprivate typealias TypeList = [any Any.Type]

    private struct Caller {
        // Unmanaged, because a call ends before the functions that make it.
        let core: Unmanaged<ContextCore>
        let thread: ThreadRecord.Unretained

        /// The ready answer for a parameter.
        @inline(__always)
        func found(in cell: Unmanaged<Cell>) -> UnsafeRawPointer? {
            core._withUnsafeGuaranteedRef { core in
                thread._withUnsafeGuaranteedRef { core.readyArgument(cell, on: $0) }
            }
        }

        /// The instance of a lean child that is the argument for a parameter.
        @inline(__always)
        func lent(_ cell: Unmanaged<Cell>) throws -> AnyBox? {
            try core._withUnsafeGuaranteedRef { core in
                try thread._withUnsafeGuaranteedRef { thread in
                    guard thread.lean.isLent, let child = core.asUnmanagedChild else { return nil }
                    return try child._withUnsafeGuaranteedRef { try $0.lentInstance(cell, on: thread) }
                }
            }
        }

        /// The argument that was found ready, or that the ready recipe makes.
        @inline(__always)
        func argument<Value>(from found: UnsafeRawPointer) throws -> Value {
            if !Cell.Ready.isRecipe(found) { return Self.copied(from: found) }
            return try thread._withUnsafeGuaranteedRef { thread in
                try ContextCore.makeLean(Cell.Ready.recipe(found), in: core, on: thread)
            }
        }

        /// The argument that was found ready.
        ///
        /// The lean request keeps the box until its end. Before that, it calls the factory closure with the value. The
        /// optimizer does not know this function, so the value is retained by then, and need not be copied as
        /// ``Readers`` describes.
        @inline(never)
        private static func copied<Value>(from box: UnsafeRawPointer) -> Value {
            Unmanaged<Box<Value>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
        }

        /// The argument for a parameter, if it is an instance; nil if it has to be resolved in another way.
        ///
        /// Neither this function nor the rare functions that it calls are inlined, because factory closures nest.
        @inline(never)
        func made(_ type: any Any.Type, _ position: Int, _ slot: Unmanaged<Slot>?) throws(LocatorError) -> AnyBox? {
            if injectable(type) != nil { return nil }
            let qualifier = MakerCall.qualifier(at: position, of: slot)
            return try core.takeUnretainedValue().argument(type, qualifier, of: slot, on: thread.takeUnretainedValue())
        }
    }

    /// Creates a call that makes an instance of a slot, or runs for one.
    @inline(__always)
    init(
        _ core: Unmanaged<ContextCore>, _ thread: ThreadRecord, of slot: Unmanaged<Slot>?,
        subject: UnsafeRawPointer? = nil, plan: UnsafePointer<Unmanaged<Cell>?>? = nil
    ) {
        caller = Caller(core: core, thread: .passUnretained(thread))
        self.slot = slot
        self.subject = subject
        self.plan = plan
        position = 0
    }

    /// Creates a call of a slot's factory closure, with a payload if it is a factory.
    @inline(__always)
    init(
        _ core: Unmanaged<ContextCore>, _ thread: ThreadRecord, of slot: Unmanaged<Slot>,
        payload: UnsafeRawPointer?, plan: UnsafePointer<Unmanaged<Cell>?>? = nil
    ) {
        self.init(core, thread, of: slot, subject: payload, plan: plan)
        if payload != nil { position = -slot._withUnsafeGuaranteedRef { $0.record.payloadCount } }
    }

    /// Creates a call that only adds the types of the parameters to a list.
    fileprivate init(addingTo list: UnsafeMutablePointer<TypeList>) {
        caller = nil
        slot = nil
        subject = UnsafeRawPointer(list)
        plan = nil
        position = 0
    }

    /// Whether the function should throw ``Parameters/added(to:)`` and do nothing else.
    @inline(__always) var asksForParameters: Bool { caller == nil }

    /// Adds a type to the list of such a call.
    fileprivate func add(_ parameter: any Any.Type) {
        guard let subject, asksForParameters else { preconditionFailure("This call makes an instance") }
        // Unsafe: such a call was created with a pointer to a mutable list, which is valid while the function runs.
        UnsafeMutableRawPointer(mutating: subject).assumingMemoryBound(to: TypeList.self).pointee.append(parameter)
    }

    /// The box that is the subject of the call.
    var box: AnyBox {
        guard let subject else { preconditionFailure("A decorator or an injection is called with a box") }
        return Unmanaged<AnyBox>.fromOpaque(subject).takeUnretainedValue()
    }

    var resolver: Resolver {
        guard let caller else { preconditionFailure("A context runs a factory closure") }
        return Resolver(core: caller.core.takeUnretainedValue())
    }

    /// Returns the argument for the next parameter, which has this type.
    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        guard let caller else { preconditionFailure("A context runs a factory closure") }
        let position = position
        self.position = position + 1
        if position < 0 { return partOfPayload() }
        do {
            if let cell = plan?[position] {
                if let found = caller.found(in: cell) { return try caller.argument(from: found) }
                if let box = try caller.lent(cell) { return box.value(as: type) }
            }
            if let box = try caller.made(type, position, slot) { return box.value(as: type) }
            return try resolved(position)
        } catch {
            self.position = position
            throw error
        }
    }

    /// Returns the next part of the payload: all of it, or an element of the tuple that several payloads form.
    @inline(never)
    private mutating func partOfPayload<Value>() -> Value {
        guard let subject else { preconditionFailure("A factory is asked with a payload") }
        // The elements of a tuple follow each other, each at the next offset that its alignment allows. The payload was
        // found by its type, so the types of its parts are correct.
        let mask = MemoryLayout<Value>.alignment - 1
        let offset = (payloadOffset + mask) & ~mask
        payloadOffset = offset + MemoryLayout<Value>.size
        return (subject + offset).assumingMemoryBound(to: Value.self).pointee
    }

    /// Resolves an argument that is not simply an instance.
    @inline(never)
    private func resolved<Value>(_ position: Int) throws -> Value {
        try resolver.argument(Value.self, qualifier: Self.qualifier(at: position, of: slot))
    }

    private static func qualifier(at position: Int, of slot: Unmanaged<Slot>?) -> Qualifier? {
        let parameterQualifiers = slot?.takeUnretainedValue().parameterQualifiers ?? []
        return parameterQualifiers.isEmpty ? nil : parameterQualifiers[position]
    }
}

/// A function that makes a result from its parameters, and can return their types.
struct MakerFunction<Result> {
    let run: (inout MakerCall) throws -> Result

    /// The types of the parameters.
    var parameters: [any Any.Type] {
        var list: MakerCall.TypeList = []
        // Unsafe: the pointer is used only while the function runs.
        return withUnsafeMutablePointer(to: &list) { list in
            var call = MakerCall(addingTo: list)
            do {
                _ = try run(&call)
            } catch {
                return list.pointee
            }
            preconditionFailure("A factory closure has not returned its parameters")
        }
    }
}

/// The parameters of a factory closure.
///
/// There are no values of this type.
struct Parameters<each Parameter> {
    private init() {}

    /// Adds the types of the parameters to the list of a call, and returns the error to throw.
    ///
    /// In this way, a registration needs no second function that describes the first one.
    // Never inlined, and without arguments, because the types themselves would also add cost to calls that make an
    // instance.
    @inline(never)
    static func added(to call: MakerCall) -> any Error {
        repeat call.add((each Parameter).self)
        return ParametersAdded.error
    }
}

/// The error that a factory closure throws after it has returned the types of its parameters.
struct ParametersAdded: Error {
    /// One error for all closures, because a separate error would cost an allocation for each registration.
    static let error: any Error = ParametersAdded()
}

/// A function that makes instances of a registered type.
///
/// Its caller names the type.
///
/// There is no class or witness for each type, because the runtime would have to create these when a module is loaded.
struct Maker {
    // Unsafe: a function is a code pointer and a context, regardless of its result type. Inside a generic struct, it
    // always returns its result in memory of the caller, so the two structs have the same layout. It is called only
    // after the struct was cast back to its original type.
    private let function: MakerFunction<Never>

    init<Value>(_ run: @escaping (inout MakerCall) throws -> Value) {
        function = unsafeBitCast(MakerFunction(run: run), to: MakerFunction<Never>.self)
    }

    fileprivate func typed<Value>(_: Value.Type) -> MakerFunction<Value> {
        unsafeBitCast(function, to: MakerFunction<Value>.self)
    }

    /// The types of the parameters.
    ///
    /// `type` is the type that the function makes.
    func parameters(making type: any Any.Type) -> [any Any.Type] {
        func parameters<Value>(_ type: Value.Type) -> [any Any.Type] { typed(type).parameters }
        return _openExistential(type, do: parameters)
    }

    /// Makes an instance.
    ///
    /// `type` is the type that the function makes.
    func make(_ type: any Any.Type, _ call: inout MakerCall) throws -> AnyBox {
        func make<Value>(_ type: Value.Type) throws -> AnyBox { Box(try typed(type).run(&call)) }
        return try _openExistential(type, do: make)
    }
}

/// A factory closure and the cells of its parameters, for makings without a lock.
final class Recipe {
    private let maker: Maker
    /// The cell of each parameter.
    ///
    /// It is nil for a parameter that is resolved in another way. The others are retained.
    let plan: UnsafePointer<Unmanaged<Cell>?>
    private let count: Int

    init(_ maker: Maker, _ cells: [Cell?]) {
        self.maker = maker
        count = cells.count
        let plan = UnsafeMutablePointer<Unmanaged<Cell>?>.allocate(capacity: max(1, count))
        for (index, cell) in cells.enumerated() {
            (plan + index).initialize(to: cell.map(Unmanaged.passRetained))
        }
        self.plan = UnsafePointer(plan)
    }

    /// Makes an instance of the type that the factory closure is known to make.
    @inline(__always)
    func make<Value>(_ call: inout MakerCall) throws -> Value { try maker.typed(Value.self).run(&call) }

    deinit {
        for index in 0..<count { plan[index]?.release() }
        plan.deallocate()
    }
}
