import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../database/database.ts'
import { DELIVERIES_CHANNEL, EVENTS_CHANNEL } from './publish.ts'

/** The first is said at once. */
const BETWEEN_WORDS_MS = 10

export type Wake = ReturnType<typeof createWake>

/**
 * Tells those who wait that something was committed, for statements that many make at once. Transactions that carry a
 * word of their own are committed one after the other, each waiting for the disk: said afterwards, one word stands for
 * all that came within a moment after the last. A word that is lost is made up for: whoever delivers looks every second.
 */
export function createWake() {
  let news = new Set<string>()
  let isDue = false
  let isSaying = false

  async function say(sql: Sql): Promise<void> {
    isSaying = true
    while (news.size > 0) {
      const [orgIds, deliveries] = [[...news], isDue ? [''] : []]
      news = new Set()
      isDue = false
      await sql`
        select pg_notify(${EVENTS_CHANNEL}, org), (select count(pg_notify(${DELIVERIES_CHANNEL}, word))
          from unnest(${deliveries}::text[]) word)
        from unnest(${orgIds}::text[]) org`.catch(() => {})
      await sleep(BETWEEN_WORDS_MS, undefined, { ref: false })
    }
    isSaying = false
  }

  return (sql: Sql, orgId: string, { isToDeliver }: { isToDeliver: boolean }): void => {
    news.add(orgId)
    isDue ||= isToDeliver
    if (!isSaying) void say(sql)
  }
}
