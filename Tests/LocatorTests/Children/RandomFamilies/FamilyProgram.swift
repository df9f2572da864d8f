import TestSupport

/// A random program over a family of contexts: modules as data, and steps.
///
/// Contexts have numbers: a parent, its child, a child of that, and two visitors, which the program opens and ends.
struct FamilyProgram {
    static let keyCount = 5
    static let memberCount = 3
    static let visitors = [3, 4]

    var modules: [FamilyModule]
    /// Whether the contexts load and push the same modules, or each has its own ones with the same registrations.
    let sharesModules: Bool
    /// Whether an observer of the parent is registered.
    let isObserved: Bool
    /// The settings of the parent's file at the start.
    let file: [Int: Int]
    var steps: [FamilyStep]
}

/// A module.
struct FamilyModule {
    var registrations: [FamilyRegistration] = []
    /// Aliases of keys: an alias and the key of a registration of this module.
    var aliases: [Int: Int] = [:]
    var decorators: [FamilyDecorator] = []
    /// Whether collections omit the registrations behind this module.
    var replacesAll = false
    /// The values of settings, by number: keys that they name as qualifiers.
    var settings: [Int: Int] = [:]
    var condition: FamilyCondition?
}

/// A condition: a setting has a value.
struct FamilyCondition {
    let setting: Int
    let value: Int
}

struct FamilyRegistration {
    enum Lifetime: CaseIterable {
        case singleton, request, session, weak, graph, prototype
    }

    let key: Int
    let lifetime: Lifetime
    /// What the factory closure takes as parameters.
    var parameters: [FamilyRead]
    /// What it reads while it runs.
    var reads: [FamilyRead]
    /// What an injection reads.
    var injections: [FamilyRead]
}

struct FamilyDecorator {
    let key: Int
    var reads: [FamilyRead]
}

/// What a factory closure reads: a key before its own, or a setting.
struct FamilyRead {
    enum Kind: CaseIterable {
        case one, optional, all
    }

    enum Way: CaseIterable {
        case resolver, wrapper, wrapperOfMember, contextOfMember, setting, wrapperOfSetting, settingOfMember,
            qualifierOfSetting

        /// The context that answers.
        func place(_ own: Int, _ member: Int) -> Int {
            switch self {
            case .resolver, .wrapper, .setting, .wrapperOfSetting, .qualifierOfSetting: own
            case .wrapperOfMember, .contextOfMember, .settingOfMember: member
            }
        }

        /// The ways that read the context of the request, in the state of the request.
        static let ofOwnContext: [Way] = [.resolver, .wrapper, .setting, .wrapperOfSetting, .qualifierOfSetting]
    }

    let key: Int
    var kind = Kind.one
    var way = Way.resolver
    var member = 0
    var isCaught = false

    var setting: Int { key % 2 }
    var path: String { "s\(setting)" }
}

enum FamilyStep {
    case push(Int, Int)
    case pop(Int)
    case load(Int)
    case unload(Int)
    case reload([Int: Int])
    case reset(String?, Int)
    case pushAndPop(Int, Int, asked: Int, Int)
    case resolve(Int, FamilyRead.Kind, Int)
    case read(Int, FamilyRead.Kind, Int)
    case resolveAll(Int)
    case fork(Int, asked: Int)
    /// Opens a visitor below a context, and replaces the one that is open.
    case open(Int, below: Int, opensRequest: Bool, pushing: [Int])
    case end(Int)
    /// A request during which another thread makes a change, while the given number of closures have run.
    indirect case overtake(FamilyStep, after: Int, FamilyRead, Int)
}

// MARK: Generating

/// The parts of a program that some programs omit, so that each is tested with and without the others.
private struct FamilyFeatures: OptionSet {
    let rawValue: Int

    static let kinds = FamilyFeatures(rawValue: 1)
    static let aliases = FamilyFeatures(rawValue: 2)
    static let decorators = FamilyFeatures(rawValue: 4)
    static let conditions = FamilyFeatures(rawValue: 8)
    static let parameters = FamilyFeatures(rawValue: 16)
    static let injections = FamilyFeatures(rawValue: 32)
    static let visitors = FamilyFeatures(rawValue: 64)
    static let files = FamilyFeatures(rawValue: 128)
    static let unretained = FamilyFeatures(rawValue: 256)
    static let membersAsParts = FamilyFeatures(rawValue: 512)
    static let replacing = FamilyFeatures(rawValue: 1024)
    static let observers = FamilyFeatures(rawValue: 2048)
    static let overtaking = FamilyFeatures(rawValue: 4096)
}

extension FamilyProgram {
    init(using generator: inout some RandomNumberGenerator) {
        let features = FamilyFeatures(rawValue: Int.random(in: 0..<8192, using: &generator))
        sharesModules = Bool.random(using: &generator)
        isObserved = features.contains(.observers) && Bool.random(using: &generator)
        modules = (0..<4).map { number in
            FamilyModule(isFirst: number == 0, features: features, using: &generator)
        }
        file = features.contains(.files) ? Self.settings(2, using: &generator) : [:]
        steps = (0..<Int.random(in: 5...30, using: &generator)).map { _ in
            Self.step(features: features, using: &generator)
        }
    }

    fileprivate static func settings(_ density: Int, using generator: inout some RandomNumberGenerator) -> [Int: Int] {
        let numbers = (0..<2).filter { _ in Int.random(in: 0..<4, using: &generator) < density }
        return Dictionary(uniqueKeysWithValues: numbers.map { ($0, Int.random(in: 0..<2, using: &generator)) })
    }

    private static func step(
        features: FamilyFeatures, using generator: inout some RandomNumberGenerator
    ) -> FamilyStep {
        let contextCount = features.contains(.visitors) ? memberCount + visitors.count : memberCount
        func context() -> Int { Int.random(in: 0..<contextCount, using: &generator) }
        let key = Int.random(in: 0..<keyCount, using: &generator)
        let module = Int.random(in: 1..<4, using: &generator)
        let kind = features.contains(.kinds) ? FamilyRead.Kind.allCases.randomElement(using: &generator) ?? .one : .one
        if features.contains(.visitors), Int.random(in: 0..<6, using: &generator) == 0 {
            let visitor = visitors.randomElement(using: &generator) ?? 3
            if Int.random(in: 0..<4, using: &generator) == 0 { return .end(visitor) }
            let pushing = (0..<2).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
            return .open(
                visitor, below: Int.random(in: 0..<memberCount, using: &generator),
                opensRequest: Bool.random(using: &generator), pushing: pushing.map { (module + $0) % 3 + 1 })
        }
        if features.contains(.overtaking), Int.random(in: 0..<3, using: &generator) == 0 {
            let change = change(context(), module, features: features, using: &generator)
            let after = Int.random(in: 0..<4, using: &generator)
            return .overtake(change, after: after, FamilyRead(key: key, kind: kind), context())
        }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<4: return .push(module, context())
        case 4..<7: return .pop(context())
        case 7: return features.contains(.files) ? .reload(settings(2, using: &generator)) : .load(module)
        case 8: return Bool.random(using: &generator) ? .load(module) : .unload(module)
        case 9: return .reset(["request", "session", nil].randomElement(using: &generator) ?? nil, context())
        case 10, 11: return .pushAndPop(module, context(), asked: key, context())
        case 12..<16: return .resolve(key, kind, context())
        case 16 where features.contains(.kinds): return .resolveAll(context())
        case 17 where features.contains(.visitors): return .fork(context(), asked: key)
        default: return .read(key, kind, context())
        }
    }

    private static func change(
        _ context: Int, _ module: Int, features: FamilyFeatures, using generator: inout some RandomNumberGenerator
    ) -> FamilyStep {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4: .push(module, context)
        case 4..<7: .pop(context)
        case 7: .reset(["request", "session", nil].randomElement(using: &generator) ?? nil, context)
        case 8 where features.contains(.files): .reload(settings(2, using: &generator))
        case 8: .load(module)
        default: .unload(module)
        }
    }
}

extension FamilyModule {
    fileprivate init(isFirst: Bool, features: FamilyFeatures, using generator: inout some RandomNumberGenerator) {
        for key in 0..<FamilyProgram.keyCount {
            let number = Int.random(in: 0..<10, using: &generator)
            if number < (isFirst ? 8 : 4) {
                registrations.append(FamilyRegistration(key, features: features, using: &generator))
            } else if number == 9, features.contains(.aliases),
                let target = registrations.randomElement(using: &generator)
            {
                aliases[key] = target.key
            }
            if features.contains(.decorators), Int.random(in: 0..<8, using: &generator) == 0 {
                let reads = FamilyRead.list(2, below: key, anyMember: false, features: features, using: &generator)
                decorators.append(FamilyDecorator(key: key, reads: reads))
            }
        }
        settings = FamilyProgram.settings(isFirst ? 3 : 1, using: &generator)
        if isFirst { return }
        replacesAll = features.contains(.replacing) && Int.random(in: 0..<4, using: &generator) == 0
        if features.contains(.conditions), Int.random(in: 0..<3, using: &generator) == 0 {
            condition = FamilyCondition(
                setting: Int.random(in: 0..<2, using: &generator), value: Int.random(in: 0..<2, using: &generator))
        }
    }
}

extension FamilyRegistration {
    fileprivate init(_ key: Int, features: FamilyFeatures, using generator: inout some RandomNumberGenerator) {
        self.key = key
        let lifetimes: [Lifetime] =
            features.contains(.unretained) ? Lifetime.allCases : [.singleton, .request, .session, .prototype]
        lifetime = lifetimes.randomElement(using: &generator) ?? .singleton
        let isShared = lifetime != .prototype && lifetime != .graph
        parameters = []
        if features.contains(.parameters), Bool.random(using: &generator), key > 0 {
            let isSingle = Int.random(in: 0..<3, using: &generator) > 0
            for _ in 0..<(isSingle ? 1 : 2) {
                var parameter = FamilyRead(key: Int.random(in: 0..<key, using: &generator))
                if isSingle, features.contains(.kinds) {
                    parameter.kind = FamilyRead.Kind.allCases.randomElement(using: &generator) ?? .one
                }
                parameters.append(parameter)
            }
        }
        reads = FamilyRead.list(
            parameters.isEmpty ? 2 : 1, below: key, anyMember: isShared, features: features, using: &generator)
        injections = []
        // The injections of unshared instances run at the end of the outermost request of their context. What another
        // context has made from them by then does not wait for them.
        let mayInject = features.contains(.injections) && (isShared || !features.contains(.membersAsParts))
        if mayInject, Int.random(in: 0..<4, using: &generator) == 0 {
            // Injections close cycles, but only of shared instances of one context.
            let isInCycle = isShared && features.isDisjoint(with: [.unretained, .membersAsParts])
            let limit = isInCycle ? FamilyProgram.keyCount : key
            injections = FamilyRead.list(2, below: limit, anyMember: isShared, features: features, using: &generator)
            for index in injections.indices { injections[index].isCaught = true }
        }
    }
}

extension FamilyRead {
    fileprivate static func list(
        _ limit: Int, below key: Int, anyMember: Bool, features: FamilyFeatures,
        using generator: inout some RandomNumberGenerator
    ) -> [FamilyRead] {
        if key == 0 { return [] }
        return (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            var read = FamilyRead(key: Int.random(in: 0..<key, using: &generator))
            let ways = features.contains(.overtaking) ? Way.ofOwnContext : Way.allCases
            read.way = ways.randomElement(using: &generator) ?? .resolver
            // A setting names the key 0 or 1.
            if read.way == .qualifierOfSetting, key < 2 { read.way = .setting }
            // A wrapper follows its context and those above, and keeps what is not shared until one of them changes.
            if anyMember, features.contains(.membersAsParts) {
                read.member = Int.random(in: 0..<FamilyProgram.memberCount, using: &generator)
            }
            if features.contains(.kinds), Bool.random(using: &generator) {
                read.kind = Kind.allCases.randomElement(using: &generator) ?? .one
            }
            read.isCaught = Int.random(in: 0..<4, using: &generator) == 0
            return read
        }
    }
}

// MARK: Shrinking

extension FamilyProgram {
    /// The program without the parts that are not needed for the failure.
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
        func attempt(eachOf part: WritableKeyPath<FamilyProgram, [some Any]>) throws {
            for index in small[keyPath: part].indices.reversed() {
                try attempt { $0[keyPath: part].remove(at: index) }
            }
        }
        while hasChanged {
            hasChanged = false
            try attempt(eachOf: \.steps)
            for module in small.modules.indices {
                for number in small.modules[module].settings.keys {
                    try attempt { $0.modules[module].settings[number] = nil }
                }
                for key in small.modules[module].aliases.keys { try attempt { $0.modules[module].aliases[key] = nil } }
                if small.modules[module].replacesAll { try attempt { $0.modules[module].replacesAll = false } }
                if small.modules[module].condition != nil { try attempt { $0.modules[module].condition = nil } }
                try attempt(eachOf: \.modules[module].decorators)
                for index in small.modules[module].decorators.indices {
                    try attempt(eachOf: \.modules[module].decorators[index].reads)
                }
                try attempt(eachOf: \.modules[module].registrations)
                for index in small.modules[module].registrations.indices {
                    try attempt(eachOf: \.modules[module].registrations[index].parameters)
                    try attempt(eachOf: \.modules[module].registrations[index].reads)
                    try attempt(eachOf: \.modules[module].registrations[index].injections)
                }
            }
        }
        return small
    }
}

// MARK: Describing

extension FamilyProgram: CustomStringConvertible {
    var description: String {
        let title =
            "Each context has \(sharesModules ? "the same modules" : "modules of its own")"
            + (isObserved ? ", observed" : "") + (file.isEmpty ? "" : ", file \(file)") + ":"
        return
            ([title] + modules.enumerated().map { "\($0): \($1)" } + ["Steps:"]
            + steps.enumerated().map { "\($0): \($1)" }).joined(separator: "\n")
    }
}

extension FamilyModule: CustomStringConvertible {
    var description: String {
        var parts = registrations.map(\.description)
        if let condition { parts.insert("if s\(condition.setting) is \(condition.value)", at: 0) }
        if replacesAll { parts.append("replaces all") }
        if !settings.isEmpty { parts.append("settings \(settings)") }
        parts += aliases.map { "\($0) is an alias of \($1)" }
        parts += decorators.map { "decorator of \($0.key) of \($0.reads)" }
        return parts.joined(separator: ", ")
    }
}

extension FamilyRegistration: CustomStringConvertible {
    var description: String {
        "\(key) \(lifetime)" + (parameters.isEmpty ? "" : " from \(parameters)") + (reads.isEmpty ? "" : " of \(reads)")
            + (injections.isEmpty ? "" : " injecting \(injections)")
    }
}

extension FamilyRead: CustomStringConvertible {
    var description: String {
        let what = kind == .one ? "\(key)" : "\(kind) \(key)"
        let place =
            switch way {
            case .resolver: ""
            case .wrapper: " by wrapper"
            case .wrapperOfMember: " by wrapper of \(member)"
            case .contextOfMember: " of \(member)"
            case .setting: " as a setting"
            case .wrapperOfSetting: " by wrapper of the setting"
            case .settingOfMember: " as a setting of \(member)"
            case .qualifierOfSetting: " whose setting is the key"
            }
        return "\(what)\(place)\(isCaught ? ", caught" : "")"
    }
}
