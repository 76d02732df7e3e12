import { setTimeout as sleep } from 'node:timers/promises'
import { createCoalescedTask } from '../../../../concurrency/coalesced-task.ts'
import type { Pool } from '../../../../database/database.ts'
import { forOrganization } from '../../../../database/fair-pool.ts'
import { type EventPage, findRunAfter, readRunEvents } from './read-events.ts'

/** A notification is lost if the process stops between the commit and the NOTIFY. */
const POLL_MS = 2000
/** Text arrives in twenty parts a second, and a listener needs sentences. */
const PAUSE_MS = 100

export interface RunListener {
  close: () => void
}

/** Such as a phone call that speaks the answers. */
export function createRunListeners(pool: Pool) {
  const byRun = new Map<string, Set<() => void>>()
  const bySession = new Map<string, Set<(runId: string) => void>>()
  let poll: NodeJS.Timeout | undefined

  const keyOf = (orgId: string, id: string) => `${orgId} ${id}`

  function add<T>(all: Map<string, Set<T>>, key: string, listener: T): RunListener {
    const listeners = all.get(key) ?? new Set<T>()
    all.set(key, listeners.add(listener))
    poll ??= setInterval(readAll, POLL_MS).unref()
    return {
      close() {
        listeners.delete(listener)
        if (listeners.size === 0 && all.get(key) === listeners) all.delete(key)
        if (byRun.size > 0) return
        clearInterval(poll)
        poll = undefined
      },
    }
  }

  function readAll(): void {
    for (const listeners of byRun.values()) for (const read of listeners) read()
  }

  return {
    notify(orgId: string, runId: string, sessionId: string | undefined): void {
      for (const read of byRun.get(keyOf(orgId, runId)) ?? []) read()
      if (sessionId === undefined) return
      for (const onRun of bySession.get(keyOf(orgId, sessionId)) ?? []) onRun(runId)
    },
    /** A page that fails is read again. */
    listen(
      orgId: string,
      runId: string,
      after: number,
      onPage: (page: EventPage) => Promise<void>,
    ): RunListener {
      const sql = forOrganization(pool, orgId)
      let cursor = after
      let isClosed = false
      const task = createCoalescedTask(
        async () => {
          if (isClosed) return
          const page = await readRunEvents(sql, orgId, runId, cursor)
          if (isClosed || (page.events.length === 0 && !page.isEnd)) return
          await onPage(page)
          cursor = page.events.at(-1)?.seq ?? cursor
          if (page.isEnd) return close()
          if (page.hasMore) task.schedule()
          else await sleep(PAUSE_MS, undefined, { ref: false })
        },
        () => {},
      )
      const listener = add(byRun, keyOf(orgId, runId), () => task.schedule())
      const close = () => {
        isClosed = true
        listener.close()
      }
      task.schedule()
      return { close }
    },
    /** Its notification may have been sent before `watch`. */
    next: (orgId: string, sessionId: string, runId: string | null): Promise<string | null> =>
      findRunAfter(forOrganization(pool, orgId), orgId, sessionId, runId),
    /** Another process may have started the run. */
    watch: (orgId: string, sessionId: string, onRun: (runId: string) => void): RunListener =>
      add(bySession, keyOf(orgId, sessionId), onRun),
  }
}
