import type { GuardrailStage } from '../../../contract/agents/guardrail-options.ts'
import type { Sql } from '../../database/database.ts'
import { finderOf } from './matching/finder.ts'
import type { ActiveRule } from './matching/screen.ts'
import { listActive } from './queries.ts'
import { type GuardrailRow, ruleOf } from './records.ts'

export type ActiveRules = Record<GuardrailStage, readonly ActiveRule[]>

/** Compiled rules of this process, by id and version. The oldest are removed first. */
const compiled = new Map<string, ActiveRule>()
const COMPILED_MAX = 1000

/** The rules that apply to an agent at present: a change takes effect with the next step of a run. */
export async function loadRules(sql: Sql, orgId: string, ids: readonly string[]): Promise<ActiveRules> {
  const rows = await listActive(sql, orgId, ids)
  const of = (stage: GuardrailStage) => rows.filter(({ on }) => on === stage).map(activeRule)
  return { input: of('input'), tool: of('tool'), output: of('output') }
}

function activeRule(row: GuardrailRow): ActiveRule {
  const key = `${row.id} ${row.version}`
  const known = compiled.get(key)
  if (known) return known
  const rule = compileRule(row)
  compiled.set(key, rule)
  if (compiled.size > COMPILED_MAX) compiled.delete(compiled.keys().next().value!)
  return rule
}

/** Throws `InvalidPattern`. */
export function compileRule(row: Omit<GuardrailRow, 'createdBy' | 'createdAt' | 'updatedAt'>): ActiveRule {
  const rule = ruleOf(row as GuardrailRow)
  const base = { id: row.id, name: row.name, action: row.action }
  return rule.kind === 'model' ? { ...base, ...rule.config } : { ...base, find: finderOf(rule) }
}
