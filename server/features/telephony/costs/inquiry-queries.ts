import type { Sql } from '../../../database/database.ts'

export interface DueCost {
  orgId: string
  kind: 'call' | 'sms'
  subjectId: string
  item: string
  /** Null: the account of this server. */
  connectionId: string | null
  attempts: number
  createdAt: string
}

interface Claim {
  now: Date
  /** When other processes may claim the items if this process is killed. */
  leasedUntil: Date
  limit: number
}

/** Claims estimates whose amount the carrier may report by now. Organizations take turns. */
export const claimDueCosts = (sql: Sql, { now, leasedUntil, limit }: Claim) => sql<DueCost[]>`
  with waiting as (
    select org_id, subject_id, item, due_at, row_number() over (partition by org_id order by due_at) as turn
    from telephony_costs where due_at <= ${now}
  ), due as (
    select c.org_id, c.subject_id, c.item from waiting w
    join telephony_costs c on c.org_id = w.org_id and c.subject_id = w.subject_id and c.item = w.item
    where c.due_at <= ${now} order by w.turn, w.due_at limit ${limit} for update of c skip locked
  )
  update telephony_costs c set due_at = ${leasedUntil}, attempts = c.attempts + 1
  from due d
  where c.org_id = d.org_id and c.subject_id = d.subject_id and c.item = d.item
  returning c.org_id as "orgId", c.kind, c.subject_id as "subjectId", c.item, c.attempts, c.created_at as "createdAt",
    (select n.connection_id from phone_numbers n where n.org_id = c.org_id and n.id = c.number_id) as "connectionId"`

export const updateInquiry = (
  sql: Sql,
  orgId: string,
  { subjectId, item }: Pick<DueCost, 'subjectId' | 'item'>,
  dueAt: Date | null,
) => sql`
  update telephony_costs set due_at = ${dueAt}
  where org_id = ${orgId} and subject_id = ${subjectId} and item = ${item} and is_estimate`

/** Reservations of calls and messages that ended without a cost, because their process was killed. */
export const listOrphanedReservations = (sql: Sql, endedBefore: Date) => sql<
  { orgId: string; subjectId: string }[]
>`
  select distinct r.org_id as "orgId", r.run_id as "subjectId" from reservations r
  where exists (
    select from calls c where c.org_id = r.org_id and c.id = r.run_id and c.ended_at < ${endedBefore}
  ) or exists (
    select from sms_messages m where m.org_id = r.org_id and m.id = r.run_id and m.created_at < ${endedBefore}
      and m.status not in ('queued', 'sending'))`
