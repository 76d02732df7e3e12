import { isDeepStrictEqual } from 'node:util'
import { SETTING_NAMES, type SettingName } from '../../contract/agents/agent-fields.ts'
import { print, sanitize, style } from '../terminal.ts'
import type { AgentDocument } from './document.ts'
import type { Agent } from './find.ts'

export interface SettingChange {
  field: SettingName
  before: unknown
  after: unknown
}

/** The settings that the document changes. */
export const changesOf = (agent: Agent, document: AgentDocument): SettingChange[] =>
  SETTING_NAMES.flatMap((field) => {
    const given = document[field]
    if (given === undefined) return []
    const before = agent[field]
    const after = field === 'tools' ? { ...agent.tools, ...document.tools } : given
    return isDeepStrictEqual(comparable(before), comparable(after)) ? [] : [{ field, before, after }]
  })

/** The server stores an empty text as null, and an amount with six decimals. */
function comparable(value: unknown): unknown {
  if (value === '') return null
  if (typeof value === 'object' && value !== null && 'amount' in value)
    return { ...value, amount: Number(value.amount) }
  return value
}

/** Prints a change: one line for a value, the changed lines of a text. */
export function printChange({ field, before, after }: SettingChange): void {
  if (typeof before !== 'string' || typeof after !== 'string' || field !== 'prompt') {
    print(`    ${field}: ${shown(before)} → ${shown(after)}`)
    return
  }
  print(`    ${field}:`)
  const [removed, added] = changedLines(before, after)
  for (const line of removed) print(style('red', `      - ${sanitize(line)}`, process.stdout))
  for (const line of added) print(style('green', `      + ${sanitize(line)}`, process.stdout))
}

const shown = (value: unknown) => sanitize(typeof value === 'string' ? value : JSON.stringify(value))

/** The lines between the common start and the common end of two texts. */
function changedLines(before: string, after: string): [string[], string[]] {
  const [old, next] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start++
  let end = 0
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end++
  return [old.slice(start, old.length - end), next.slice(start, next.length - end)]
}
