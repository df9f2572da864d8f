/// A problem with a file or folder of settings, apart from the file's content.
public enum FileProblem: Error, Sendable, Hashable {
    /// The file does not exist.
    case noFile
    /// The folder does not exist.
    case noFolder
    /// A file was expected, but there is a folder.
    case folderInsteadOfFile
    /// A list of files contains a folder.
    case folderInListOfFiles
    /// The file has no text.
    case empty
    /// A folder was expected, but there is something else.
    case noFolderButAFile
    /// The folder that settings are loaded from does not exist. The value is the path that was searched. Another folder
    /// may have been meant.
    case noSettingsFolder(String, near: String? = nil)
    /// A file that settings are loaded from does not exist. The values are the files with a similar path, the JSON
    /// files of its folder, whether it is the base file of a folder, and a file in another format that may have been
    /// meant.
    case noSettingsFile(near: [String], existing: [String], isBase: Bool, misnamed: String? = nil)
    /// A link leads to something that does not exist.
    case danglingLink(target: String)
    /// A file was expected, but there is a pipe, a socket, or a device.
    case noRegularFile(found: String)
    /// The path contains a null character, which would end it for the system.
    case nullCharacter
    /// The system refuses to read it. The value is the system's message.
    case unreadable(String)
    /// The file has more bytes than the limit.
    case tooLarge(bytes: Int)
    /// With this file, all files of the load together have more bytes than the limit.
    case loadTooLarge(bytes: Int)
    /// The paths of all values together are longer than the limit.
    case pathsTooLong(bytes: Int)
    /// A URL is not a file URL.
    case notAFileURL
    /// The file is JSON, but not an object.
    case rootIsNoObject(found: String)
    /// A tree created in code has more levels than a file may have.
    case nestedTooDeeply

    /// The folder has more entries than the limit.
    case folderTooLarge
    /// A directory with one file per setting does not exist. The value is the path that was searched.
    case noDirectory(String)
    /// A link in a directory leads outside of it.
    case linkLeadsOut(target: String)
    /// The directories have more files and folders than the limit.
    case tooManyFiles
    /// Folders are nested too deeply.
    case foldersTooDeep
    /// The mounted volume keeps changing while it is read.
    case changesAllTheTime
    /// The file is not text.
    case notUTF8
    /// The file contains a null character.
    case holdsNullCharacter
    /// The name of the file cannot be the name of a setting.
    case namesNoSetting
    /// The name of the file is not UTF-8, so no setting and no placeholder can have it.
    case nameIsNotUTF8
    /// Another file is for the same setting, or for a part of it.
    case sameSetting(setting: String, file: String)
    /// The file is for an array or object, but the text of such a file is never parsed as JSON.
    case neverJSON(expected: String)
    /// The list of folders is empty.
    case noFolders
    /// The variable that chooses the folders is empty. The item is the number of the empty one, from 1, if there are
    /// several.
    case noFolderInVariable(String, item: Int?)
    /// A folder that a variable chooses does not exist. The second value is the path that was searched.
    case noFolderOfVariable(String, String)

    /// The same problem for a file with a single setting, which has a smaller limit.
    var ofDirectoryFile: FileProblem {
        self == .tooLarge(bytes: Limits.fileBytes) ? .tooLarge(bytes: Limits.directoryFileBytes) : self
    }

    var message: String {
        switch self {
        case .noFile: "there is no such file"
        case .noFolder: "there is no such folder"
        case .noSettingsFolder(let path, let near?):
            "there is no such folder; did you mean \(near)? It was looked for at \(path)"
        case .noSettingsFolder(let path, nil) where path.contains("/~/"):
            "there is no such folder; it was looked for at \(path). A program does not replace ~ as a shell does; give an "
                + "absolute path"
        case .noSettingsFolder(let path, nil):
            "there is no such folder; it was looked for at \(path). Copy it there (in a container, into the image), "
                + "start the program in the folder that contains it, or give an absolute path or the URL of a folder in the bundle"
        case .noSettingsFile([], _, _, let misnamed?):
            "there is no such file; did you mean \(misnamed)? write it in JSON"
        case .noSettingsFile([], let existing, let isBase, nil):
            "there is no such file; its folder has \(Self.list(existing)). "
                + (isBase
                    ? "Add it (an empty object {} will do), or list the files to load: files: […]"
                    : "Correct the path, or add the file")
        case .noSettingsFile(let near, _, _, _): "there is no such file\(NearNames.question(near))"
        case .danglingLink(let target): "it is a link to \(target), which does not exist"
        case .noRegularFile(let found): "expected a file, found \(found)"
        case .nullCharacter: "the path has a null character"
        case .folderInsteadOfFile: "expected a file, found a folder"
        case .folderInListOfFiles: "expected a file, found a folder; pass it as `from:` instead of `files:`"
        case .empty: "the file is empty; write {}"
        case .noFolderButAFile: "expected a folder, found a file; give the folder that contains it"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .tooLarge(let bytes): "expected a file of at most \(bytes >> 20) MiB, found a larger one"
        case .loadTooLarge(let bytes): "expected at most \(bytes >> 20) MiB in all files together, found more"
        case .pathsTooLong(let bytes):
            "expected at most \(bytes >> 20) MiB in the paths of all values together, found more: many values are "
                + "deeply nested below long keys"
        case .notAFileURL: "expected the URL of a file"
        case .rootIsNoObject(let found): "expected an object, found \(found)"
        case .folderTooLarge: "expected at most \(Limits.folderEntries) files in the folder, found more"
        case .noDirectory(let path):
            "there is no such directory; it was looked for at \(path). Mount it there, or allow it to be missing: "
                + ".directory(…, optional: true)"
        case .linkLeadsOut(let target):
            "it is a link to \(target), outside of the directory; put the file itself there"
        case .tooManyFiles:
            "expected at most \(Limits.directoryEntries) files and folders in all directories together, found more"
        case .foldersTooDeep: "expected at most \(Limits.directoryDepth) nested folders, found more"
        case .changesAllTheTime: "its files were replaced each time they were read; load again"
        case .notUTF8: "expected text in UTF-8, found other bytes"
        case .holdsNullCharacter: "expected text, found a null character"
        case .namesNoSetting:
            "the name is not that of a setting: expected a path such as server.port, or SERVER__PORT; "
                + "a file that is not a setting has a name that begins with a dot"
        case .nameIsNotUTF8: "the name is not UTF-8; rename it"
        case .sameSetting(let setting, let file): "\(setting) has another file, \(file); remove one of them"
        case .neverJSON(let expected):
            "expected \(expected), found the text of a file, which is not read as JSON; give each part a file of its own"
        case .noFolders: "the list of folders is empty; name a folder"
        case .noFolderInVariable(let variable, nil):
            "the environment variable \(variable) is empty; set it to a folder, or unset it"
        case .noFolderInVariable(let variable, let item?):
            "item \(item) of the environment variable \(variable) is empty"
        case .noFolderOfVariable(let variable, let path):
            "there is no such folder; the environment variable \(variable) names it, and it was looked for at \(path)"
        case .nestedTooDeeply: "expected at most \(Limits.nesting) levels of arrays and objects, found more"
        }
    }

    /// Returns the first names of a folder's JSON files, and the number of the others.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).joined(separator: ", ")
        let others = names.count - 5
        if names.isEmpty { return "no JSON files" }
        return others > 0 ? "\(shown) and \(others) other\(others == 1 ? "" : "s")" : shown
    }
}
