import type { CallState, CallView } from '../view/run-view.ts'

export const CALL_STATES: Record<CallState, { label: string; tone: string }> = {
  called: { label: 'Waiting', tone: 'text-neutral-11' },
  approval: { label: 'Needs approval', tone: 'text-warning-text' },
  running: { label: 'Running', tone: 'text-info-text' },
  done: { label: 'Done', tone: 'text-neutral-11' },
  failed: { label: 'Failed', tone: 'text-bad-text' },
  denied: { label: 'Denied', tone: 'text-warning-text' },
  canceled: { label: 'Canceled', tone: 'text-neutral-11' },
  unknown: { label: 'Result unknown', tone: 'text-warning-text' },
}

/** The error of a call that failed, for its row. */
export function callError({ output, state }: Pick<CallView, 'output' | 'state'>): string | null {
  if (state === 'done' || typeof output !== 'object' || output === null) return null
  const { error } = output as { error?: unknown }
  return typeof error === 'string' ? error : null
}

export const asText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
