import LocatorProperties
import Testing

@Suite("A profile that was intended but not chosen is reported")
struct RequiredProfileTests {
    private func load(
        _ environment: [String: String], profiles: ProfileList? = nil, default defaults: ProfileList = [],
        requiresProfile: Bool = false
    ) throws -> Properties {
        var source = PropertiesSource(
            .folder("Config"), profiles: profiles, default: defaults, environment: environment,
            requiresProfile: requiresProfile)
        source.fileSystem = .inMemory([
            "Config/application.json": "{}", "Config/application-dev.json": "{}", "Config/application-prod.json": "{}",
        ])
        return try source.load()
    }

    @Test("If a profile is required, a load without one is an error")
    func profile_isRequired() throws {
        #expect(
            message { _ = try load([:], requiresProfile: true) }
                == "a profile is required, and none is chosen; set LOCATOR_PROFILE; profiles that exist: dev, prod")
        #expect(
            message { _ = try load([:], profiles: [], requiresProfile: true) }
                == "a profile is required, and none is chosen; profiles that exist: dev, prod")
        #expect(try load([:], default: "dev", requiresProfile: true).profiles == ["dev"])
        #expect(try load(["LOCATOR_PROFILE": "prod"], requiresProfile: true).profiles == ["prod"])
    }

    @Test(
        "A variable with nearly the right name is reported, unless another source chooses the profiles",
        arguments: [
            (["LOCATOR_PROFILES": "prod"], nil, "LOCATOR_PROFILES"),
            (["locator_profile": "prod"], nil, "locator_profile"),
            (["LOCATOR_PROFIL": "prod"], nil, "LOCATOR_PROFIL"),
            (["LOCATORPROFILE": "prod"], nil, "LOCATORPROFILE"),
            (["LOCATOR_PROFILES": "prod", "LOCATOR_PROFILE": "dev"], nil, nil),
            (["LOCATOR_PROFILES": "prod"], ["dev"], nil),
            (["LOCATOR": "x", "PROFILE": "prod"], nil, nil),
        ] as [([String: String], ProfileList?, String?)])
    func variable_isNearlyRight(environment: [String: String], profiles: ProfileList?, name: String?) throws {
        let warnings = try load(environment, profiles: profiles, default: "dev").profileWarnings
        #expect(
            warnings
                == (name.map { ["the environment variable \($0) chooses no profile; did you mean LOCATOR_PROFILE?"] }
                    ?? []))
    }

    @Test("A variable with the prefix of the overrides that names a profile does not choose it")
    func variable_hasThePrefix() throws {
        func warnings(_ environment: [String: String]) throws -> [String] {
            try LocatorPropertiesTests.load(
                ["": #"{"profile":"x"}"#, "prod": "{}"], environment: environment, prefix: "SHOP_"
            ).profileWarnings
        }
        #expect(
            try warnings(["SHOP_PROFILE": "prod"]) == [
                "the environment variable SHOP_PROFILE chooses no profile; did you mean LOCATOR_PROFILE?"
            ])
        #expect(try warnings(["SHOP_PROFILE": "prod", "LOCATOR_PROFILE": "prod"]) == [])
        #expect(try warnings(["SHOP_PROFILE": "y"]) == [])
    }

    @Test("A profile in capitals is unknown, or reported on a case-insensitive file system")
    func profile_isInCapitals() throws {
        #expect(
            message { _ = try load(["LOCATOR_PROFILE": "PROD"]) }?.contains(#"did you mean "prod"?"#) == true)
        var source = PropertiesSource(.folder("Config"), environment: ["LOCATOR_PROFILE": "PROD"])
        source.fileSystem = .inMemory(["Config/application.json": "{}", "Config/application-prod.json": "{}"])
        let read = source.fileSystem.read
        source.fileSystem.read = { path throws(FileProblem) in try read(path.replacing("PROD", with: "prod")) }
        #expect(
            try source.load().profileWarnings
                == ["the profile PROD has the file of another profile; did you mean prod?"])
    }
}
