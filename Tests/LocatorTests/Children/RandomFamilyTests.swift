import Foundation
import Locator
import TestSupport
import Testing

/// Random programs over a context, a child and a grandchild, whose factory closures read any of the three.
///
/// After each step, all results are compared with results that are computed from scratch.
@Suite("A family of contexts returns the same results as computing them from scratch")
struct RandomFamilyTests {
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test(arguments: 0..<2)
    func randomPrograms(_ part: Int) throws {
        let count = TestScale.count(10_000) / 2 + 1
        let first = Self.seed &+ UInt64(part * count)
        print("RandomFamilyTests \(part): LOCATOR_TEST_SEED=\(first), \(count) programs")
        for number in 0..<count {
            let seed = first &+ UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let program = FamilyProgram(using: &generator)
            guard try FamilyRun(program).firstMistake() != nil else { continue }
            let small = try program.shrunk { try FamilyRun($0).firstMistake() != nil }
            let mistake = try FamilyRun(small).firstMistake() ?? ""
            Issue.record("LOCATOR_TEST_SEED=\(seed) replays it first\n\(small)\n\(mistake)")
            return
        }
    }
}

/// The contexts, each a child of the one before it.
private enum Member: Int, CaseIterable, CustomStringConvertible {
    case parent, child, grandchild

    var above: Member? { Member(rawValue: rawValue - 1) }

    var description: String { ["parent", "child", "grandchild"][rawValue] }

    /// Those above it, nearest first.
    var isBelow: [Member] { above.map { [$0] + $0.isBelow } ?? [] }
}

/// What a factory closure reads: a key before its own or a setting, in the context that makes it or in another.
private struct FamilyRead: CustomStringConvertible {
    enum Way: CaseIterable {
        case resolver, wrapper, wrapperOfMember, contextOfMember, setting, wrapperOfSetting, settingOfMember,
            qualifierOfSetting

        /// The context that answers.
        func place(_ own: Member, _ other: Member) -> Member {
            switch self {
            case .resolver, .wrapper, .setting, .wrapperOfSetting, .qualifierOfSetting: own
            case .wrapperOfMember, .contextOfMember, .settingOfMember: other
            }
        }
    }

    let key: Int
    let way: Way
    let member: Member
    let isCaught: Bool

    var setting: Int { key % 2 }
    var path: String { "s\(setting)" }

    var description: String {
        let place =
            switch way {
            case .resolver: "by resolver"
            case .wrapper: "by wrapper"
            case .wrapperOfMember: "by wrapper of \(member)"
            case .contextOfMember: "of \(member)"
            case .setting: "as a setting"
            case .wrapperOfSetting: "by wrapper of the setting"
            case .settingOfMember: "as a setting of \(member)"
            case .qualifierOfSetting: "whose setting is the key"
            }
        return "\(key) \(place)\(isCaught ? ", caught" : "")"
    }
}

private struct FamilyRegistration: CustomStringConvertible {
    enum Lifetime: CaseIterable {
        case singleton, request, session, prototype

        /// Nil for a prototype.
        var scope: Scope? {
            switch self {
            case .singleton: .singleton
            case .request: Scope("request")
            case .session: Scope("session")
            case .prototype: nil
            }
        }
    }

    let key: Int
    let lifetime: Lifetime
    let reads: [FamilyRead]

    init(_ key: Int, using generator: inout some RandomNumberGenerator) {
        self.key = key
        let lifetime = Lifetime.allCases.randomElement(using: &generator) ?? .singleton
        self.lifetime = lifetime
        reads = (0..<(key == 0 ? 0 : Int.random(in: 0...2, using: &generator))).map { _ in
            let member = Member.allCases.randomElement(using: &generator) ?? .parent
            let way = FamilyRead.Way.allCases.randomElement(using: &generator) ?? .resolver
            return FamilyRead(
                key: Int.random(in: 0..<key, using: &generator),
                // A setting names the key 0 or 1.
                way: way == .qualifierOfSetting && key < 2 ? .setting : way,
                // A wrapper follows its context and those above, and keeps a prototype until one of them changes.
                member: lifetime == .prototype ? .parent : member,
                isCaught: Int.random(in: 0..<4, using: &generator) == 0)
        }
    }

    var description: String { "\(key) \(lifetime) of [\(reads.map(\.description).joined(separator: "; "))]" }
}

private enum FamilyStep {
    case push(Int, Member)
    case pop(Member)
    case load(Int)
    case unload(Int)
    case reset(String?, Member)
    case pushAndPop(Int, Member, asked: Int, Member)
    case resolve(Int, Member)
    case read(Int, Member)
}

private struct FamilyProgram: CustomStringConvertible {
    static let keyCount = 5
    private(set) var modules: [[FamilyRegistration]]
    /// The values of the settings of each module, by number: the keys that they name as qualifiers.
    private(set) var settings: [[Int: Int]]
    /// Whether the contexts load and push the same modules, or each has its own ones with the same registrations.
    let sharesModules: Bool
    private(set) var steps: [FamilyStep]

    init(using generator: inout some RandomNumberGenerator) {
        sharesModules = Bool.random(using: &generator)
        modules = (0..<4).map { module in
            (0..<Self.keyCount).compactMap { key in
                if Int.random(in: 0..<5, using: &generator) < (module == 0 ? 1 : 3) { return nil }
                return FamilyRegistration(key, using: &generator)
            }
        }
        settings = (0..<4).map { module in
            let numbers = (0..<2).filter { _ in Int.random(in: 0..<4, using: &generator) < (module == 0 ? 3 : 1) }
            return Dictionary(uniqueKeysWithValues: numbers.map { ($0, Int.random(in: 0..<2, using: &generator)) })
        }
        steps = (0..<Int.random(in: 5...30, using: &generator)).map { _ in
            let member = Member.allCases.randomElement(using: &generator) ?? .parent
            let module = Int.random(in: 1..<4, using: &generator)
            let key = Int.random(in: 0..<Self.keyCount, using: &generator)
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<4: return .push(module, member)
            case 4..<7: return .pop(member)
            case 7: return .load(module)
            case 8: return .unload(module)
            case 9: return .reset(["request", "session", nil].randomElement(using: &generator) ?? nil, member)
            case 10, 11:
                let asker = Member.allCases.randomElement(using: &generator) ?? .parent
                return .pushAndPop(module, member, asked: key, asker)
            case 12..<16: return .resolve(key, member)
            default: return .read(key, member)
            }
        }
    }

    /// The program without the steps and registrations that are not needed for the failure.
    func shrunk(_ isWrong: (FamilyProgram) throws -> Bool) throws -> FamilyProgram {
        var small = self
        var hasChanged = true
        func attempt(_ change: (inout FamilyProgram) -> Void) throws {
            var smaller = small
            change(&smaller)
            guard try isWrong(smaller) else { return }
            small = smaller
            hasChanged = true
        }
        while hasChanged {
            hasChanged = false
            for index in small.steps.indices.reversed() { try attempt { $0.steps.remove(at: index) } }
            for module in small.modules.indices {
                for number in small.settings[module].keys { try attempt { $0.settings[module][number] = nil } }
                for index in small.modules[module].indices.reversed() {
                    try attempt { $0.modules[module].remove(at: index) }
                }
            }
        }
        return small
    }

    var description: String {
        let modules = modules.enumerated().map { number, registrations in
            "\(number): \(settings[number]) \(registrations.map(\.description).joined(separator: ", "))"
        }
        let title = "Each context has \(sharesModules ? "the same modules" : "modules of its own"):"
        return ([title] + modules + ["Steps:"] + steps.enumerated().map { "\($0): \($1)" }).joined(separator: "\n")
    }
}

/// An instance of a program, which knows what it was made from.
private final class FamilyPart: @unchecked Sendable {
    // Sendable: a program runs on one thread.
    let text: String
    var hasEnded = false

    init(_ text: String) {
        self.text = text
    }
}

private final class FamilyRun: @unchecked Sendable {
    // Sendable: a program runs on one thread.
    private let program: FamilyProgram
    private var contexts: [AppContext] = []
    /// A wrapper of each key, for each context.
    private var wrappers: [[Dependency<FamilyPart>]] = []
    /// The modules of each context.
    private var modules: [[Module]] = []
    /// The loaded modules, in lookup order.
    private var loaded: [Int] = []
    /// The pushes of each context, in order.
    private var pushed = Member.allCases.map { _ in [Int]() }

    init(_ program: FamilyProgram) {
        self.program = program
    }

    /// Loads the first module, and opens the children.
    private func begin() throws {
        func makeModules() -> [Module] {
            program.modules.indices.map { number in
                let settings = program.settings[number].map { ("s\($0)", JSONValue("\($1)")) }
                return Module("\(number)", properties: Dictionary(uniqueKeysWithValues: settings)) { [self] registry in
                    for registration in program.modules[number] { register(registration, of: number, in: registry) }
                }
            }
        }
        let shared = makeModules()
        modules = Member.allCases.map { _ in program.sharesModules ? shared : makeModules() }
        loaded = [0]
        let parent = try AppContext().load(modules[0][0], .naming(Scope("request"), Scope("session")))
        let child = try parent.child(opening: Scope("request"))
        contexts = [parent, child, try child.child(opening: Scope("session"))]
        wrappers = contexts.map { context in
            AppContext.withContext(context) {
                (0..<FamilyProgram.keyCount).map { Dependency<FamilyPart>(qualifier: .named("\($0)")) }
            }
        }
    }

    private func register(_ registration: FamilyRegistration, of module: Int, in registry: Registry) {
        let make: @Sendable (Resolver) throws -> FamilyPart = { resolver in
            try self.make(registration, of: module, resolver)
        }
        let qualifier = Qualifier.named("\(registration.key)")
        guard let scope = registration.lifetime.scope else {
            registry.register(FamilyPart.self, qualifier: qualifier, scope: .prototype, make)
            return
        }
        registry.register(FamilyPart.self, qualifier: qualifier, scope: scope, make).onDispose { $0.hasEnded = true }
    }

    private func make(
        _ registration: FamilyRegistration, of module: Int, _ resolver: Resolver
    ) throws -> FamilyPart {
        let parts = try registration.reads.map { "(\(try text($0, resolver)))" }
        return FamilyPart("\(module).\(registration.key)\(parts.joined())")
    }

    private func text(_ read: FamilyRead, _ resolver: Resolver) throws -> String {
        do {
            let qualifier = Qualifier.named("\(read.key)")
            switch read.way {
            case .resolver: return try resolver.resolve(FamilyPart.self, qualifier: qualifier).text
            case .wrapper: return try Dependency<FamilyPart>(qualifier: qualifier).resolved().text
            case .wrapperOfMember: return try wrappers[read.member.rawValue][read.key].resolved().text
            case .contextOfMember:
                return try contexts[read.member.rawValue].resolve(FamilyPart.self, qualifier: qualifier).text
            case .setting: return try resolver.value(read.path)
            case .wrapperOfSetting: return try PropertyValue<String>(read.path).resolved()
            case .settingOfMember: return try contexts[read.member.rawValue].value(read.path)
            case .qualifierOfSetting:
                return try resolver.resolve(FamilyPart.self, qualifier: .property(read.path)).text
            }
        } catch {
            if read.isCaught { return "-" }
            throw error
        }
    }

    /// The registration that answers a key in a context, and the number of its module.
    private func registration(of key: Int, in member: Member) -> (registration: FamilyRegistration, module: Int)? {
        for module in order(in: member) {
            guard let registration = program.modules[module].first(where: { $0.key == key }) else { continue }
            return (registration, module)
        }
        return nil
    }

    /// The modules of a context, in lookup order.
    private func order(in member: Member) -> [Int] {
        // A child's pushes are in front of its parent's modules.
        ([member] + member.isBelow).flatMap { pushed[$0.rawValue].reversed() } + loaded
    }

    private func setting(_ number: Int, in member: Member) -> Int? {
        order(in: member).lazy.compactMap { self.program.settings[$0][number] }.first
    }

    /// What a factory closure reads in a context, computed from scratch, or nil if it is an error.
    private func expected(_ read: FamilyRead, in member: Member) -> String? {
        let place = read.way.place(member, read.member)
        switch read.way {
        case .resolver, .wrapper, .wrapperOfMember, .contextOfMember: return expected(read.key, place)
        case .setting, .wrapperOfSetting, .settingOfMember: return setting(read.setting, in: place).map(String.init)
        case .qualifierOfSetting: return setting(read.setting, in: place).flatMap { expected($0, place) }
        }
    }

    /// The instance of a key in a context, computed from scratch, or nil if it is an error.
    private func expected(_ key: Int, _ member: Member) -> String? {
        guard let (registration, module) = registration(of: key, in: member) else { return nil }
        var text = "\(module).\(key)"
        for read in registration.reads {
            guard let part = expected(read, in: member) ?? (read.isCaught ? "-" : nil) else { return nil }
            text += "(\(part))"
        }
        return text
    }

    /// Ends the contexts, whose factory closures hold this object.
    private func end() {
        wrappers = []
        contexts = []
        modules = []
    }

    /// The first wrong answer.
    func firstMistake() throws -> String? {
        try begin()
        defer { end() }
        for (number, step) in program.steps.enumerated() {
            switch step {
            case .push(let module, let member):
                try contexts[member.rawValue].push(modules[member.rawValue][module])
                pushed[member.rawValue].append(module)
            case .pop(let member):
                if pushed[member.rawValue].popLast() != nil { contexts[member.rawValue].pop() }
            case .load(let module):
                if loaded.contains(module) { continue }
                try contexts[0].load(modules[0][module])
                loaded.append(module)
            case .unload(let module):
                guard let position = loaded.firstIndex(of: module) else { continue }
                try contexts[0].unload(modules[0][module])
                loaded.remove(at: position)
            case .reset(let scope, let member):
                if let scope {
                    try contexts[member.rawValue].reset(Scope(scope))
                } else {
                    try contexts[member.rawValue].reset()
                }
            case .pushAndPop(let module, let member, let key, let asker):
                let qualifier = Qualifier.named("\(key)")
                let before = try? contexts[asker.rawValue].resolve(FamilyPart.self, qualifier: qualifier)
                try contexts[member.rawValue].push(modules[member.rawValue][module])
                pushed[member.rawValue].append(module)
                let during = try? contexts[asker.rawValue].resolve(FamilyPart.self, qualifier: qualifier)
                if let mistake = mistake(during, key, asker) { return "step \(number), pushed: \(mistake)" }
                contexts[member.rawValue].pop()
                pushed[member.rawValue].removeLast()
                let after = try? contexts[asker.rawValue].resolve(FamilyPart.self, qualifier: qualifier)
                if let mistake = mistake(after, key, asker) { return "step \(number), popped: \(mistake)" }
                if before !== after, !isPrototype(key, asker) { return "step \(number): not the same" }
            case .resolve(let key, let member):
                let qualifier = Qualifier.named("\(key)")
                let part = try? contexts[member.rawValue].resolve(FamilyPart.self, qualifier: qualifier)
                if let mistake = mistake(part, key, member) { return "step \(number): \(mistake)" }
                let again = try? contexts[member.rawValue].resolve(FamilyPart.self, qualifier: qualifier)
                if let mistake = mistake(again, key, member) { return "step \(number), again: \(mistake)" }
            case .read(let key, let member):
                let part = try? wrappers[member.rawValue][key].resolved()
                if let mistake = mistake(part, key, member) { return "step \(number), wrapper: \(mistake)" }
            }
        }
        return nil
    }

    private func isPrototype(_ key: Int, _ member: Member) -> Bool {
        registration(of: key, in: member)?.registration.lifetime == .prototype
    }

    private func mistake(_ part: FamilyPart?, _ key: Int, _ member: Member) -> String? {
        let expected = expected(key, member)
        if part?.text != expected { return "\(part?.text ?? "an error") instead of \(expected ?? "an error")" }
        if part?.hasEnded == true { return "\(part?.text ?? "") has been disposed of" }
        return nil
    }
}
