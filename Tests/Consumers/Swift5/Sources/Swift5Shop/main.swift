import Locator

let context = AppContext.shared
try context.load(.shop)
try context.validate().orThrow()
try await context.start()

let real = #"["Frankenstein"] at 8080"#
let fake = #"["Emma"] at 1"#

let screen = try context.resolve(ScreenModel.self)
let inStruct = StructHolder()
let inClass = ClassHolder()
let inActor = ActorHolder()
let inSendable = SendableHolder()

@MainActor func texts() async -> Set<String> {
    [
        "\(inStruct.catalog.titles) at \(inStruct.port)", "\(inClass.catalog.titles) at \(inClass.port)",
        await inActor.text, screen.text, inSendable.text,
    ]
}

func check(_ found: Set<String>, is expected: String, line: UInt = #line) {
    precondition(found == [expected], "expected \(expected), found \(found)", line: line)
}

func check(_ holds: Bool, line: UInt = #line) {
    precondition(holds, line: line)
}

let catalog = try context.resolve((any Catalog).self) as AnyObject
check(inClass.logger.name == "console" && inClass.catalogs.count == 1)
check(await texts(), is: real)

try context.push(.fakes)
check(await texts(), is: fake)
check(inClass.catalogs.count == 2)
context.pop()

check(await texts(), is: real)
check(try context.resolve((any Catalog).self) as AnyObject === catalog)
check(try context.resolve(ScreenModel.self) === screen)

try await context.pushing(.fakes) {
    check(await texts(), is: fake)
}

let basket = try context.resolve(Basket.self)
basket.titles.append("Dracula")
check(try context.resolve(Basket.self).titles.isEmpty)

let session = try context.resolve(Session.self)
try context.reset(.session)
check(try context.resolve(Session.self) !== session)

let greeting = try context.within(.request, giving: Visitor(name: "Ada")) { child in
    try child.resolve(Greeting.self).text
}
precondition(greeting == "Hello Ada")
let later = try await context.within(.request, giving: Visitor(name: "Ben")) { child in
    await Task.yield()
    return try child.resolve(Greeting.self).text
}
precondition(later == "Hello Ben")

let makeLabel = try context.resolve(Factory<(Int, String), Label>.self)
check(try makeLabel(1, "Lamp").text == "1 Lamp of 1")
let label = try context.resolve(Label.self, with: 2)
check(label.text == "2  of 1")
let page = try context.resolve(PageModel.self, with: 3)
check(page.number == 3)
func tag(_ name: String) async throws -> Tag {
    try await context.resolve(Tag.self, with: name)
}
let made = try await tag("new")
let makeTag = try context.resolve(AsyncFactory<String, Tag>.self)
let another = try await makeTag("new")
check(another.name == made.name)
check(made.name == "new")
check(try context.resolve(Tagged.self).name == "Tagged")
let lasting = try context.resolve(PageModel.self)
check(lasting.isOpen)

let fork = try context.fork(pushing: .fakes)
check(AppContext.withContext(fork) { StructHolder() }.port == 1)

try await context.shutdown()
check(!lasting.isOpen)
print("Swift 5 mode: all holders follow push and pop")
