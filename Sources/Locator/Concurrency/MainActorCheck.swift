internal import Dispatch

/// Answers whether the running code is on the main actor.
///
/// The main actor's executor is the main dispatch queue, which a queue-specific value identifies without Foundation.
enum MainActorCheck {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isOnMainActor: Bool {
        DispatchQueue.getSpecific(key: key) == true
    }
}
