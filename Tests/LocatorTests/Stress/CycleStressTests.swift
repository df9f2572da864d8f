import Locator
import TestSupport
import Testing

/// A cycle that threads enter at different places is an error on each of them.
@Suite struct CycleStressTests {
    private final class First: Sendable {}
    private final class Second: Sendable {}
    private final class Third: Sendable {}

    /// On its first run, each factory closure waits until all of them run.
    private func ring(_ gate: Gate, over wrappers: Bool) -> Module {
        @Sendable func need<Value: Sendable>(_ type: Value.Type, _ resolver: Resolver) throws {
            if wrappers {
                _ = try Dependency<Value>().resolved()
            } else {
                _ = try resolver.resolve(type)
            }
        }
        return Module("Ring") { registry in
            registry.register(First.self) { (resolver: Resolver) in
                gate.arriveAndWait()
                try need(Second.self, resolver)
                return First()
            }
            registry.register(Second.self) { (resolver: Resolver) in
                gate.arriveAndWait()
                try need(Third.self, resolver)
                return Second()
            }
            registry.register(Third.self) { (resolver: Resolver) in
                gate.arriveAndWait()
                try need(First.self, resolver)
                return Third()
            }
        }
    }

    private func isCycle(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as LocatorError {
            guard case .circularDependency(let path) = error.kind else { return "\(error)" }
            return path.count == 4 && path.first == path.last ? "cycle" : "\(error)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [false, true])
    func cycle_overThreeThreads_isReportedOnEach(overWrappers: Bool) throws {
        for _ in 0..<TestScale.count(1_000) {
            let context = try AppContext().load(ring(Gate(3), over: overWrappers))
            let outcomes = Tally<String?>()
            try Crowd.run("cycle", threads: 3) { member in
                member.step("start")
                switch member.number {
                case 0: outcomes.append(isCycle { _ = try context.resolve(First.self) })
                case 1: outcomes.append(isCycle { _ = try context.resolve(Second.self) })
                default: outcomes.append(isCycle { _ = try context.resolve(Third.self) })
                }
            }
            #expect(outcomes.elements == ["cycle", "cycle", "cycle"])
            // No later request waits for one of these.
            #expect(isCycle { _ = try context.resolve(First.self) } == "cycle")
        }
    }

    @Test func cycle_overTwoThreads_isReportedOnBoth_alsoUnderChanges() throws {
        for _ in 0..<TestScale.count(1_000) {
            let gate = Gate(2)
            let module = Module("Pair") { registry in
                registry.register(First.self) { (resolver: Resolver) in
                    gate.arriveAndWait()
                    _ = try resolver.resolve(Second.self)
                    return First()
                }
                registry.register(Second.self) { (resolver: Resolver) in
                    gate.arriveAndWait()
                    _ = try resolver.resolve(First.self)
                    return Second()
                }
            }
            let context = try AppContext().load(module)
            let outcomes = Tally<Bool>()
            try Crowd.run("pair", threads: 3) { member in
                member.step("start")
                switch member.number {
                case 0: outcomes.append(throwsError { _ = try context.resolve(First.self) })
                case 1: outcomes.append(throwsError { _ = try context.resolve(Second.self) })
                default:
                    try context.push(settings(["a": 1]))
                    context.pop()
                }
            }
            #expect(outcomes.elements == [true, true])
        }
    }

    private func throwsError(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return error is LocatorError
        }
    }

    @Test func cycle_closedLazily_isNotAnError_fromWhicheverEnd() throws {
        final class Friends: Sendable {
            let messages: Lazy<Messages>
            init(_ messages: Lazy<Messages>) { self.messages = messages }
        }
        final class Messages: Sendable {
            let friends: Friends
            init(_ friends: Friends) { self.friends = friends }
        }
        for _ in 0..<TestScale.count(500) {
            let context = try AppContext().load(
                Module("Lazy") { registry in
                    registry.register(Friends.init)
                    registry.register(Messages.init)
                })
            try Crowd.run("lazy cycle", threads: 4) { member in
                member.step("start")
                if member.number % 2 == 0 {
                    let friends = try context.resolve(Friends.self)
                    #expect(friends.messages().friends === friends)
                } else {
                    let messages = try context.resolve(Messages.self)
                    #expect(messages.friends.messages() === messages)
                }
            }
        }
    }

    @Test func cycle_closedByInjecting_isNotAnError_fromWhicheverEnd() throws {
        final class Users: Sendable {
            let messages = Late<Messages>()
        }
        final class Messages: Sendable {
            let users: Users
            init(_ users: Users) { self.users = users }
        }
        for _ in 0..<TestScale.count(500) {
            let made = Counter()
            let context = try AppContext().load(
                Module("Injecting") { registry in
                    registry.register(Users.self) {
                        made.next()
                        return Users()
                    }
                    .injecting { (users, messages: Messages) in users.messages.value = messages }
                    registry.register { (users: Users) in
                        made.next()
                        return Messages(users)
                    }
                })
            let users = Tally<ObjectIdentifier>()
            try Crowd.run("injecting", threads: 4) { member in
                member.step("start")
                let found =
                    member.number % 2 == 0
                    ? try context.resolve(Users.self) : try context.resolve(Messages.self).users
                users.append(ObjectIdentifier(found))
                #expect(found.messages.value?.users === found, "A request returned before the cycle was closed")
            }
            #expect(Set(users.elements).count == 1)
            #expect(made.value == 2)
        }
    }

    @Test func failingInjection_dropsWhatIsJoined_onEveryThread() throws {
        struct Broken: Error {}
        final class Users: Sendable {
            let messages = Late<Messages>()
        }
        final class Messages: Sendable {
            let users: Users
            init(_ users: Users) { self.users = users }
        }
        for _ in 0..<TestScale.count(500) {
            let attempts = Counter()
            let context = try AppContext().load(
                Module("Injecting") { registry in
                    registry.register(Users.init)
                        .injecting { (users, messages: Messages) in
                            if attempts.next() == 1 { throw Broken() }
                            users.messages.value = messages
                        }
                    registry.register(Messages.init)
                })
            let failures = Counter()
            try Crowd.run("failing injection", threads: 4) { member in
                member.step("start")
                do {
                    let found =
                        member.number % 2 == 0
                        ? try context.resolve(Users.self) : try context.resolve(Messages.self).users
                    #expect(found.messages.value?.users === found, "Something joined to a failed injection was given")
                } catch {
                    failures.next()
                }
            }
            #expect(failures.value >= 1)
            #expect(attempts.value <= 2)
            #expect(try context.resolve(Users.self).messages.value === context.resolve(Messages.self))
        }
    }
}
