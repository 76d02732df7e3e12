import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import type { PaymentRow } from './records.ts'

/**
 * Adds a payment to the ledger once, or reverses it with a second entry, and changes the totals of its run and its
 * project. Costs are in US dollars: the cost of a payment in another currency is not known.
 */
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
