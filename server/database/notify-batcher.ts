import { setTimeout as sleep } from 'node:timers/promises'
import { createCoalescedTask } from '../concurrency/coalesced-task.ts'

export interface Notification {
  channel: string
  payload: string
}

/** The first notification after a pause is sent immediately; later ones within this interval are sent together. */
const BATCH_INTERVAL_MS = 10

export type NotifyBatcher = ReturnType<typeof createNotifyBatcher>

/**
 * Sends notifications in batches, without waiting. Of equal ones in a batch the last is sent, so that the order of
 * different messages about one thing is preserved. A batch that fails is dropped: subscribers also poll, and read
 * everything again after their connection was lost.
 */
export function createNotifyBatcher(send: (batch: Notification[]) => Promise<unknown>) {
  const pending = new Map<string, Notification>()

  const task = createCoalescedTask(
    async () => {
      const batch = [...pending.values()]
      pending.clear()
      if (batch.length === 0) return
      await send(batch)
      await sleep(BATCH_INTERVAL_MS, undefined, { ref: false })
    },
    () => {},
  )

  return {
    add(notification: Notification): void {
      const key = `${notification.channel} ${notification.payload}`
      pending.delete(key)
      pending.set(key, notification)
      task.schedule()
    },
    /** Resolves when everything that was added is sent or dropped. */
    flush: task.untilIdle,
  }
}
