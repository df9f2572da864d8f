extension PropertiesSource {
    /// The profiles that have a file in the folders; nil if files are named, so that a profile needs none.
    package var profilesWithFiles: [String]? {
        let folders: [Folder]
        switch (chosenFolders, files) {
        case ((let chosen, let variable)?, _): folders = Folder.all(chosen, chosenBy: variable)
        case (nil, .folder(let folder)): folders = Folder.all([folder])
        case (nil, .folders(let list)): folders = Folder.all(list)
        case (nil, .files): return nil
        }
        let names = folders.flatMap { (try? fileSystem.list($0.listed)) ?? [] }
        return names.compactMap(Self.profile(ofFile:)).filter(ProfileList.isName)
    }
}
