import type { Sql } from '../../../database/database.ts'
import type { TokenUsage } from '../../../language-models/cost.ts'
import { newId } from '../../../security/ids.ts'

export interface TrialEntry {
  userId: string
  keyId: string | null
  model: string
  quantity: TokenUsage
  unitCost: object | null
  cost: string | null
  priceSource: 'organization' | 'operator' | 'provider' | 'table' | 'estimate' | 'unknown'
  now: Date
}

/** Records the usage of the model of a guardrail in a trial, which belongs to no run and no project. */
export const insertTrial = (sql: Sql, orgId: string, entry: TrialEntry) => sql`
  insert into usage (org_id, id, step, attempt, kind, user_id, key_id, provider, model, quantity, unit_cost, cost,
    price_source, at)
  values (${orgId}, ${newId()}, 0, 1, 'guardrail', ${entry.userId}, ${entry.keyId},
    ${entry.model.slice(0, entry.model.indexOf('/'))}, ${entry.model}, ${sql.json(entry.quantity as never)},
    ${sql.json(entry.unitCost as never)}, ${entry.cost}, ${entry.priceSource}, ${entry.now})`
