import { setImmediate } from 'node:timers/promises'
import type { GuardrailAction } from '../../../../../contract/agents/guardrail-options.ts'
import { type FindMatch, findMatches } from './match.ts'
import { createTextFilter } from './text-filter.ts'

interface RuleBase {
  id: string
  name: string
  action: GuardrailAction
}
export type PartRule = RuleBase & { find: FindMatch }
export type ModelRule = RuleBase & { model: string; instructions: string }
export type ActiveRule = PartRule | ModelRule

/** `unavailable`: the model call failed. A blocking rule then blocks. */
export type Verdict = 'match' | 'no match' | 'unavailable'
export type Judge = (rule: ModelRule, text: string) => Promise<Verdict>

export interface RuleMatches {
  rule: ActiveRule
  labels: Record<string, number>
}

export interface ScreeningResult<T> {
  value: T
  blockedBy: ActiveRule | null
  matched: RuleMatches[]
}

/**
 * The event loop runs between slices. A text that fits into one slice is read whole, so that a slice's end is never
 * taken for the text's end.
 */
const SLICE_CHARACTERS = 65_536

export async function screenText(
  rules: readonly ActiveRule[],
  text: string,
  judge: Judge,
): Promise<ScreeningResult<string>> {
  const matched: RuleMatches[] = []
  let value = text
  for (const rule of rules) {
    const labels: Record<string, number> = {}
    const count = ({ label }: { label: string }) => {
      labels[label] = (labels[label] ?? 0) + 1
    }
    const next = isModelRule(rule) ? await decide(rule, value, judge, count) : await apply(rule, value, count)
    if (Object.keys(labels).length > 0) matched.push({ rule, labels })
    if (next === null) return { value, blockedBy: rule, matched }
    value = next
  }
  return { value, blockedBy: null, matched }
}

export const isModelRule = (rule: ActiveRule): rule is ModelRule => 'instructions' in rule

type OnMatch = (match: { label: string }) => void

/** Returns null if the rule blocks the text. */
async function decide(rule: ModelRule, text: string, judge: Judge, onMatch: OnMatch): Promise<string | null> {
  const verdict = text.trim() === '' ? 'no match' : await judge(rule, text)
  if (verdict === 'no match') return text
  onMatch({ label: verdict === 'match' ? 'model' : 'model unavailable' })
  return rule.action === 'block' ? null : text
}

async function apply({ find, action }: PartRule, text: string, onMatch: OnMatch): Promise<string | null> {
  if (action !== 'flag') return filterText(find, action, text, onMatch)
  for (const match of findMatches(find, text)) onMatch(match)
  return text
}

async function filterText(
  find: FindMatch,
  action: 'block' | 'redact',
  text: string,
  onMatch: OnMatch,
): Promise<string | null> {
  const filter = createTextFilter({ find, action, onMatch })
  let passed = ''
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    if (at > 0) await setImmediate()
    passed += filter.add(text.slice(at, at + SLICE_CHARACTERS))
    if (filter.isBlocked()) return null
  }
  passed += filter.end()
  return filter.isBlocked() ? null : passed
}

/** Covers every text and number in a JSON value. A model decides about the whole. */
export async function screenValue<T>(
  rules: readonly ActiveRule[],
  value: T,
  judge: Judge,
): Promise<ScreeningResult<T>> {
  const modelRules = rules.filter(isModelRule)
  const partRules = rules.filter((rule) => !isModelRule(rule))
  const matched: RuleMatches[] = []
  let blockedBy: ActiveRule | null = null
  async function visit(node: unknown): Promise<unknown> {
    if (blockedBy) return node
    if (typeof node === 'string' || typeof node === 'number') {
      const screened = await screenText(partRules, String(node), judge)
      matched.push(...screened.matched)
      blockedBy = screened.blockedBy
      return screened.value === String(node) ? node : screened.value
    }
    if (Array.isArray(node)) {
      const items: unknown[] = []
      for (const item of node) items.push(await visit(item))
      return items
    }
    if (typeof node !== 'object' || node === null) return node
    const entries: [string, unknown][] = []
    for (const [key, child] of Object.entries(node)) entries.push([key, await visit(child)])
    return Object.fromEntries(entries)
  }
  const screened = partRules.length === 0 ? value : await visit(value)
  if (!blockedBy && modelRules.length > 0) {
    const decided = await screenText(modelRules, JSON.stringify(screened), judge)
    matched.push(...decided.matched)
    blockedBy = decided.blockedBy
  }
  return { value: screened as T, blockedBy, matched: merge(matched) }
}

function merge(all: readonly RuleMatches[]): RuleMatches[] {
  const byId = new Map<string, RuleMatches>()
  for (const { rule, labels } of all) {
    const merged = byId.get(rule.id) ?? { rule, labels: {} }
    for (const [label, count] of Object.entries(labels))
      merged.labels[label] = (merged.labels[label] ?? 0) + count
    byId.set(rule.id, merged)
  }
  return [...byId.values()]
}
