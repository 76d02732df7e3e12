import type { MandateHolder, PaymentMethod } from '../../../../../contract/billing/payment-options.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'

export interface MandateRow {
  id: string
  holder: MandateHolder
  holderId: string
  currency: string
  perPayment: string
  perDay: string | null
  total: string | null
  payees: string[]
  methods: PaymentMethod[]
  spent: string
  spentToday: string
  expiresAt: string | null
  revokedAt: string | null
  revokedBy: string | null
  createdBy: string
  createdAt: string
}

/** For the mandate `m`. Days begin at midnight UTC. */
const columns = (sql: Sql, now: Date): Fragment => sql`
  m.id, m.holder, m.holder_id as "holderId", m.currency, m.per_payment as "perPayment", m.per_day as "perDay", m.total,
  m.payees, m.methods, m.spent, case when m.day >= ${dayOf(now)}::date then m.day_spent else 0::numeric(20, 6) end as "spentToday",
  m.expires_at as "expiresAt", m.revoked_at as "revokedAt", m.revoked_by as "revokedBy", m.created_by as "createdBy",
  m.created_at as "createdAt"`

const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

export interface Holders {
  orgId: string
  keyId: string | null
  agentId: string | null
  projectId: string | null
}

/**
 * Unrevoked, or the one with this id in any state. Key first, then agent, then project. `lock` keeps concurrent
 * payments from exceeding a limit together.
 */
export const listCandidates = (
  sql: Sql,
  { orgId, keyId, agentId, projectId }: Holders,
  { mandateId, now, lock }: { mandateId?: string | undefined; now: Date; lock: boolean },
) => sql<MandateRow[]>`
  with chosen as (
    select ${columns(sql, now)} from mandates m
    where m.org_id = ${orgId} and ${
      mandateId
        ? sql`m.id = ${mandateId}`
        : sql`m.revoked_at is null and (m.holder = 'key' and m.holder_id = ${keyId}::uuid
            or m.holder = 'agent' and m.holder_id = ${agentId}::uuid
            or m.holder = 'project' and m.holder_id = ${projectId}::uuid)`
    } order by m.id ${lock ? sql`for update` : sql``}
  )
  select * from chosen order by array_position(array['key', 'agent', 'project'], holder), id`

/** For the run `r`. */
export const hasMandate = (sql: Sql, now: Date): Fragment => sql`exists (
  select from mandates m
  where m.org_id = r.org_id and m.holder_id in (r.agent_id, r.project_id, r.key_id) and m.revoked_at is null
    and (m.expires_at is null or m.expires_at > ${now}))`

/**
 * Table constraints refuse a sum over a limit. The day never decreases: clocks differ between processes, and each
 * change would begin a new sum.
 */
export async function countPayment(
  sql: Sql,
  orgId: string,
  id: string,
  amount: string,
  now: Date,
): Promise<string> {
  const [row] = await sql<{ day: string }[]>`
    update mandates set spent = spent + ${amount}::numeric, day = greatest(day, ${dayOf(now)}::date),
      day_spent = case when day >= ${dayOf(now)}::date then day_spent else 0 end + ${amount}::numeric
    where org_id = ${orgId} and id = ${id} returning day::text`
  return row!.day
}

/** Also from the day's total, if still current. */
export const uncountPayment = (sql: Sql, orgId: string, id: string, amount: string, countedOn: string) => sql`
  update mandates set spent = spent - ${amount}::numeric,
    day_spent = day_spent - case when day = ${countedOn}::date then ${amount}::numeric else 0 end
  where org_id = ${orgId} and id = ${id}`

/** Mandates in force first, then the newest. */
export const listMandates = (sql: Sql, orgId: string, now: Date, limit: number) => sql<MandateRow[]>`
  select ${columns(sql, now)} from mandates m where m.org_id = ${orgId}
  order by (m.revoked_at is null and (m.expires_at is null or m.expires_at > ${now})) desc, m.id desc limit ${limit}`

export async function findMandate(sql: Sql, orgId: string, id: string, now: Date) {
  const [row] = await sql<MandateRow[]>`
    select ${columns(sql, now)} from mandates m where m.org_id = ${orgId} and m.id = ${id}`
  return row ?? null
}

export async function countActive(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from mandates where org_id = ${orgId} and revoked_at is null`
  return row!.count
}

export type NewMandate = Pick<
  MandateRow,
  | 'id'
  | 'holder'
  | 'holderId'
  | 'currency'
  | 'perPayment'
  | 'perDay'
  | 'total'
  | 'payees'
  | 'methods'
  | 'expiresAt'
  | 'createdBy'
> & { now: Date }

export const insertMandate = (sql: Sql, orgId: string, row: NewMandate) => sql`
  insert into mandates (org_id, id, holder, holder_id, currency, per_payment, per_day, total, payees, methods, day,
    expires_at, created_by, created_at)
  values (${orgId}, ${row.id}, ${row.holder}, ${row.holderId}, ${row.currency}, ${row.perPayment}, ${row.perDay},
    ${row.total}, ${row.payees}, ${row.methods}, ${dayOf(row.now)}, ${row.expiresAt}, ${row.createdBy}, ${row.now})`

export const revokeMandate = (sql: Sql, orgId: string, id: string, by: string, now: Date) => sql`
  update mandates set revoked_at = ${now}, revoked_by = ${by}
  where org_id = ${orgId} and id = ${id} and revoked_at is null returning id`
