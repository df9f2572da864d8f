extension ModelProgram {
    /// Returns a smaller program that also differs from the reference.
    ///
    /// It removes steps, then registrations, then reads, as long as the difference remains.
    func shrunk(_ fails: (ModelProgram) async -> Bool) async -> ModelProgram {
        var best = self
        var isSmaller = true
        while isSmaller {
            isSmaller = await best.leaveOutSteps(fails)
            for candidate in best.smallerModules {
                guard await fails(candidate) else { continue }
                best = candidate
                isSmaller = true
                break
            }
        }
        return best
    }

    private mutating func leaveOutSteps(_ fails: (ModelProgram) async -> Bool) async -> Bool {
        var isSmaller = false
        var length = max(steps.count / 2, 1)
        while length >= 1 {
            var start = 0
            while start + length <= steps.count {
                var candidate = self
                candidate.steps.removeSubrange(start..<start + length)
                if await fails(candidate) {
                    self = candidate
                    isSmaller = true
                } else {
                    start += length
                }
            }
            length /= 2
        }
        return isSmaller
    }

    /// Programs without one part of one module.
    private var smallerModules: [ModelProgram] {
        modules.indices.flatMap { index in
            modules[index].smaller.map { module in
                var program = self
                program.modules[index] = module
                return program
            }
        }
    }
}

extension ModuleSpec {
    fileprivate var smaller: [ModuleSpec] {
        var smaller: [ModuleSpec] = []
        func without<Element>(_ list: WritableKeyPath<ModuleSpec, [Element]>) {
            for index in self[keyPath: list].indices {
                var copy = self
                copy[keyPath: list].remove(at: index)
                smaller.append(copy)
            }
        }
        without(\.registrations)
        without(\.decorators)
        without(\.factories)
        without(\.replaced)
        without(\.included)
        for path in properties.keys.sorted() {
            var copy = self
            copy.properties[path] = nil
            smaller.append(copy)
        }
        if condition != nil {
            var copy = self
            copy.condition = nil
            smaller.append(copy)
        }
        for index in registrations.indices {
            for registration in registrations[index].smaller {
                var copy = self
                copy.registrations[index] = registration
                smaller.append(copy)
            }
        }
        for index in decorators.indices where !decorators[index].reads.isEmpty {
            var copy = self
            copy.decorators[index].reads.removeLast()
            smaller.append(copy)
        }
        for index in factories.indices where !factories[index].reads.isEmpty {
            var copy = self
            copy.factories[index].reads.removeLast()
            smaller.append(copy)
        }
        return smaller
    }
}

extension RegistrationSpec {
    fileprivate var smaller: [RegistrationSpec] {
        var smaller: [RegistrationSpec] = []
        func with(_ change: (inout RegistrationSpec) -> Void) {
            var copy = self
            change(&copy)
            if copy != self { smaller.append(copy) }
        }
        with { if !$0.reads.isEmpty { $0.reads.removeLast() } }
        with { if !$0.reads.isEmpty { $0.reads.removeFirst() } }
        with { if !$0.injections.isEmpty { $0.injections.removeLast() } }
        with { $0.aliases = [] }
        with { $0.peer = nil }
        // Asynchronous factory closures that read in their body need another feature.
        with { if !$0.isAsynchronous { $0.takesParameter = false } }
        with { $0.isPrimary = false }
        with { $0.flag = nil }
        with { $0.isAsynchronous = false }
        with { if !$0.isInput { $0.lifetime = .singleton } }
        return smaller
    }
}
