import type { AgentVersion } from '../../../api/agents.ts'

/** A setting in lines, without empty values. */
export function describeSetting(field: AgentVersion['changes'][number]['field'], value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'object') return [String(value)]
  if (field === 'budget') return [amountOf(value as { amount: string; currency: string })]
  return Object.entries(value).map(
    ([name, each]) => `${name}: ${each === true ? 'on' : each === false ? 'off' : each}`,
  )
}

const amountOf = ({ amount, currency }: { amount: string; currency: string }) =>
  `${Number(amount)} ${currency}`
