/// Computes from scratch what the contexts of a program return.
struct FamilyReference {
    let program: FamilyProgram
    /// The loaded modules, in lookup order.
    var loaded = [0]
    /// The settings of the parent's file.
    var file: [Int: Int]
    /// The context above each open one.
    var parents: [Int: Int] = [1: 0, 2: 1]
    /// The pushes of each open context, in order.
    var pushed: [Int: [Int]] = [0: [], 1: [], 2: []]

    init(_ program: FamilyProgram) {
        self.program = program
        file = program.file
    }

    func isOpen(_ context: Int) -> Bool { pushed[context] != nil }

    /// Closes a visitor.
    mutating func end(_ context: Int) {
        parents[context] = nil
        pushed[context] = nil
    }

    // MARK: Modules and settings

    /// A module as one context has it.
    struct Place: Hashable {
        let module: Int
        /// The context that loaded or pushed it; zero if all contexts share the module.
        let owner: Int
    }

    /// A context and those above it.
    private func line(of context: Int) -> [Int] { [context] + (parents[context].map(line) ?? []) }

    /// The modules of a context in lookup order, also those whose condition is false.
    private func places(in context: Int) -> [Place] {
        var places = line(of: context).flatMap { owner in
            (pushed[owner] ?? []).reversed().map { Place(module: $0, owner: program.sharesModules ? 0 : owner) }
        }
        places += loaded.map { Place(module: $0, owner: 0) }
        var seen: Set<Place> = []
        return places.filter { seen.insert($0).inserted }
    }

    private func setting(_ number: Int, in context: Int, of places: [Place]) -> Int? {
        let pushCount = Set(
            line(of: context).flatMap { owner in
                (pushed[owner] ?? []).map { Place(module: $0, owner: program.sharesModules ? 0 : owner) }
            }
        ).count
        // All pushes come first in lookup order, and then the file.
        let isPushed = self.places(in: context).prefix(pushCount)
        let layers =
            places.filter(isPushed.contains).map { program.modules[$0.module].settings } + [file]
            + places.filter { !isPushed.contains($0) }.map { program.modules[$0.module].settings }
        return layers.lazy.compactMap { $0[number] }.first
    }

    /// The modules of a context whose condition is true.
    private func modules(in context: Int) -> [Place] {
        let places = places(in: context)
        // A condition sees the modules without a condition.
        let unconditional = places.filter { program.modules[$0.module].condition == nil }
        return places.filter { place in
            guard let condition = program.modules[place.module].condition else { return true }
            return setting(condition.setting, in: context, of: unconditional) == condition.value
        }
    }

    func setting(_ number: Int, in context: Int) -> Int? { setting(number, in: context, of: modules(in: context)) }

    // MARK: Lookup

    /// What answers a request.
    indirect enum Slot: Hashable {
        case registration(Place, Int)
        case alias(Place, Int, of: Slot)
        case decorator(Place, number: Int, of: Slot)

        /// The slot without aliases.
        fileprivate var withoutAliases: Slot {
            switch self {
            case .registration: self
            case .alias(_, _, let target): target.withoutAliases
            case .decorator(let place, let number, let inner):
                .decorator(place, number: number, of: inner.withoutAliases)
            }
        }
    }

    private func registration(_ place: Place, _ key: Int) -> FamilyRegistration? {
        program.modules[place.module].registrations.first { $0.key == key }
    }

    private func has(_ place: Place, _ key: Int) -> Bool {
        registration(place, key) != nil || alias(place, key) != nil
    }

    /// The key of the registration for which an alias stands.
    private func alias(_ place: Place, _ key: Int) -> Int? {
        guard let target = program.modules[place.module].aliases[key], registration(place, key) == nil,
            registration(place, target) != nil
        else { return nil }
        return target
    }

    private func slot(for key: Int, among modules: [Place]) -> Slot? {
        modules.firstIndex { has($0, key) }.map { slot(for: key, at: $0, among: modules) }
    }

    private func slot(for key: Int, at index: Int, among modules: [Place]) -> Slot {
        let place = modules[index]
        guard let target = alias(place, key) else {
            return decorated(.registration(place, key), key, index, modules)
        }
        // An alias forwards to the key of its registration.
        let inner = slot(for: target, among: modules) ?? .registration(place, target)
        return decorated(.alias(place, key, of: inner), key, index, modules)
    }

    private func decorated(_ slot: Slot, _ key: Int, _ index: Int, _ modules: [Place]) -> Slot {
        var slot = slot
        for place in modules[...index].reversed() {
            for (number, decorator) in program.modules[place.module].decorators.enumerated() where decorator.key == key
            {
                slot = .decorator(place, number: number, of: slot)
            }
        }
        return slot
    }

    private func elements(of key: Int, among modules: [Place]) -> [Slot] {
        var slots: [Slot] = []
        for index in modules.indices {
            if has(modules[index], key) {
                let slot = slot(for: key, at: index, among: modules)
                if !slots.contains(where: { $0.withoutAliases == slot.withoutAliases }) { slots.append(slot) }
            }
            if program.modules[modules[index].module].replacesAll { break }
        }
        return slots
    }

    // MARK: Results

    /// What a request returns as text; nil if it fails.
    func text(of key: Int, _ kind: FamilyRead.Kind, in context: Int) -> String? {
        let modules = modules(in: context)
        switch kind {
        case .one: return slot(for: key, among: modules).flatMap { text(of: $0, in: context) }
        case .optional:
            guard let slot = slot(for: key, among: modules) else { return "none" }
            return text(of: slot, in: context)
        case .all: return list(elements(of: key, among: modules), in: context)
        }
    }

    /// What a request for the elements of all keys returns as text; nil if it fails.
    func textOfAll(in context: Int) -> String? {
        let modules = modules(in: context)
        var slots: [Slot] = []
        for index in modules.indices {
            let module = program.modules[modules[index].module]
            // A module's aliases follow the registrations that they were added to.
            for registration in module.registrations {
                let keys = [registration.key] + module.aliases.filter { $0.value == registration.key }.keys.sorted()
                for key in keys where key == registration.key || alias(modules[index], key) != nil {
                    let slot = slot(for: key, at: index, among: modules)
                    if !slots.contains(where: { $0.withoutAliases == slot.withoutAliases }) { slots.append(slot) }
                }
            }
            if module.replacesAll { break }
        }
        return list(slots, in: context)
    }

    private func list(_ slots: [Slot], in context: Int) -> String? {
        var texts: [String] = []
        for slot in slots {
            guard let text = text(of: slot, in: context) else { return nil }
            texts.append(text)
        }
        return "[\(texts.joined(separator: ","))]"
    }

    private func text(of slot: Slot, in context: Int) -> String? {
        switch slot {
        case .registration(let place, let key):
            guard let registration = registration(place, key) else { return nil }
            return text(of: registration.parameters + registration.reads, in: context).map {
                "\(place.module).\(key)\($0)"
            }
        case .alias(_, _, let target): return text(of: target, in: context)
        case .decorator(let place, let number, let inner):
            guard let inner = text(of: inner, in: context) else { return nil }
            let reads = program.modules[place.module].decorators[number].reads
            return text(of: reads, in: context).map { "d\(place.module){\(inner)}\($0)" }
        }
    }

    private func text(of reads: [FamilyRead], in context: Int) -> String? {
        var text = ""
        for read in reads {
            guard let part = self.text(of: read, in: context) ?? (read.isCaught ? "-" : nil) else { return nil }
            text += "(\(part))"
        }
        return text
    }

    private func text(of read: FamilyRead, in context: Int) -> String? {
        let place = read.way.place(context, read.member)
        switch read.way {
        case .resolver, .wrapper, .wrapperOfMember, .contextOfMember: return text(of: read.key, read.kind, in: place)
        case .setting, .wrapperOfSetting, .settingOfMember: return setting(read.setting, in: place).map(String.init)
        case .qualifierOfSetting:
            guard let key = setting(read.setting, in: place) else { return nil }
            return text(of: key, read.kind, in: place)
        }
    }

    /// The registration behind a request.
    func registration(for key: Int, in context: Int) -> FamilyRegistration? {
        func base(_ slot: Slot) -> FamilyRegistration? {
            switch slot {
            case .registration(let place, let key): registration(place, key)
            case .alias(_, _, let inner), .decorator(_, _, let inner): base(inner)
            }
        }
        return slot(for: key, among: modules(in: context)).flatMap(base)
    }

    /// What the injections of an instance have read, as text.
    func injected(for key: Int, in context: Int) -> String? {
        registration(for: key, in: context).flatMap { text(of: $0.injections, in: context) }
    }
}
