import type { Sql } from '../../../database/database.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { claimFairly, type OrganizationClaim, type Queue, waitingIn } from '../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
import { requeueTexts, SEARCH_CHANNEL } from '../../search/search.ts'
import type { SourceType } from './store.ts'

const LEASE_MS = 60_000
const BATCH = 200

/** Queues records that are older than passages. A crash repeats one batch. */
export const startPassageBacklog = (runtime: WorkerRuntime) =>
  startOrganizationLoop<Backlog>(runtime, {
    name: 'passage backlogs',
    channel: SEARCH_CHANNEL,
    waiting: waitingIn(QUEUE),
    concurrency: 1,
    perOrganization: 1,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    claim: (request) => claimBacklogs(runtime.pool, request),
    run: async ({ orgId, type, ...after }) => {
      const { now, transaction } = runtime.context()
      await transaction(async ({ sql }) => {
        const last = await QUEUE_NEXT[type](sql, orgId, after, now())
        if (last === null) await sql`delete from passage_backlog where org_id = ${orgId} and type = ${type}`
        else
          await sql`
            update passage_backlog set after_scope = ${last.scope}, after_id = ${last.id}, due_at = ${now()}
            where org_id = ${orgId} and type = ${type}`
      })
    },
  })

interface Backlog extends Position {
  orgId: string
  type: Exclude<SourceType, 'session'>
}

interface Position {
  afterScope: string
  afterId: string
}

const QUEUE: Queue = { table: 'passage_backlog', key: ['type'], indexedBy: 'org_id' }

const claimBacklogs = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<Backlog>(sql, QUEUE, claim, {
    lease: sql`due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.type, t.after_scope as "afterScope", t.after_id as "afterId"`,
  })

type QueueNext = (
  sql: Sql,
  orgId: string,
  after: Position,
  now: Date,
) => Promise<{ scope: string; id: string } | null>

const QUEUE_NEXT: Record<Backlog['type'], QueueNext> = {
  file: async (sql, orgId, { afterId }, now) => {
    const last = await requeueTexts(sql, orgId, { after: afterId, limit: BATCH, now })
    return last === null ? null : { scope: orgId, id: last }
  },
  block: async (sql, orgId, { afterScope, afterId }) => {
    const [row] = await sql<{ scope: string; id: string }[]>`
      with page as materialized (
        select b.project_id as scope, b.id, b.type, b.content from blocks b
        where b.org_id = ${orgId} and (b.project_id, b.id) > (${afterScope}, ${afterId})
        order by b.project_id, b.id limit ${BATCH}
      ), queued as (
        select count(passage_source_changed(${orgId}, 'block', p.id, p.scope, p.scope)) from page p
        where p.type in ('text', 'note') and p.content <> ''
      )
      select p.scope, p.id from page p cross join queued order by p.scope desc, p.id desc limit 1`
    return row ?? null
  },
  memory: async (sql, orgId, { afterId }) => {
    const [row] = await sql<{ scope: string; id: string }[]>`
      with page as materialized (
        select m.id, m.status, coalesce(m.project_id, m.org_id) as space from memories m
        where m.org_id = ${orgId} and m.id > ${afterId} order by m.id limit ${BATCH}
      ), queued as (
        select count(passage_source_changed(${orgId}, 'memory', p.id, ${orgId}, p.space)) from page p
        where p.status = 'active'
      )
      select ${orgId}::uuid as scope, p.id from page p cross join queued order by p.id desc limit 1`
    return row ?? null
  },
}

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releasePassageBacklogs = (sql: Sql, now: Date) => sql`
  update passage_backlog set due_at = ${now} where due_at > ${now}`
