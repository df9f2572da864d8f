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
    /// The system does not let it be read; its own words.
    case unreadable(String)
    /// The file has more bytes than are read.
    case tooLarge(bytes: Int)
    /// With this file, the files of one load have more bytes together than are read.
    case loadTooLarge(bytes: Int)
    /// A URL leads somewhere else than to a file.
    case notAFileURL
    /// The file is JSON, but no object.
    case rootIsNoObject(found: String)
    /// A tree made in code has more levels than a file may have.
    case nestedTooDeeply

    /// The problem in words.
    var message: String {
        switch self {
        case .noFile: "there is no such file"
        case .noFolder: "there is no such folder"
        case .folderInsteadOfFile: "expected a file, found a folder"
        case .noFolderButAFile: "expected a folder, found a file"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .tooLarge(let bytes): "expected a file of at most \(bytes >> 20) MiB, found a larger one"
        case .loadTooLarge(let bytes): "expected at most \(bytes >> 20) MiB in all files together, found more"
        case .notAFileURL: "expected the URL of a file"
        case .rootIsNoObject(let found): "expected an object, found \(found)"
        case .nestedTooDeeply: "expected at most \(JSONValue.nestingLimit) levels of arrays and objects, found more"
        }
    }
}
