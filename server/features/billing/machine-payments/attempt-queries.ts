import { canonicalJson } from '../../../../contract/canonical-json.ts'
import type { Sql } from '../../../database/database.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import type { PaymentRow } from './records.ts'
import type { Adapter } from './stripe/request.ts'

export interface AttemptRow {
  n: number
  kind: 'charge' | 'inquiry' | 'refund'
  customer: string
  outcome: string | null
  message: string | null
  startedAt: string
  endedAt: string | null
}

/** Before sending. An index refuses a second charge. */
export async function insertAttempt(
  sql: Sql,
  { orgId, id, amount, currency, payee }: PaymentRow,
  kind: AttemptRow['kind'],
  { customerId, paymentMethodId }: Adapter,
  now: Date,
): Promise<number> {
  const requestHash = sha256(canonicalJson({ kind, amount, currency, payee, customerId, paymentMethodId }))
  const [row] = await sql<{ n: number }[]>`
    insert into payment_attempts (org_id, payment_id, n, kind, request_hash, customer, started_at)
    select ${orgId}, ${id}, coalesce(max(n), 0) + 1, ${kind}, ${requestHash}, ${customerId}, ${now}
    from payment_attempts where org_id = ${orgId} and payment_id = ${id}
    returning n`
  return row!.n
}

interface AttemptEnd {
  outcome: string
  message: string | null
  reference: string | null
}

export const endAttempt = (
  sql: Sql,
  orgId: string,
  paymentId: string,
  kind: AttemptRow['kind'],
  { outcome, message, reference }: AttemptEnd,
  now: Date,
) => sql`
  update payment_attempts set outcome = ${outcome}, message = ${message}, provider_reference = ${reference},
    ended_at = ${now}
  where org_id = ${orgId} and payment_id = ${paymentId} and kind = ${kind} and outcome is null`

export const listAttempts = (sql: Sql, orgId: string, paymentId: string) => sql<AttemptRow[]>`
  select n, kind, customer, outcome, message, started_at as "startedAt", ended_at as "endedAt" from payment_attempts
  where org_id = ${orgId} and payment_id = ${paymentId} order by n`

export async function findCharge(
  sql: Sql,
  orgId: string,
  paymentId: string,
): Promise<AttemptRow | undefined> {
  const [row] = await sql<AttemptRow[]>`
    select n, kind, customer, outcome, message, started_at as "startedAt", ended_at as "endedAt" from payment_attempts
    where org_id = ${orgId} and payment_id = ${paymentId} and kind = 'charge'`
  return row
}

/** After a permanent failure, another refund gets its own key. */
export async function countRefunds(sql: Sql, orgId: string, paymentId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from payment_attempts
    where org_id = ${orgId} and payment_id = ${paymentId} and kind = 'refund'`
  return row!.count
}

/** Once per kind. Updates the run's and project's totals. Costs are in US dollars, so other currencies have none. */
export const insertLedgerEntry = (sql: Sql, payment: PaymentRow, kind: 'charge' | 'refund', now: Date) => {
  const amount = kind === 'charge' ? payment.amount : `-${payment.amount}`
  const cost = payment.currency === 'usd' ? amount : null
  return sql`
    with entry as (
      insert into usage (org_id, id, project_id, run_id, step, attempt, kind, agent_id, user_id, key_id, provider, model,
        quantity, unit_cost, cost, price_source, at, payment_id)
      values (${payment.orgId}, ${newId()}, ${payment.projectId}, ${payment.runId}, 0, ${kind === 'charge' ? 1 : 2}, 'payment',
        ${payment.agentId}, ${payment.createdBy}, ${payment.keyId}, ${payment.provider}, ${`payment/${payment.provider}`},
        ${sql.json({ amount, currency: payment.currency })}, null, ${cost}, 'provider', ${now}, ${payment.id})
      on conflict do nothing
      returning cost
    ), counted as (
      update runs set cost = runs.cost + entry.cost from entry
      where runs.org_id = ${payment.orgId} and runs.id = ${payment.runId}::uuid and entry.cost is not null
    )
    update projects set spend = spend + entry.cost from entry
    where projects.org_id = ${payment.orgId} and projects.id = ${payment.projectId}::uuid and entry.cost is not null`
}
