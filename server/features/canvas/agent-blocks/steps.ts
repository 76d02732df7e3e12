import type { z } from 'zod'
import { ForEach as ForEachSchema, BlockStep as StepSchema } from '../../../../contract/canvas/block-steps.ts'
import type { BlockRow } from '../canvas/canvas.ts'

export type ForEach = z.output<typeof ForEachSchema>
/** What a block waits for. */
export type BlockStep = Exclude<z.output<typeof StepSchema>, { type: 'code' }>
export type FormStep = Extract<BlockStep, { type: 'form' }>

interface Steps {
  step: BlockStep | null
  /** Its content is a program. */
  isCode: boolean
  forEach: ForEach | null
}

/** Writes check these; imports and earlier versions may hold anything, which counts as absent. */
export function readSteps({ metadata }: Pick<BlockRow, 'metadata'>): Steps {
  const step = StepSchema.safeParse(metadata.step).data ?? null
  const forEach = ForEachSchema.safeParse(metadata.forEach).data ?? null
  return step?.type === 'code' ? { step: null, isCode: true, forEach } : { step, isCode: false, forEach }
}

export function isStep(block: Pick<BlockRow, 'metadata'>): boolean {
  const { step, isCode, forEach } = readSteps(block)
  return step !== null || isCode || forEach !== null
}
