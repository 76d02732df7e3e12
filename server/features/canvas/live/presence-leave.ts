import type { Logger } from 'pino'
import type { LiveEvents } from '../../../../contract/canvas/live.ts'
import type { Pool } from '../../../database/database.ts'
import { notifyProject } from '../../../streams/notify.ts'
import { keyOf } from './presence.ts'

/** Streams end and begin again all the time; whoever is back by then never left. */
const GRACE_MS = 2000

type Who = LiveEvents['left']

/** Tells of those who closed a canvas that they have left it. */
export function createDepartures(pool: Pool, log: Logger) {
  const expected = new Map<string, { timer: NodeJS.Timeout; depart: () => Promise<unknown> }>()
  const nameOf = (projectId: string, who: Who) => `${projectId} ${keyOf(who)}`

  function cancel(projectId: string, who: Who): void {
    const name = nameOf(projectId, who)
    clearTimeout(expected.get(name)?.timer)
    expected.delete(name)
  }

  return {
    cancel,
    expect({ orgId, projectId }: { orgId: string; projectId: string }, who: Who): void {
      cancel(projectId, who)
      const depart = async () => {
        cancel(projectId, who)
        await pool`select ${notifyProject(pool, orgId, projectId, { kind: 'left', presence: { ...who } })}`.catch(
          (err) => log.warn({ err }, 'could not tell that somebody left a canvas'),
        )
      }
      expected.set(nameOf(projectId, who), { timer: setTimeout(depart, GRACE_MS).unref(), depart })
    },
    /** Tells at once of everybody who is still expected to be back. */
    close: () => Promise.all([...expected.values()].map(({ depart }) => depart())),
  }
}
