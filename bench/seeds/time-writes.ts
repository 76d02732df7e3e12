import type { Pool, Sql } from '../../server/database/database.ts'
import { newId } from '../../server/security/ids.ts'
import { median } from '../compare.ts'

const ROUNDS = 10
const WRITES_EACH = 20
const TEXT =
  'A text of ordinary length, which says something about the project that it is in, and no more than that.'

type Write = (sql: Sql, orgId: string) => Promise<unknown>

/** Each writes one row. */
const WRITES: [name: string, table: string, write: Write][] = [
  [
    'insert a message',
    'messages',
    (sql, orgId) => sql`
      insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
      select org_id, id, 1000000000 - (random() * 100000000)::int, ${newId()}, 'user', '[]', ${TEXT}, 'trusted', now()
      from agent_sessions where org_id = ${orgId} limit 1`,
  ],
  [
    'insert a block with a title',
    'blocks',
    (sql, orgId) => sql`
      insert into blocks (org_id, project_id, id, type, x, y, width, height, title, content, created_at, updated_at)
      select org_id, id, ${newId()}, 'note', 0, 0, 1, 1, 'Notes of the meeting', ${TEXT}, now(), now()
      from projects where org_id = ${orgId} limit 1`,
  ],
  [
    'change the text of a block',
    'blocks',
    (sql, orgId) => sql`
      update blocks set content = ${TEXT + newId()} where org_id = ${orgId} and (project_id, id) = (
        select project_id, id from blocks where org_id = ${orgId} limit 1)`,
  ],
  [
    'move a block',
    'blocks',
    (sql, orgId) => sql`
      update blocks set x = x + 1 where org_id = ${orgId} and (project_id, id) = (
        select project_id, id from blocks where org_id = ${orgId} limit 1)`,
  ],
]

/** Alternates writes with and without search triggers. */
export async function timeWrites(sql: Pool, orgId: string) {
  const results = []
  for (const [name, table, write] of WRITES) {
    const times = { disable: [] as number[], enable: [] as number[] }
    for (let round = 0; round < ROUNDS; round++)
      for (const kind of ['disable', 'enable'] as const) {
        for (const trigger of ['search_inserted', 'search_updated'])
          await sql.unsafe(`alter table ${table} ${kind} trigger ${trigger}`)
        for (let n = 0; n < WRITES_EACH; n++) {
          const start = performance.now()
          await write(sql, orgId)
          times[kind].push(performance.now() - start)
        }
      }
    results.push({ name, plainMs: median(times.disable), indexedMs: median(times.enable) })
  }
  return results
}
