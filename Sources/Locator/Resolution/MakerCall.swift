/// One call of a maker, a decorator or an injection: it hands over the arguments, one after the other.
///
/// It retains nothing; it is used within the call.
struct MakerCall: @unchecked Sendable {
    // Sendable: never leaves its thread; said so that the compiler does not take what is asked for through it as part
    // of it.

    /// The context that calls and the thread it calls on; nil where what is called is only to tell its parameters.
    private let caller: Caller?
    /// What the call is about: a factory's payload, the box that a decorator wraps, the box that is injected into.
    private let subject: UnsafeRawPointer?
    /// What is made, whose registration or decorator says which qualifiers the parameters have.
    private let slot: Unmanaged<Slot>?
    /// For a lean making, the cell of each parameter, or nil where it has to be asked for.
    private let plan: UnsafePointer<Unmanaged<Cell>?>?
    /// The next parameter's position; negative for those that are handed over from a factory's payload.
    private var position: Int
    /// Where the next part of the payload may begin.
    private var payloadOffset = 0

    private struct Caller {
        // Unmanaged: a call ends before the functions that make it.
        let core: Unmanaged<ContextCore>
        let thread: ThreadRecord.Unretained

        /// What is ready for a parameter.
        @inline(__always)
        func found(in cell: Unmanaged<Cell>) -> UnsafeRawPointer? {
            core._withUnsafeGuaranteedRef { core in
                thread._withUnsafeGuaranteedRef { core.readyArgument(cell, on: $0) }
            }
        }

        /// The instance of a lean child that is the argument for a parameter.
        @inline(__always)
        func lent(_ cell: Unmanaged<Cell>) -> AnyBox? {
            core._withUnsafeGuaranteedRef { core in
                thread._withUnsafeGuaranteedRef { $0.lean.isLent ? core.lentInstance(cell, on: $0) : nil }
            }
        }

        /// The argument that was found ready, or is made by the recipe that was.
        @inline(__always)
        func argument<Value>(from found: UnsafeRawPointer) throws -> Value {
            if !Cell.Ready.isRecipe(found) { return Self.copied(from: found) }
            return try thread._withUnsafeGuaranteedRef { thread in
                try ContextCore.makeLean(Cell.Ready.recipe(found), in: core, on: thread)
            }
        }

        /// The argument that was found ready.
        ///
        /// The lean request keeps the box until its end. Before that the maker is called with the value, a function that the
        /// optimizer does not know: so the value is retained by then, and need not be copied as ``Readers`` says.
        @inline(never)
        private static func copied<Value>(from box: UnsafeRawPointer) -> Value {
            Unmanaged<Box<Value>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
        }

        /// The instance that is the argument for a parameter; nil where it has to be asked for in another way.
        ///
        /// Not inlined, nor what it calls that is rare: makers nest.
        @inline(never)
        func made(_ type: any Any.Type, _ position: Int, _ slot: Unmanaged<Slot>?) throws(LocatorError) -> AnyBox? {
            if wayToAsk(type) != nil { return nil }
            let qualifier = MakerCall.qualifier(at: position, of: slot)
            return try core.takeUnretainedValue().argument(type, qualifier, on: thread.takeUnretainedValue())
        }
    }

    /// A call that makes something of a slot, or for one.
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

    /// A call that makes something of a slot's registration, from a payload where it is a factory.
    @inline(__always)
    init(
        _ core: Unmanaged<ContextCore>, _ thread: ThreadRecord, of slot: Unmanaged<Slot>,
        payload: UnsafeRawPointer?, plan: UnsafePointer<Unmanaged<Cell>?>? = nil
    ) {
        self.init(core, thread, of: slot, subject: payload, plan: plan)
        if payload != nil { position = -slot._withUnsafeGuaranteedRef { $0.record.payloadCount } }
    }

    /// A call that only asks for the types of the parameters.
    fileprivate init() {
        caller = nil
        slot = nil
        subject = nil
        plan = nil
        position = 0
    }

    /// Whether what is called is to throw its ``ParameterTypes`` and do nothing else.
    @inline(__always) var asksForParameters: Bool { caller == nil }

    /// The box that the call is about.
    var box: AnyBox {
        guard let subject else { preconditionFailure("A decorator or an injection is called with a box") }
        return Unmanaged<AnyBox>.fromOpaque(subject).takeUnretainedValue()
    }

    var resolver: Resolver {
        guard let caller else { preconditionFailure("A context runs a factory closure") }
        return Resolver(core: caller.core.takeUnretainedValue())
    }

    /// The argument for the next parameter, which has this type.
    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        guard let caller else { preconditionFailure("A context runs a factory closure") }
        let position = position
        self.position = position + 1
        if position < 0 { return partOfPayload() }
        if let cell = plan?[position] {
            if let found = caller.found(in: cell) { return try caller.argument(from: found) }
            if let box = caller.lent(cell) { return box.value(as: type) }
        }
        if let box = try caller.made(type, position, slot) { return box.value(as: type) }
        return try asked(position)
    }

    /// The next part of the payload: the whole of it, or an element of the tuple that several make.
    @inline(never)
    private mutating func partOfPayload<Value>() -> Value {
        guard let subject else { preconditionFailure("A factory is asked with a payload") }
        // The elements of a tuple follow each other, each where its alignment allows. The payload was found by its type,
        // which tells the types of its parts.
        let mask = MemoryLayout<Value>.alignment - 1
        let offset = (payloadOffset + mask) & ~mask
        payloadOffset = offset + MemoryLayout<Value>.size
        return (subject + offset).assumingMemoryBound(to: Value.self).pointee
    }

    /// Asks for an argument that is not simply an instance.
    @inline(never)
    private func asked<Value>(_ position: Int) throws -> Value {
        try resolver.argument(Value.self, qualifier: Self.qualifier(at: position, of: slot))
    }

    private static func qualifier(at position: Int, of slot: Unmanaged<Slot>?) -> Qualifier? {
        let parameterQualifiers = slot?.takeUnretainedValue().parameterQualifiers ?? []
        return parameterQualifiers.isEmpty ? nil : parameterQualifiers[position]
    }
}

/// What makes something from its parameters, which it can also tell.
struct MakerFunction<Result> {
    let run: (inout MakerCall) throws -> Result

    /// The types of the parameters.
    var parameters: [any Any.Type] {
        var call = MakerCall()
        do {
            _ = try run(&call)
        } catch let told as ParameterTypes {
            return told.list
        } catch {}
        preconditionFailure("A factory closure has not returned its parameters")
    }
}

/// What a maker throws that is asked for its parameters: their types.
///
/// So a registration keeps one function and no second one to describe the first.
struct ParameterTypes: Error {
    let list: [any Any.Type]
}

/// The parameters of a maker; there are no values of it.
struct Parameters<each Parameter> {
    private init() {}

    /// Their types.
    ///
    /// Never inlined: the list would cost a maker that makes something, too.
    static var types: ParameterTypes {
        @inline(never) get {
            var list: [any Any.Type] = []
            repeat list.append((each Parameter).self)
            return ParameterTypes(list: list)
        }
    }
}

/// A function that makes instances of a registered type, which whoever calls it has to name.
///
/// There is no class or witness for each type, which the runtime would have to make when a module is loaded.
struct Maker {
    // Unsafe: a function is a code pointer and a context whatever it gives. Inside a generic struct it always gives its
    // result in memory of the caller, so the two structs have one layout. It is called only after the struct was turned
    // back into what it was.
    private let function: MakerFunction<Never>

    init<Value>(_ run: @escaping (inout MakerCall) throws -> Value) {
        function = unsafeBitCast(MakerFunction(run: run), to: MakerFunction<Never>.self)
    }

    fileprivate func typed<Value>(_: Value.Type) -> MakerFunction<Value> {
        unsafeBitCast(function, to: MakerFunction<Value>.self)
    }

    /// The types of the parameters; `type` is what the function makes.
    func parameters(making type: any Any.Type) -> [any Any.Type] {
        func parameters<Value>(_ type: Value.Type) -> [any Any.Type] { typed(type).parameters }
        return _openExistential(type, do: parameters)
    }

    /// Makes an instance; `type` is what the function makes.
    func make(_ type: any Any.Type, _ call: MakerCall) throws -> AnyBox {
        func make<Value>(_ type: Value.Type) throws -> AnyBox {
            var call = call
            return Box(try typed(type).run(&call))
        }
        return try _openExistential(type, do: make)
    }
}

/// A maker and the cells of its parameters, for makings without a lock.
final class Recipe {
    private let maker: Maker
    /// A cell is nil for a parameter that has to be asked for; the others are retained.
    let plan: UnsafePointer<Unmanaged<Cell>?>
    private let count: Int

    init(_ maker: Maker, plan: UnsafePointer<Unmanaged<Cell>?>, count: Int) {
        self.maker = maker
        self.plan = plan
        self.count = count
    }

    /// Makes an instance of the type that the maker is known to make.
    @inline(__always)
    func make<Value>(_ call: inout MakerCall) throws -> Value { try maker.typed(Value.self).run(&call) }

    deinit {
        for index in 0..<count { plan[index]?.release() }
        plan.deallocate()
    }
}
