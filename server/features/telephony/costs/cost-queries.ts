import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'

export interface CostItem {
  kind: 'call' | 'sms'
  subjectId: string
  item: string
  provider: string
  numberId: string | null
  projectId: string
  agentId: string | null
  userId: string
  keyId: string | null
  amount: string
  isEstimate: boolean
  /** For the ledger: `{ seconds }` or `{ segments }`. */
  quantity: Readonly<Record<string, number>>
  dueAt: Date | null
  now: Date
}

/** Adds an item to the ledger and to the spend of its project, once. */
export const insertCost = (sql: Sql, orgId: string, cost: CostItem) => sql`
  with item as (
    insert into telephony_costs (org_id, kind, subject_id, item, provider, number_id, project_id, agent_id, user_id, key_id,
      amount, is_estimate, due_at, created_at)
    values (${orgId}, ${cost.kind}, ${cost.subjectId}, ${cost.item}, ${cost.provider}, ${cost.numberId}, ${cost.projectId},
      ${cost.agentId}, ${cost.userId}, ${cost.keyId}, ${cost.amount}, ${cost.isEstimate}, ${cost.dueAt}, ${cost.now})
    on conflict do nothing
    returning *
  ), entry as (
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, agent_id, user_id, key_id, provider, model,
      quantity, unit_cost, cost, price_source, at)
    select org_id, ${newId()}, project_id, null, 0, 1, kind, agent_id, user_id, key_id, provider, kind || '/' || provider,
      ${sql.json({ ...cost.quantity, subjectId: cost.subjectId })}, null, amount,
      case when is_estimate then 'estimate' else 'provider' end, created_at
    from item
    returning project_id, cost
  )
  update projects p set spend = p.spend + entry.cost from entry
  where p.org_id = ${orgId} and p.id = entry.project_id and entry.cost > 0`

export interface FinalCost {
  subjectId: string
  item: string
  amount: string
  now: Date
}

/** Replaces an estimate by the amount of the carrier, and adds the difference to the ledger, once. */
export const settleCost = (sql: Sql, orgId: string, { subjectId, item, amount, now }: FinalCost) => sql`
  with estimate as (
    select org_id, subject_id, item, amount from telephony_costs
    where org_id = ${orgId} and subject_id = ${subjectId} and item = ${item} and is_estimate for update
  ), settled as (
    update telephony_costs c set amount = ${amount}, is_estimate = false, due_at = null from estimate e
    where c.org_id = e.org_id and c.subject_id = e.subject_id and c.item = e.item
    returning c.*, ${amount}::numeric - e.amount as difference
  ), entry as (
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, agent_id, user_id, key_id, provider, model,
      quantity, unit_cost, cost, price_source, at)
    select org_id, ${newId()}, project_id, null, 0, 2, kind, agent_id, user_id, key_id, provider, kind || '/' || provider,
      ${sql.json({ subjectId })}, null, difference, 'provider', ${now}
    from settled where difference <> 0
    returning project_id, cost
  )
  update projects p set spend = p.spend + entry.cost from entry
  where p.org_id = ${orgId} and p.id = entry.project_id`

/** The sum of the items, on the record that people see. */
export const updateCallCost = (sql: Sql, orgId: string, id: string) => sql`
  update calls set cost = s.amount, cost_is_estimate = s.is_estimate
  from (
    select sum(amount) as amount, bool_or(is_estimate) as is_estimate from telephony_costs
    where org_id = ${orgId} and subject_id = ${id}
  ) s
  where calls.org_id = ${orgId} and calls.id = ${id} and s.amount is not null`

export const updateSmsCost = (sql: Sql, orgId: string, id: string) => sql`
  update sms_messages set cost = s.amount, cost_is_estimate = s.is_estimate
  from (
    select sum(amount) as amount, bool_or(is_estimate) as is_estimate from telephony_costs
    where org_id = ${orgId} and subject_id = ${id}
  ) s
  where sms_messages.org_id = ${orgId} and sms_messages.id = ${id} and s.amount is not null`
