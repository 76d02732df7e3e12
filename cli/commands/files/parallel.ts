/** Runs tasks with limited concurrency. The first error rejects, after running tasks have settled. */
export async function inParallel<T>(
  tasks: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (task: T) => Promise<void>,
): Promise<void> {
  const iterator = iterate(tasks)
  let hasFailed = false
  const worker = async () => {
    try {
      while (!hasFailed) {
        const next = await iterator.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const results = await Promise.allSettled(Array.from({ length: limit }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function* iterate<T>(tasks: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* tasks
}
