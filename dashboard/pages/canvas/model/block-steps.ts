import { t } from '../../../../contract/text.ts'
import type { Block } from '../store/items.ts'

export type StepKind = 'agent' | 'code' | 'wait' | 'form'

export const STEP_LABELS: Record<StepKind, string> = {
  agent: t`Agent`,
  code: t`Code`,
  wait: t`Wait`,
  form: t`Form`,
}

// biome-ignore lint/suspicious/noExplicitAny: imported blocks may hold anything, which the server checks
type Settings = Record<string, any>

interface Steps {
  kind: StepKind
  step: Settings | null
  forEach: Settings | null
}

export function readSteps({ metadata }: Pick<Block, 'metadata'>): Steps {
  const step = recordOf(metadata.step)
  const kind = step && Object.hasOwn(STEP_LABELS, step.type) ? (step.type as StepKind) : 'agent'
  return { kind, step: kind === 'agent' ? null : step, forEach: recordOf(metadata.forEach) }
}

const recordOf = (value: unknown): Settings | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : null

/** Waits and forms need no instructions. */
export function canRunBlock(block: Pick<Block, 'metadata' | 'content'>): boolean {
  const { kind } = readSteps(block)
  return kind === 'wait' || kind === 'form' || Boolean(block.content?.trim())
}
