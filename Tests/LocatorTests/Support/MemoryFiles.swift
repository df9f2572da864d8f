import Dispatch
import LocatorProperties

/// A folder `Config` in memory, whose `application.json` can be replaced.
final class MemoryFiles: @unchecked Sendable {
    // Sendable: `text` and `action` are touched on the serial queue alone.

    private let queue = DispatchQueue(label: "MemoryFiles")
    private var text: String
    private var action: @Sendable () -> Void = {}

    init(_ text: String) {
        self.text = text
    }

    /// The text of `application.json`.
    var content: String {
        get { queue.sync { text } }
        set { queue.sync { text = newValue } }
    }

    /// Runs whenever the file is read.
    var whileReading: @Sendable () -> Void {
        get { queue.sync { action } }
        set { queue.sync { action = newValue } }
    }

    /// A source of properties that reads this folder.
    var source: PropertiesSource {
        var source = PropertiesSource(.folder("Config"), profiles: [], environment: [:])
        source.fileSystem = FileSystem(
            read: { [self] path throws(FileProblem) in
                guard path == "Config/application.json" else { throw .noFile }
                whileReading()
                return Array(content.utf8)
            },
            list: { _ throws(FileProblem) in ["application.json"] })
        return source
    }
}
