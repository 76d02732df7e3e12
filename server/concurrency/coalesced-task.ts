import { detached } from './work-scope.ts'

/**
 * Runs a task at most once at a time. Requests made during a run are coalesced into one more run after it, so that the
 * last run always begins after the last request. An error is passed to `onError` and does not cancel a pending request.
 */
export function createCoalescedTask(run: () => Promise<void>, onError: (error: unknown) => void) {
  let isRequested = false
  let running: Promise<void> | undefined

  async function runWhileRequested(): Promise<void> {
    while (isRequested) {
      isRequested = false
      try {
        await run()
      } catch (error) {
        onError(error)
      }
    }
    running = undefined
  }

  return {
    /** May be called inside `run` to have it run again. */
    schedule(): void {
      isRequested = true
      running ??= detached(runWhileRequested)
    },
    /** Resolves when no run is active or requested. */
    untilIdle: async (): Promise<void> => running,
  }
}
