import { t } from '../../../../contract/text.ts'
import type { AgentVersion } from '../../../api/agents.ts'
import { formatMoney } from '../../../components/amounts.ts'
import { toJsonText } from '../../../components/results/labels.ts'

type Field = AgentVersion['changes'][number]['field']

/** Returns lines found in only one value; all lines if only their order differs. */
export function changedValues(field: Field, before: unknown, after: unknown) {
  const [old, next] = [valueLines(field, before), valueLines(field, after)]
  const removed = old.filter((line) => !next.includes(line))
  const added = next.filter((line) => !old.includes(line))
  return removed.length + added.length > 0 ? { removed, added } : { removed: old, added: next }
}

function valueLines(field: Field, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'object') return [typeof value === 'string' ? value : JSON.stringify(value)]
  if (field === 'outputSchema') return toJsonText(value).split('\n')
  if (field === 'budget') return [amountOf(value as { amount: string; currency: string })]
  return Object.entries(value).map(([name, each]) => `${name}: ${SWITCHED.get(each) ?? String(each)}`)
}

const SWITCHED = new Map<unknown, string>([
  [true, t`on`],
  [false, t`off`],
])

const amountOf = ({ amount, currency }: { amount: string; currency: string }) =>
  formatMoney(amount.replace(/(\.\d\d)0+$/, '$1'), currency)

export function changedLines(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, next] = [textLines(before), textLines(after)]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  return { removed: old.slice(start, old.length - end), added: next.slice(start, next.length - end) }
}

const textLines = (text: string) => (text === '' ? [] : text.split('\n'))
