import LocatorProperties
import TestSupport
import Testing

@Suite("A directory can be for placeholders only")
struct PlaceholderDirectoryTests {
    /// A disk whose base file takes the text of a file.
    private func disk(_ files: [String: String]) throws -> SettingsDisk {
        let disk = try SettingsDisk("{}", files)
        try disk.write(
            #"{"cert": "${file:\#(disk.secrets)/tls.crt}", "port": 1}"#, to: "Config/application.json")
        return disk
    }

    @Test("Its files are not settings and override none, regardless of their names")
    func files_areNotSettings() throws {
        // As settings, two of these would be an error, one would override another, and one is not a path.
        let disk = try disk([
            "tls.crt": "certificate\n", "tls": "x", "port": "2", "[a": "x", "locator.secrets[0]": "port",
        ])
        let properties = try disk.load(.directory(disk.secrets, settings: false))
        #expect(properties.description == #"{"cert":"<secret>","port":1}"#)
        #expect(try properties.value("cert", as: String.self) == "certificate")
        #expect(properties.explain("port").description == "port = 1\n  from application.json:1:\(column(of: disk)) 1")
    }

    private func column(of disk: SettingsDisk) -> Int {
        #"{"cert": "${file:/tls.crt}", "port": "#.count + disk.secrets.count + 1
    }

    @Test("By default, they are settings, including those that a placeholder reads")
    func files_areSettings() throws {
        let disk = try disk(["tls.crt": "certificate", "port": "2"])
        let properties = try disk.load(.directory(disk.secrets))
        #expect(properties.description == #"{"cert":"<secret>","port":"<secret>","tls":{"crt":"<secret>"}}"#)
    }

    @Test("It can be not secret, can be missing, and can be used next to directories of settings")
    func parameters_meanTheSame() throws {
        let disk = try disk(["tls.crt": "certificate"])
        let open = try disk.load(.directory(disk.secrets, secret: false, settings: false))
        #expect(open["cert"] == "certificate")
        let none = "\(disk.secrets)/none"
        #expect(
            try disk.load([
                .directory(none, optional: true, settings: false), .directory(disk.secrets, settings: false),
            ])["port"] == 1)
        #expect(disk.failure(.directory(none, settings: false)) != nil)
    }
}
