import type { Fragment, Sql } from '../../../../database/database.ts'
import { type OrganizationClaim, waitingIn } from '../../../../jobs/claim-fairly.ts'

export interface ClaimedThread {
  orgId: string
  endpointId: string
  thread: string
  lease: number
  failures: number
}

/** Events of endpoint `e` aren't held. */
export const isWorking = (sql: Sql): Fragment => sql`
  e.status = 'active' and e.deleted_at is null and exists (
    select from connections c
    where c.org_id = e.org_id and c.id = e.connection_id and c.status = 'active' and c.deleted_at is null)
  and exists (select from agents a where a.org_id = e.org_id and a.id = e.agent_id and a.archived_at is null)`

export const threadsWaiting = waitingIn({
  table: 'connector_threads',
  key: ['endpoint_id', 'thread'],
  indexedBy: 'org_id',
})

/**
 * Takes turns between organizations and their endpoints, found by a loose index scan. An endpoint without a working
 * connection costs one lookup, however many events it holds. `claimFairly` takes no turns within an organization, and
 * would read them all.
 */
export const claimThreads = (
  sql: Sql,
  { running, perOrganization, limit, now, leasedUntil }: OrganizationClaim,
) => sql<ClaimedThread[]>`
  with recursive busy as (
    select * from jsonb_to_recordset(${sql.json(running as never)}) as b ("orgId" uuid, count int)
  ), waiting (org_id, endpoint_id) as (
    (select org_id, endpoint_id from connector_threads where due_at is not null order by org_id, endpoint_id limit 1)
    union all
    select next.* from waiting w cross join lateral (
      select t.org_id, t.endpoint_id from connector_threads t
      where t.due_at is not null and (t.org_id, t.endpoint_id) > (w.org_id, w.endpoint_id)
      order by t.org_id, t.endpoint_id limit 1
    ) next
  ), ready as materialized (
    select w.org_id, w.endpoint_id, ${perOrganization}::int - coalesce(b.count, 0) as capacity
    from waiting w
    cross join lateral (
      select from connector_endpoints e where e.org_id = w.org_id and e.id = w.endpoint_id and ${isWorking(sql)} offset 0
    ) e
    left join busy b on b."orgId" = w.org_id
    where ${perOrganization}::int > coalesce(b.count, 0)
  ), due as (
    select d.*, r.capacity, row_number() over (partition by d.org_id, d.endpoint_id order by d.due_at) as nth
    from ready r cross join lateral (
      select t.org_id, t.endpoint_id, t.thread, t.due_at from connector_threads t
      where t.org_id = r.org_id and t.endpoint_id = r.endpoint_id and t.due_at <= ${now}
      order by t.due_at limit least(r.capacity, ${limit}::int) for update skip locked
    ) d
  ), turns as (
    select due.*, row_number() over (partition by due.org_id order by due.nth, due.due_at) as turn from due
  ), chosen as (
    select org_id, endpoint_id, thread from turns where turn <= capacity order by turn, due_at limit ${limit}
  )
  update connector_threads t set lease = t.lease + 1, due_at = ${leasedUntil} from chosen c
  where t.org_id = c.org_id and t.endpoint_id = c.endpoint_id and t.thread = c.thread
  returning t.org_id as "orgId", t.endpoint_id as "endpointId", t.thread, t.lease, t.failures`

/** Locks the thread until the transaction ends. */
export async function lockLeasedThread(
  sql: Sql,
  orgId: string,
  { endpointId, thread, lease }: ClaimedThread,
): Promise<boolean> {
  const [row] = await sql`
    select from connector_threads
    where org_id = ${orgId} and endpoint_id = ${endpointId} and thread = ${thread} and lease = ${lease} for update`
  return row !== undefined
}

/**
 * Requires `lockLeasedThread`. The thread is due again if it has pending events. The second statement also sees events
 * stored meanwhile.
 */
export async function releaseThread(
  sql: Sql,
  orgId: string,
  { endpointId, thread }: ClaimedThread,
  { retryAt, failures, now }: { retryAt: Date | null; failures: number; now: Date },
): Promise<void> {
  await sql`
    update connector_threads set failures = ${failures}, changed_at = ${now}, due_at = case when exists (
      select from connector_events e
      where e.org_id = ${orgId} and e.endpoint_id = ${endpointId} and e.thread = ${thread} and e.status = 'pending'
    ) then coalesce(${retryAt}::timestamptz, ${now}) end
    where org_id = ${orgId} and endpoint_id = ${endpointId} and thread = ${thread}`
}

/** A lease's holder continues with the event. */
export const joinThread = (sql: Sql, orgId: string, endpointId: string, thread: string, now: Date) => sql`
  insert into connector_threads as t (org_id, endpoint_id, thread, due_at, changed_at)
  values (${orgId}, ${endpointId}, ${thread}, ${now}, ${now})
  on conflict (org_id, endpoint_id, thread) do update set
    due_at = coalesce(t.due_at, excluded.due_at), changed_at = excluded.changed_at`

/** For an event that is handled again. */
export const wakeThread = (sql: Sql, orgId: string, endpointId: string, thread: string, now: Date) => sql`
  insert into connector_threads as t (org_id, endpoint_id, thread, due_at, changed_at)
  values (${orgId}, ${endpointId}, ${thread}, ${now}, ${now})
  on conflict (org_id, endpoint_id, thread) do update set due_at = least(t.due_at, excluded.due_at), failures = 0`

/** When the only process on the database starts, every lease belongs to a killed process. */
export const releaseOrphanedThreads = (sql: Sql, now: Date) => sql`
  update connector_threads set due_at = ${now}, lease = lease + 1 where due_at > ${now} and failures = 0`
