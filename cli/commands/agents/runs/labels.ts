import type { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { dictionary } from '../../../../contract/dictionary.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { displayWidth, sanitize, style } from '../../../terminal.ts'

export type RunDetails = OutputOf<typeof agentRuns.get>
/** As in lists. */
export type AgentRun = OutputOf<typeof agentRuns.list>['items'][number]

type Format = Parameters<typeof style>[0]

const COLORS: Record<string, Format> = dictionary({
  queued: 'cyan',
  running: 'cyan',
  waiting: 'yellow',
  succeeded: 'green',
  failed: 'red',
  canceled: 'dim',
})

export const statusText = ({ status, wait }: Pick<AgentRun, 'status' | 'wait'>): string =>
  wait ? `waiting for ${WAITS[wait.for] ?? wait.for}` : status

export const coloredStatus = (run: Pick<AgentRun, 'status' | 'wait'>): string =>
  style(COLORS[run.wait ? 'waiting' : run.status] ?? 'reset', statusText(run), process.stdout)

export const WAITS: Record<string, string> = dictionary({
  approval: 'an approval',
  input: 'an answer',
  budget: 'the budget',
  connection: 'a connection',
  retry: 'the model provider',
  child: 'another run',
  preview: '`runs continue`, after its first items',
  form: 'an answer to a form',
  event: 'an event',
  time: 'its time',
})

export const timeText = (timestamp: string): string => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}Z`

/** Empty below a millisecond: a call that commits with its result starts and ends in the same event batch. */
export function durationText(ms: number): string {
  if (ms < 1) return ''
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Empty if a timestamp is missing or both are the same. */
export const betweenText = (from: string | null, to: string | null): string =>
  from && to && from < to ? durationText(Date.parse(to) - Date.parse(from)) : ''

/** Drops trailing zeros but keeps two decimals. */
export const costText = ({ amount }: { amount: string }): string =>
  `$${amount.replace(/(\.\d\d\d*?)0+$/, '$1')}`

export function totalsText({ model, steps, tokensIn, tokensOut, tokensCacheRead, cost }: AgentRun): string {
  const count = (value: number) => value.toLocaleString('en-US')
  const cached = tokensCacheRead > 0 ? ` (${count(tokensCacheRead)} cached)` : ''
  const tokens = `${count(tokensIn)} tokens in${cached}, ${count(tokensOut)} out`
  return `${sanitize(model)}, ${steps} ${steps === 1 ? 'step' : 'steps'}, ${tokens}, ${costText(cost)}`
}

export function shorten(text: string, columns: number): string {
  const line = sanitize(text.trim().split('\n', 1)[0]!.trim())
  if (displayWidth(line) <= columns) return line
  let cut = ''
  for (const character of line) {
    if (displayWidth(cut + character) >= columns) break
    cut += character
  }
  return `${cut.trimEnd()}…`
}
