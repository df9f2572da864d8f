import Locator
import TestSupport
import Testing

@Suite("A cycle of injections that creates a new instance each time is an error that says how to end it")
struct InjectionCycleTests {
    private final class Editor: Sendable {
        let preview = Late<Preview>()
    }

    private final class Preview: Sendable {
        let editor: Late<Editor>

        init(editor: Editor? = nil) {
            self.editor = Late(editor)
        }
    }

    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Cycle", register))
    }

    @Test func prototypesThatInjectEachOther() throws {
        let context = try context { registry in
            registry.register(scope: .prototype, fileID: "Shop/Shop.swift", line: 2) { Editor() }
                .injecting { (editor, preview: Preview) in editor.preview.value = preview }
            registry.register(scope: .prototype, fileID: "Shop/Shop.swift", line: 3) { Preview() }
                .injecting { (preview, editor: Editor) in preview.editor.value = editor }
        }
        #expect(
            message { try context.resolve(Editor.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Shop.swift:2: Editor depends on itself
                  injecting into Editor (Shop/Shop.swift:2)
                  needs injecting into Preview (Shop/Shop.swift:3)
                  needs Editor (Shop/Shop.swift:2)
                  requested: Editor at Shop/Main.swift:9
                  fix: give one of them a shared scope, or resolve one of them lazily (Lazy<…> or a wrapper)
                """)
    }

    @Test func prototypeThatInjectsWhatNeedsIt() throws {
        let context = try context { registry in
            registry.register(scope: .prototype, fileID: "Shop/Shop.swift", line: 2) { Editor() }
                .injecting { (editor, preview: Preview) in editor.preview.value = preview }
            registry.register(scope: .prototype, fileID: "Shop/Shop.swift", line: 3) { (editor: Editor) in
                Preview(editor: editor)
            }
        }
        #expect(
            message { try context.resolve(Editor.self, fileID: "Shop/Main.swift", line: 9) }?.hasSuffix(
                "  fix: give one of them a shared scope, or resolve one of them lazily (Lazy<…> or a wrapper)") == true)
    }

    @Test("With a shared scope, the cycle ends, as the error says")
    func sharedScope_closesTheCycle() throws {
        let context = try context { registry in
            registry.register(scope: .graph) { Editor() }
                .injecting { (editor, preview: Preview) in editor.preview.value = preview }
            registry.register(scope: .prototype) { (editor: Editor) in Preview(editor: editor) }
        }
        let editor = try context.resolve(Editor.self)
        #expect(editor.preview.value?.editor.value === editor)
    }
}
