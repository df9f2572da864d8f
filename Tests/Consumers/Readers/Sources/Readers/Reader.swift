import Locator

/// One way to read, as a user writes it, in code that is compiled with the user's program.
struct Reader: Sendable {
    let name: String
    let read: @Sendable (AppContext, Holder) throws -> Void

    init(_ name: String, _ read: @escaping @Sendable (AppContext, Holder) throws -> Void) {
        self.name = name
        self.read = read
    }

    static let all: [Reader] = resolving + collections + wrappers + making + children

    private static let resolving = [
        Reader("resolve a class") { context, _ in try context.resolve(Leaf.self).check() },
        Reader("resolve one field") { context, _ in
            guard try context.resolve(Leaf.self).number == 7 else { fatalError("A field was read of what has ended") }
        },
        Reader("resolve with a qualifier") { context, _ in
            try context.resolve(Leaf.self, qualifier: "named").check()
        },
        Reader("resolve a class-bound existential") { context, _ in try context.resolve((any Service).self).check() },
        Reader("resolve an existential") { context, _ in try context.resolve((any Shape).self).living.check() },
        Reader("resolve a large existential") { context, _ in
            try context.resolve((any Shape).self, qualifier: "large").living.check()
        },
        Reader("resolve a struct") { context, _ in try context.resolve(Pair.self).leaf.check() },
        Reader("resolve one field of a struct") { context, _ in
            guard try context.resolve(Pair.self).number == 7 else { fatalError("A field was read of what has ended") }
        },
        Reader("resolve an optional") { context, _ in try context.resolve(Leaf?.self)?.check() },
        Reader("resolve an optional existential") { context, _ in try context.resolve((any Shape)?.self)?.living.check()
        },
        Reader("resolve what a reset drops") { context, _ in try context.resolve(Session.self).leaf.check() },
        Reader("what exists") { context, _ in context.existing(Leaf.self)?.check() },
        Reader("a setting") { context, _ in
            guard try context.value("server.name", as: String.self).utf8.count > 30 else {
                fatalError("A setting was lost")
            }
        },
    ]

    private static let collections = [
        Reader("resolveAll of a class") { context, _ in for leaf in try context.resolveAll(Leaf.self) { leaf.check() }
        },
        Reader("resolveAll of existentials") { context, _ in
            for shape in try context.resolveAll((any Shape).self) { shape.living.check() }
        },
        Reader("the first of resolveAll") { context, _ in try context.resolveAll((any Service).self).first?.check() },
        Reader("the count of resolveAll") { context, _ in
            guard try !context.resolveAll((any Shape).self).isEmpty else { fatalError("A collection was lost") }
        },
        Reader("resolveMap") { context, _ in
            for shape in try context.resolveMap((any Shape).self).values { shape.living.check() }
        },
    ]

    private static let wrappers = [
        Reader("a shared wrapper of a class") { _, holder in try holder.leaf.resolved().check() },
        Reader("a shared wrapper, called") { _, holder in holder.leaf().check() },
        Reader("a shared wrapper with a qualifier") { _, holder in holder.named().check() },
        Reader("a shared wrapper of a class-bound existential") { _, holder in holder.service().check() },
        Reader("a shared wrapper of an existential") { _, holder in holder.shape().living.check() },
        Reader("a shared wrapper of a large existential") { _, holder in holder.large().living.check() },
        Reader("a shared wrapper of a struct") { _, holder in holder.pair().leaf.check() },
        Reader("one field of a struct in a shared wrapper") { _, holder in
            guard holder.pair().number == 7 else { fatalError("A field was read of what has ended") }
        },
        Reader("a shared wrapper of an optional") { _, holder in holder.optional()?.check() },
        Reader("a shared wrapper of what a reset drops") { _, holder in holder.session().leaf.check() },
        Reader("a shared wrapper of an array") { _, holder in for leaf in holder.leaves() { leaf.check() } },
        Reader("a shared wrapper of an array of existentials") { _, holder in
            for shape in holder.shapes() { shape.living.check() }
        },
        Reader("a shared wrapper of a text") { _, holder in
            guard holder.name().utf8.count > 30 else { fatalError("A setting was lost") }
        },
        Reader("a shared wrapper of numbers") { _, holder in
            guard holder.ports().count == 3 else { fatalError("A setting was lost") }
        },
        Reader("the first read of wrappers") { context, _ in
            let screen = AppContext.withContext(context) { Screen() }
            screen.leaf.check()
            screen.service.check()
            screen.shape.living.check()
            for shape in screen.shapes { shape.living.check() }
            guard screen.name.utf8.count > 30 else { fatalError("A setting was lost") }
        },
        Reader("a wrapper whose holder ends with the read") { context, _ in
            AppContext.withContext(context) {
                Dependency<Leaf>().wrappedValue.check()
                Panel().leaf.check()
                guard Panel().leaf.number == 7 else { fatalError("A field was read of what has ended") }
            }
        },
    ]

    private static let making = [
        Reader("a prototype") { context, _ in
            let job = try context.resolve(Job.self)
            job.leaf.check()
            job.shape.living.check()
        },
        Reader("a factory") { context, _ in
            let job = try context.resolve(Job.self, with: Order(number: 1))
            job.leaf.check()
            job.shape.living.check()
        },
        Reader("a prototype inside its context") { context, _ in
            try AppContext.withContext(context) { try context.resolve(Job.self).leaf.check() }
        },
        Reader("Lazy, Provider and Factory") { context, _ in
            let desk = try context.resolve(Desk.self)
            try desk.leaf.resolved().check()
            try desk.pair.resolved().leaf.check()
            try desk.job().leaf.check()
            try desk.order(Order(number: 2)).shape.living.check()
        },
    ]

    private static let children = [
        Reader("a child") { context, _ in
            let child = try context.child(opening: .visit)
            try child.resolve(Leaf.self).check()
            try child.resolve(Visit.self).leaf.check()
            try child.resolve((any Shape).self).living.check()
            try child.resolve(Job.self).leaf.check()
        },
        Reader("a child that pushes") { context, _ in
            let child = try context.child(
                opening: .visit, pushing: Module("Request") { $0.register((any Service).self) { Node() } })
            try child.resolve((any Service).self).check()
            try child.resolve(Visit.self).leaf.check()
            try child.resolve(Leaf.self).check()
        },
        Reader("a child that is handed something") { context, _ in
            let order = Order(number: 7)
            let child = try context.child(opening: .request, giving: order, and: .input(Ticket(), qualifier: "request"))
            try child.resolve(Answer.self).check()
            guard try child.resolve(Order.self).number == 7 else { fatalError("Another input was given") }
            try context.within(.request, giving: order, and: .input(Ticket(), qualifier: "request")) { child in
                try child.resolve(Answer.self).ticket.check()
                try child.resolve(Ticket.self, qualifier: "request").check()
                try child.resolve(Visit.self).leaf.check()
            }
        },
        Reader("wrappers of a child") { context, _ in
            let child = try context.child(opening: .visit)
            let screen = AppContext.withContext(child) { Screen() }
            screen.leaf.check()
            screen.shape.living.check()
            for shape in screen.shapes { shape.living.check() }
        },
    ]
}
