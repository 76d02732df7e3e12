import type { GuardrailStage } from '../../../../contract/agents/guardrail-options.ts'
import type { Sql } from '../../../database/database.ts'
import { finderOf } from './matching/finder.ts'
import type { ActiveRule } from './matching/screen.ts'
import { listActive } from './queries.ts'
import { type GuardrailRow, ruleOf } from './records.ts'

export type ActiveRules = Record<GuardrailStage, readonly ActiveRule[]>

/** Compiled rules of this process, by id and version. The oldest are removed first. */
const compiledRules = new Map<string, ActiveRule>()
const COMPILED_MAX = 1000

/** The rules that apply to an agent at present: a change takes effect with the next step of a run. */
export async function loadRules(sql: Sql, orgId: string, ids: readonly string[]): Promise<ActiveRules> {
  const rows = await listActive(sql, orgId, ids)
  const rulesOf = (stage: GuardrailStage) => rows.filter(({ on }) => on === stage).map(activeRuleOf)
  return { input: rulesOf('input'), tool: rulesOf('tool'), output: rulesOf('output') }
}

function activeRuleOf(row: GuardrailRow): ActiveRule {
  const key = `${row.id} ${row.version}`
  const cached = compiledRules.get(key)
  if (cached) return cached
  const rule = compileRule(row)
  compiledRules.set(key, rule)
  if (compiledRules.size > COMPILED_MAX) compiledRules.delete(compiledRules.keys().next().value!)
  return rule
}

/** Throws `InvalidPattern`. */
export function compileRule(row: Omit<GuardrailRow, 'createdBy' | 'createdAt' | 'updatedAt'>): ActiveRule {
  const rule = ruleOf(row as GuardrailRow)
  const base = { id: row.id, name: row.name, action: row.action }
  return rule.kind === 'model' ? { ...base, ...rule.config } : { ...base, find: finderOf(rule) }
}
