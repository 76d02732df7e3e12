import { detached } from './work-scope.ts'

/**
 * One run at a time. Requests during a run coalesce into one more, so the last run always begins after the last
 * request. Errors go to `onError` and don't cancel a pending request.
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
    /** May be called inside `run` to run again. */
    schedule(): void {
      isRequested = true
      running ??= detached(runWhileRequested)
    },
    untilIdle: async (): Promise<void> => running,
  }
}
