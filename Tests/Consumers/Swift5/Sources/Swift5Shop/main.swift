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

let fork = try context.fork(pushing: .fakes)
check(AppContext.withContext(fork) { StructHolder() }.port == 1)

try await context.shutdown()
print("Swift 5 mode: all holders follow push and pop")
