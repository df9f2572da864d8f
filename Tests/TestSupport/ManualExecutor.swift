import Foundation

/// A task executor whose jobs run only when a test says so.
///
/// After `runJobs()`, every task of the executor is waiting for something else. So a test knows that a call waits,
/// and does not guess how long that takes.
package final class ManualExecutor: TaskExecutor, @unchecked Sendable {
    // Sendable: `jobs` is guarded by `lock`.
    private let lock = NSLock()
    private var jobs: [UnownedJob] = []

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }

    /// Runs jobs on this thread until there are none.
    package func runJobs() {
        while let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Waits until there is a job.
    package func waitForJob() async {
        while lock.withLock({ jobs.isEmpty }) { await Task.yield() }
    }

    /// Runs jobs until a task of this executor has ended, and returns its value.
    package func value<Value>(of task: Task<Value, Never>) async -> Value {
        let hasEnded = Late(false)
        let ending = Task {
            let value = await task.value
            hasEnded.value = true
            return value
        }
        while hasEnded.value != true {
            runJobs()
            await Task.yield()
        }
        return await ending.value
    }
}
