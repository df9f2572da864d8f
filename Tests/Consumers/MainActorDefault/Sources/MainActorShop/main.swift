import Locator

func check(_ holds: Bool, line: UInt = #line) {
    precondition(holds, line: line)
}

let context = AppContext.shared
try context.load(.shop)
try context.validate().orThrow()
try await context.start()

let screen = try context.resolve(ScreenModel.self)
let inStruct = StructHolder()
let inClass = ClassHolder()
let inActor = ActorHolder()
let inSendable = SendableHolder()

func checkHolders(_ titles: [String], _ port: Int, line: UInt = #line) async {
    check(inStruct.catalog.titles == titles && inStruct.port == port, line: line)
    check(inClass.catalog.titles == titles && inClass.port == port, line: line)
    check(screen.text == "\(titles) at \(port)", line: line)
    check(await inActor.text == "EUR at \(port)", line: line)
    check(await inActor.titles() == titles, line: line)
    check(inSendable.text == "EUR at \(port)", line: line)
}

let catalog = try context.resolve((any Catalog).self) as AnyObject
check(inClass.logger.name == "console" && inClass.catalogs.count == 1)
await checkHolders(["Frankenstein"], 8080)

try context.push(.fakes)
await checkHolders(["Emma"], 1)
check(inClass.catalogs.count == 2)
context.pop()

await checkHolders(["Frankenstein"], 8080)
check(try context.resolve((any Catalog).self) as AnyObject === catalog)
check(try context.resolve(ScreenModel.self) === screen)

try await context.pushing(.fakes) {
    await checkHolders(["Emma"], 1)
}

let session = try context.resolve(Session.self)
try context.reset(.session)
check(try context.resolve(Session.self) !== session)

let greeting = try context.within(.request, giving: Visitor(name: "Ada")) { child in
    try child.resolve(Greeting.self).text
}
check(greeting == "Hello Ada")
let later = try await context.within(.request, giving: Visitor(name: "Ben")) { child in
    await Task.yield()
    return try child.resolve(Greeting.self).text
}
check(later == "Hello Ben")

let makePage = try context.resolve(Factory<(Int, String), PageModel>.self)
check(try makePage(3, "Shelf").title == "Shelf")
let other = try context.resolve(PageModel.self, with: 4, "Desk")
check(other.number == 4)
func tag(_ name: String) async throws -> Tag {
    try await context.resolve(Tag.self, with: name)
}
let made = try await tag("in ")
let makeTag = try context.resolve(AsyncFactory<String, Tag>.self)
let another = try await makeTag("in ")
check(another.name == made.name)
check(made.name == "in EUR")
check(try context.resolve(Tagged.self).name == "Tagged")
check(try context.resolve(PageModel.self) !== context.resolve(PageModel.self))
let first = try context.resolve(PageModel.self, qualifier: "first")
check(first.isOpen)

let fork = try context.fork(pushing: .fakes)
check(AppContext.withContext(fork) { StructHolder() }.port == 1)
check(await Task.detached { PlainHolder().prices.currency }.value == "EUR")

try await context.shutdown()
check(!first.isOpen)
print("MainActor by default: all holders follow push and pop")
