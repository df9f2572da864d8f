import Locator

/// What a request costs that hands something in: each row makes three instances of the request's scope.
nonisolated(unsafe) let requestBenchmarks: [Benchmark] = [
    childWithInputs(besideModules: 0),
    childWithInputs(besideModules: 1_000),
    Benchmark("within, with two inputs: open, resolve 3, dispose", target: .atMost(20)) {
        let context = try AppContext().load(server)
        let (part, user) = (try context.resolve(ServerPart.self), User())
        return (
            Benchmark.Work("within") {
                try? context.within(request, giving: Info(number: 7), user) { child in askForThree(child) }
            },
            Benchmark.Work("make the 3") { makeThree(part, Info(number: 7), user) }
        )
    },
]

private func childWithInputs(besideModules count: Int) -> Benchmark {
    let suffix = count == 0 ? "" : ", \(count) modules loaded"
    return Benchmark("child with two inputs: open, resolve 3, dispose\(suffix)", target: .atMost(12)) {
        let context = try AppContext().load(server)
        for number in 0..<count {
            try context.load(Module("\(number)") { $0.register(qualifier: .named("\(number)")) { number } })
        }
        let (part, user) = (try context.resolve(ServerPart.self), User())
        return (
            Benchmark.Work("child") {
                guard let child = try? context.child(opening: request, giving: Info(number: 7), user) else { return }
                askForThree(child)
            },
            Benchmark.Work("make the 3") { makeThree(part, Info(number: 7), user) }
        )
    }
}

private let request = Scope("request", requiresOpening: true)

private struct Info: Sendable { let number: Int }
private final class User: Sendable {}
private final class ServerPart: Sendable {}

private final class InputPart<Number>: Sendable {
    let part: ServerPart
    let info: Info
    let user: User

    init(part: ServerPart, info: Info, user: User) {
        self.part = part
        self.info = info
        self.user = user
    }
}

private let server = Module("Server") { registry in
    registry.register(ServerPart.init)
    registry.input(Info.self, scope: request)
    registry.input(User.self, scope: request)
    registry.register(scope: request, InputPart<D0>.init)
    registry.register(scope: request, InputPart<D1>.init)
    registry.register(scope: request, InputPart<D2>.init)
}

private func askForThree(_ child: AppContext) {
    blackHole(try! child.resolve(InputPart<D0>.self))
    blackHole(try! child.resolve(InputPart<D1>.self))
    blackHole(try! child.resolve(InputPart<D2>.self))
}

private func makeThree(_ part: ServerPart, _ info: Info, _ user: User) {
    blackHole(InputPart<D0>(part: part, info: info, user: user))
    blackHole(InputPart<D1>(part: part, info: info, user: user))
    blackHole(InputPart<D2>(part: part, info: info, user: user))
}
