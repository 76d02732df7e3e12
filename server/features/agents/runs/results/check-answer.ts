import {
  type OutputReading,
  outputFormat,
} from '../../../../language-models/structured-output/output-format.ts'
import type { EngineRun } from '../state/run-row.ts'
import { toStorable } from '../state/storable.ts'

/** Null if the answer may be any text. */
export type CheckedAnswer = OutputReading | null

/** Outside of transactions: a long answer takes some milliseconds. */
export function checkAnswer(
  { outputSchema }: Pick<EngineRun, 'outputSchema'>,
  { text, finish }: { text: string; finish: string | null },
): CheckedAnswer {
  if (outputSchema === null) return null
  const reading = outputFormat(outputSchema).read(text)
  if (reading.problems === null) return { output: toStorable(reading.output), problems: null }
  if (finish !== 'length') return reading
  return {
    output: null,
    problems: ['The answer was cut off at its maximum length: make it shorter', ...reading.problems],
  }
}
