extension PropertiesSource {
    /// The profiles that have a file in the folders; nil if files are named, so that a profile needs none.
    package var profilesWithFiles: [String]? { folders(choice: chosenFolders).map(profiles) }

    /// The folders to read, where the variable for them chooses these; nil if files are named.
    func folders(choice: (folders: [String], variable: String)?) -> [Folder]? {
        switch (choice, files) {
        case ((let chosen, let variable)?, _): Folder.all(chosen, chosenBy: variable)
        case (nil, .folder(let folder)): Folder.all([folder])
        case (nil, .folders(let list)): Folder.all(list)
        case (nil, .files): nil
        }
    }

    /// The profiles that have a file in folders.
    func profiles(in folders: [Folder]) -> [String] {
        let names = folders.flatMap { (try? fileSystem.list($0.listed)) ?? [] }
        return names.compactMap(Self.profile(ofFile:)).filter(ProfileList.isName)
    }
}
