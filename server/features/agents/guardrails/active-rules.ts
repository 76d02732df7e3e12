import type { GuardrailStage } from '../../../../contract/agents/guardrail-options.ts'
import type { Sql } from '../../../database/database.ts'
import type { TokenUsage } from '../../../language-models/cost.ts'
import { fence } from '../../../language-models/fence.ts'
import type { Models } from '../../../language-models/models.ts'
import { streamCall } from '../../../language-models/stream-call.ts'
import { createFinder } from './matching/finder.ts'
import type { ActiveRule, ModelRule, Verdict } from './matching/screen.ts'
import { type GuardrailRow, listActive, toGuardrailRule } from './queries.ts'

export type ActiveRules = Record<GuardrailStage, readonly ActiveRule[]>

/** By id and version. The oldest are evicted first. */
const compiledRules = new Map<string, ActiveRule>()
const COMPILED_MAX = 1000

/** A change takes effect at a run's next step. */
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
  const rule = toGuardrailRule(row as GuardrailRow)
  const base = { id: row.id, name: row.name, action: row.action }
  return rule.kind === 'model' ? { ...base, ...rule.config } : { ...base, find: createFinder(rule) }
}

const TIMEOUT_MS = 20_000
const TEXT_CHARACTERS_MAX = 100_000
const OUTPUT_TOKENS_MAX = 16

export interface Judgment {
  verdict: Verdict
  isAnswered: boolean
  /** Null if the model reports none. */
  usage: TokenUsage | null
}

/** Text and instructions at four characters per token, plus the answer. */
export const JUDGMENT_MAX = { inputTokens: 26_500, outputTokens: OUTPUT_TOKENS_MAX }

export async function judgeText(
  models: Pick<Models, 'find'>,
  orgId: string,
  { model, instructions }: Pick<ModelRule, 'model' | 'instructions'>,
  text: string,
): Promise<Judgment> {
  const found = await models.find(orgId, model)
  if (found.kind === 'unknown') return UNAVAILABLE
  const call = streamCall({
    model: found.model,
    system: `You check texts against one rule, which describes the texts that match:

${instructions}

Answer with the single word MATCH or PASS.`,
    messages: [{ role: 'user', content: fence(text.slice(0, TEXT_CHARACTERS_MAX), 'a conversation') }],
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    temperature: 0,
    timeoutMs: TIMEOUT_MS,
  })
  let answer = ''
  let usage: TokenUsage | null = null
  for await (const event of call) {
    if (event.type === 'text') answer += event.text
    if (event.type === 'finished') usage = event.usage
    if (event.type === 'failed') return UNAVAILABLE
  }
  return { verdict: verdictOf(answer), isAnswered: true, usage }
}

const UNAVAILABLE: Judgment = { verdict: 'unavailable', isAnswered: false, usage: null }

/** An answer with neither word counts as no decision. */
function verdictOf(answer: string): Verdict {
  if (/\bMATCH\b/.test(answer)) return 'match'
  return /\bPASS\b/.test(answer) ? 'no match' : 'unavailable'
}
