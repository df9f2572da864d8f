public import LocatorProperties

/// The values of a setting: the present one, and each later one.
///
/// ```swift
/// for await limit in context.values(of: "server.limit", as: Int.self) {
///     switch limit {
///     case .success(let limit): limiter.limit = limit
///     case .failure(let error): logger.warning("\(error)")
///     }
/// }
/// ```
///
/// The first element is the value at the time of the first `next()`. Another follows when a load, a reload, or a module
/// that is loaded, unloaded, pushed or popped changes what the context has at the path; an error counts as a value. The
/// same value never comes twice in a row: what is compared is the setting before it is decoded, with its placeholders
/// replaced. A slow reader gets the newest value and misses those before it. A reload that fails is never seen.
///
/// The sequence ends when its context ends, or the task that reads it is cancelled. It does not keep the context alive. A
/// child's sequence follows the changes of its parents, too, and ends with the child.
///
/// Each iterator follows on its own: any number may read at the same time. One that waits costs a change the time to wake
/// it; where nobody follows, a change costs nothing.
public struct PropertyValues<Value: Decodable>: AsyncSequence {
    /// A value, or the error where it is missing or cannot be decoded.
    public typealias Element = Result<Value, PropertiesError>
    /// Iterating throws no error.
    public typealias Failure = Never

    fileprivate let core: ContextCore
    fileprivate let path: String
    fileprivate let fallback: Value?
    fileprivate let location: SourcePlace

    /// Begins to follow the setting.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: Reader(self)) }

    /// Gives one value after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// The next value that differs from the one before; nil once the context has ended or the task is cancelled.
        public mutating func next() async -> Result<Value, PropertiesError>? {
            await reader.next()
        }

        /// The next value that differs from the one before; nil once the context has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Result<Value, PropertiesError>? {
            await reader.next(isolation: actor)
        }
    }

    /// What an iterator and its copies share, which ends the following when it goes.
    fileprivate final class Reader {
        private let values: PropertyValues
        private let request: Request
        private let follower = Follower()
        private var known: PropertyLookup?
        private var stage = Stage.new

        private enum Stage {
            case new, following, ended
        }

        init(_ values: PropertyValues) {
            self.values = values
            request = Request(key: Key(Value.self), location: values.location)
        }

        deinit {
            end()
        }

        func next(isolation actor: isolated (any Actor)? = #isolation) async -> Result<Value, PropertiesError>? {
            let (core, follower) = (values.core, follower)
            while stage != .ended {
                if Task.isCancelled { break }
                if stage == .new {
                    guard core.add(follower) else { break }
                    stage = .following
                }
                switch look() {
                case .value(let value): return value
                case .overtaken: continue
                case .ended: end()
                case .nothing:
                    await withTaskCancellationHandler {
                        await core.wait(for: follower)
                    } onCancel: {
                        core.wake(follower)
                    }
                }
            }
            end()
            return nil
        }

        private func look() -> ContextCore.Following<Value> {
            values.core.look(
                for: values.path, as: Value.self, default: values.fallback.map { fallback in { fallback } }, request,
                by: follower, known: &known)
        }

        private func end() {
            if stage == .following { values.core.remove(follower) }
            stage = .ended
        }
    }
}

extension PropertyValues: Sendable where Value: Sendable {}

@available(*, unavailable)
extension PropertyValues.AsyncIterator: Sendable {}

extension AppContext {
    /// The values of a property, decoded: the present one, and each later one.
    ///
    /// An optional type gives nil where the property is missing, and only there. See ``PropertyValues``.
    public func values<Value: Decodable>(
        of path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PropertyValues<Value> {
        PropertyValues(
            core: core, path: path, fallback: nil, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The values of a property, decoded; a default where it is missing, and only there.
    ///
    /// See ``PropertyValues``.
    public func values<Value: Decodable>(
        of path: String, as type: Value.Type = Value.self, default fallback: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> PropertyValues<Value> {
        PropertyValues(
            core: core, path: path, fallback: fallback, location: SourcePlace(fileID: fileID, line: line))
    }
}
