import Locator
import Testing

/// A push sets aside the instances that it affects, however they read it.
///
/// The pop brings back the identical objects.
@Suite struct ExactReadTests {
    @Test(arguments: ReadKind.keys + ReadKind.values)
    func push_setsAside_whatReadsSomethingElse(_ kind: ReadKind) throws {
        for (module, text) in kind.affecting {
            let disposals = Tally<String>()
            let context = try kind.context(disposals)
            let original = try context.resolve(Subject.self)
            #expect(try context.resolve(Subject.self) === original)

            try context.push(module)
            #expect(context.existing(Subject.self) == nil, "still there under \(module)")
            let replacement = try context.resolve(Subject.self)
            #expect(replacement !== original)
            #expect(replacement.text == text)
            #expect(try context.resolve(Subject.self) === replacement)
            #expect(disposals.take() == [])

            context.pop()
            #expect(disposals.take() == [text])
            #expect(context.existing(Subject.self) === original)
            #expect(try context.resolve(Subject.self) === original)
        }
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func push_leaves_whatReadsTheSame(_ kind: ReadKind) throws {
        for module in kind.unrelated {
            let disposals = Tally<String>()
            let context = try kind.context(disposals)
            let original = try context.resolve(Subject.self)

            try context.push(module)
            #expect(context.existing(Subject.self) === original, "not there under \(module)")
            #expect(try context.resolve(Subject.self) === original)
            context.pop()
            #expect(try context.resolve(Subject.self) === original)
            #expect(disposals.take() == [])
        }
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func pop_keeps_whatWasMadeUnderAPushThatDoesNotAffectIt(_ kind: ReadKind) throws {
        for module in kind.unrelated {
            let disposals = Tally<String>()
            let context = try kind.context(disposals)
            try context.push(module)
            let made = try context.resolve(Subject.self)
            context.pop()
            #expect(try context.resolve(Subject.self) === made)
            #expect(disposals.take() == [])
        }
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func pop_bringsBack_inAnyNestingAndOrder(_ kind: ReadKind) throws {
        for (module, text) in kind.affecting {
            for other in kind.unrelated + [Module("Empty")] {
                let disposals = Tally<String>()
                let context = try kind.context(disposals)
                let original = try context.resolve(Subject.self)
                try context.push(module, other)
                #expect(try context.resolve(Subject.self).text == text)
                try context.pop(other)
                #expect(try context.resolve(Subject.self).text == text)
                #expect(disposals.take() == [])
                try context.pop(module)
                #expect(disposals.take() == [text])
                #expect(try context.resolve(Subject.self) === original)

                try context.push(other, module)
                _ = try context.resolve(Subject.self)
                try context.pop(module)
                #expect(try context.resolve(Subject.self) === original)
                context.pop()
                #expect(try context.resolve(Subject.self) === original)
            }
        }
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func wrapper_followsEveryPush_andComesBack(_ kind: ReadKind) throws {
        for (module, text) in kind.affecting {
            let context = try kind.context(Tally())
            let wrapper = AppContext.withContext(context) { Dependency<Subject>() }
            let original = wrapper()
            #expect(wrapper() === original)
            try context.push(module)
            #expect(wrapper().text == text)
            #expect(try context.resolve(Subject.self) === wrapper())
            context.pop()
            #expect(wrapper() === original)
        }
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func reset_disposesAtOnce_liveAndSetAside(_ kind: ReadKind) throws {
        guard let (module, text) = kind.affecting.first else { return }
        let disposals = Tally<String>()
        let context = try kind.context(disposals)
        let original = try context.resolve(Subject.self)
        try context.push(module)
        _ = try context.resolve(Subject.self)
        try context.reset()
        #expect(disposals.take() == [text, original.text])
        context.pop()
        #expect(disposals.take() == [])
        #expect(try context.resolve(Subject.self) !== original)
        #expect(try context.resolve(Subject.self).text == original.text)
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func unload_disposes_whatWasMadeFromTheModule(_ kind: ReadKind) throws {
        for (module, text) in kind.affecting {
            let disposals = Tally<String>()
            let context = try kind.context(disposals)
            let original = try context.resolve(Subject.self)
            try context.load(module, priority: .high)
            #expect(try context.resolve(Subject.self).text == text)
            #expect(disposals.take() == [])
            try context.unload(module)
            #expect(disposals.take() == [text])
            #expect(try context.resolve(Subject.self) === original)
        }
    }

    @Test(arguments: ReadKind.keys + ReadKind.values)
    func unloadAll_disposesOnce(_ kind: ReadKind) throws {
        guard let (module, text) = kind.affecting.first else { return }
        let disposals = Tally<String>()
        let context = try kind.context(disposals)
        let original = try context.resolve(Subject.self).text
        try context.push(module)
        _ = try context.resolve(Subject.self)
        try context.unloadAll()
        #expect(disposals.take() == [text, original])
    }
}
