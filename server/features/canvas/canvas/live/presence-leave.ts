import type { Pool } from '../../../../database/database.ts'
import { notifyProject } from '../../../../streams/notify.ts'
import { type ClientRef, type ProjectRef, presenceKey } from './presence.ts'

/** Streams end at their maximum age and reopen: a client that is back within this time has not left. */
const LEAVE_DEBOUNCE_MS = 2000

/** Announces, debounced, that a client closed a canvas. */
export function createPresenceLeave(pool: Pool) {
  const scheduled = new Map<string, { timer: NodeJS.Timeout; announce: () => void }>()
  const keyOf = (projectId: string, client: ClientRef) => `${projectId} ${presenceKey(client)}`

  function cancel(projectId: string, client: ClientRef): void {
    const key = keyOf(projectId, client)
    clearTimeout(scheduled.get(key)?.timer)
    scheduled.delete(key)
  }

  return {
    cancel,
    schedule({ orgId, projectId }: ProjectRef, client: ClientRef): void {
      cancel(projectId, client)
      const message = { kind: 'left', presence: { ...client } } as const
      const announce = () => {
        cancel(projectId, client)
        notifyProject(pool, orgId, projectId, message)
      }
      const timer = setTimeout(announce, LEAVE_DEBOUNCE_MS).unref()
      scheduled.set(keyOf(projectId, client), { timer, announce })
    },
    /** Announces the remaining clients immediately. */
    flush(): void {
      for (const { announce } of [...scheduled.values()]) announce()
    },
  }
}
