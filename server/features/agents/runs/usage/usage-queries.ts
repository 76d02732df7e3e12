import type { Sql } from '../../../../database/database.ts'
import type { TokenUsage } from '../../../../language-models/cost.ts'
import { newId } from '../../../../security/ids.ts'
import type { EngineRun } from '../engine/run-row.ts'

export interface LedgerEntry {
  step: number
  attempt: number
  /** `guardrail`: a judgment of the model of a guardrail. */
  kind: 'tokens' | 'guardrail'
  /** Distinguishes entries of one kind and attempt. */
  ordinal: number
  provider: string
  model: string
  quantity: TokenUsage
  unitCost: object | null
  cost: string | null
  priceSource: 'organization' | 'operator' | 'provider' | 'table' | 'estimate' | 'unknown'
  now: Date
}

/** Records usage once per attempt, and adds it to the totals of the run and the project. */
export const insertUsage = (sql: Sql, run: EngineRun, entry: LedgerEntry) => sql`
  with entry as (
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, call_ordinal, agent_id, user_id, key_id, provider, model,
      quantity, unit_cost, cost, price_source, at)
    values (${run.orgId}, ${newId()}, ${run.projectId}, ${run.id}, ${entry.step}, ${entry.attempt}, ${entry.kind}, ${entry.ordinal},
      ${run.agentId}, ${run.createdBy}, ${run.keyId}, ${entry.provider}, ${entry.model},
      ${sql.json(entry.quantity as never)}, ${sql.json(entry.unitCost as never)}, ${entry.cost}, ${entry.priceSource},
      ${entry.now})
    on conflict do nothing
    returning cost
  ), counted as (
    update runs set cost = runs.cost + coalesce(entry.cost, 0), tokens_in = tokens_in + ${entry.quantity.input},
      tokens_out = tokens_out + ${entry.quantity.output}
    from entry where runs.org_id = ${run.orgId} and runs.id = ${run.id}
  )
  update projects set spend = spend + entry.cost from entry
  where projects.org_id = ${run.orgId} and projects.id = ${run.projectId} and entry.cost > 0`
