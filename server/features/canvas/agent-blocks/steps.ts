import type { z } from 'zod'
import { BlockStep as StepSchema, ForEach as ForEachSchema } from '../../../../contract/canvas/block-steps.ts'
import type { BlockRow } from '../canvas/canvas.ts'

export type ForEach = z.output<typeof ForEachSchema>
export type BlockStep = z.output<typeof StepSchema>
export type WaitStep = Extract<BlockStep, { type: 'wait' }>
export type FormStep = Extract<BlockStep, { type: 'form' }>

interface Steps {
  step: BlockStep | null
  forEach: ForEach | null
}

/** Writes check these; imports and earlier versions may hold anything, which counts as absent. */
export const readSteps = ({ metadata }: Pick<BlockRow, 'metadata'>): Steps => ({
  step: StepSchema.safeParse(metadata.step).data ?? null,
  forEach: ForEachSchema.safeParse(metadata.forEach).data ?? null,
})

export function isStep(block: Pick<BlockRow, 'metadata'>): boolean {
  const { step, forEach } = readSteps(block)
  return step !== null || forEach !== null
}
