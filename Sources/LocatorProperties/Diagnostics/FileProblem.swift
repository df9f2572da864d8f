/// What is wrong with a file or folder of properties, apart from what is written in it.
public enum FileProblem: Error, Sendable, Hashable {
    /// The file does not exist.
    case noFile
    /// The folder does not exist.
    case noFolder
    /// There is a folder where a file should be.
    case folderInsteadOfFile
    /// There is something else where a folder should be.
    case noFolderButAFile
    /// The folder that settings are loaded from does not exist; where it was looked for.
    case noSettingsFolder(String)
    /// A link leads to something that does not exist.
    case danglingLink(target: String)
    /// There is a pipe, a socket or a device where a file should be.
    case noRegularFile(found: String)
    /// The path has a character that ends it for the system.
    case nullCharacter
    /// The system does not let it be read; its own words.
    case unreadable(String)
    /// The file has more bytes than are read.
    case tooLarge(bytes: Int)
    /// With this file, the files of one load have more bytes together than are read.
    case loadTooLarge(bytes: Int)
    /// The paths of all values are longer together than is kept.
    case pathsTooLong(bytes: Int)
    /// A URL leads somewhere else than to a file.
    case notAFileURL
    /// The file is JSON, but no object.
    case rootIsNoObject(found: String)
    /// A tree made in code has more levels than a file may have.
    case nestedTooDeeply

    /// The problem of a folder that settings are loaded from, which is worth more words.
    package func ofSettings(in folder: String) -> FileProblem {
        self == .noFolder ? .noSettingsFolder(FileSystem.absolute(folder)) : self
    }

    /// The problem in words.
    var message: String {
        switch self {
        case .noFile: "there is no such file"
        case .noFolder: "there is no such folder"
        case .noSettingsFolder(let path):
            "there is no such folder; it was looked for at \(path). Copy it there (into the image of a container, too), "
                + "start the program in the folder above it, or give an absolute path or the URL of a folder in the bundle"
        case .danglingLink(let target): "it is a link to \(target), which does not exist"
        case .noRegularFile(let found): "expected a file, found \(found)"
        case .nullCharacter: "the path has a null character"
        case .folderInsteadOfFile: "expected a file, found a folder"
        case .noFolderButAFile: "expected a folder, found a file"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .tooLarge(let bytes): "expected a file of at most \(bytes >> 20) MiB, found a larger one"
        case .loadTooLarge(let bytes): "expected at most \(bytes >> 20) MiB in all files together, found more"
        case .pathsTooLong(let bytes):
            "expected at most \(bytes >> 20) MiB in the paths of all values together, found more: many values lie deep, "
                + "below long keys"
        case .notAFileURL: "expected the URL of a file"
        case .rootIsNoObject(let found): "expected an object, found \(found)"
        case .nestedTooDeeply: "expected at most \(JSONValue.nestingLimit) levels of arrays and objects, found more"
        }
    }
}
