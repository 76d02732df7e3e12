/** Runs tasks with limited concurrency. The first error rejects, after running tasks have settled. */
export async function inParallel<T>(
  tasks: AsyncIterable<T> | Iterable<T>,
  width: number,
  work: (task: T) => Promise<void>,
): Promise<void> {
  const shared = all(tasks)
  let isOver = false
  const worker = async () => {
    try {
      while (!isOver) {
        const next = await shared.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      isOver = true
      throw error
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: width }, worker))
  for (const one of workers) if (one.status === 'rejected') throw one.reason
}

async function* all<T>(tasks: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* tasks
}
