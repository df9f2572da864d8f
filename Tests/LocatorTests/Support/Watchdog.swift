import Testing

extension Trait where Self == TimeLimitTrait {
    /// Turns a hang into a failure.
    ///
    /// Even a busy machine does not reach the limit.
    static var watchdog: Self { .timeLimit(.minutes(10)) }
}
