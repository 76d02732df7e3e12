import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import { outputFormat } from '../../../../language-models/structured-output/output-format.ts'

/** For the model. Also for models with structured output: they may use tools before, and a fallback may have none. */
export const describeFormat = (
  schema: OutputSchema,
): string => `Result format: end with an answer that is one JSON value matching the JSON Schema below, without other text and without a code fence. You can use tools before; only the last answer has this format.

${JSON.stringify(outputFormat(schema).schema)}`

export const FORMAT_REMINDER = 'End with an answer in the result format given above.'

/** The conversation keeps the answer, so the model sees what it wrote. */
export const askForCorrection = (
  problems: readonly string[],
): string => `Your answer does not match the result format:

${problems.map((problem) => `- ${problem}`).join('\n')}

Answer again with the whole corrected JSON value and nothing else.`

const SHOWN_MAX = 3

export function describeFailure(problems: readonly string[], repairs: number): string {
  const shown = problems.slice(0, SHOWN_MAX).join('; ')
  const rest = problems.length - SHOWN_MAX
  const more = rest > 0 ? `; and ${rest} more` : ''
  return `The answer doesn’t match the result format, also after ${repairs} corrections: ${shown}${more}`
}
