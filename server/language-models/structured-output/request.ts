import type { LanguageModel } from '../language-model.ts'
import type { ModelProvider } from '../provider.ts'
import type { CallOptions } from '../read-stream.ts'
import { providerSchema } from './provider-schema.ts'
import type { StrictNode } from './strict-schema.ts'

/** Of an answer that should match a schema. */
export interface StructuredOutput {
  kind: ModelProvider['kind'] | 'test'
  schema: StrictNode
  hasTools: boolean
  /** The model only has to write its answer again. */
  isCorrection: boolean
}

type RequestOptions = Pick<CallOptions, 'responseFormat' | 'toolChoice' | 'providerOptions'>

const FORMAT_NAME = 'result'

/** Claude up to 4 and other models behind Anthropic's API have no structured output. */
const WITH_FORMAT = /claude-(opus-4-[1-9](?!\d)|(sonnet|haiku)-4-[5-9](?!\d)|[a-z]+-([5-9]|\d\d))/
/** Earlier ones refuse a format beside tools. */
const WITH_FORMAT_AND_TOOLS = /gemini-([3-9]|\d\d)/

/** Null if the prompt alone has to describe the format. */
export function structuredRequest(
  { modelId }: Pick<LanguageModel, 'modelId'>,
  { kind, schema, hasTools, isCorrection }: StructuredOutput,
): RequestOptions | null {
  if (kind === 'test') return null
  const responseFormat = {
    type: 'json' as const,
    schema: providerSchema(kind, schema) as never,
    name: FORMAT_NAME,
  }
  if (kind === 'openai') return { responseFormat }
  // Otherwise the SDK forces a tool call for the answer, which thinking and other tools don't allow.
  if (kind === 'anthropic')
    return WITH_FORMAT.test(modelId)
      ? { responseFormat, providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } } }
      : null
  if (kind === 'google') return hasTools && !WITH_FORMAT_AND_TOOLS.test(modelId) ? null : { responseFormat }
  if (!hasTools) return { responseFormat }
  // Most servers enforce the format by a grammar from the first token, so the model could never call a tool.
  return isCorrection ? { responseFormat, toolChoice: { type: 'none' } } : null
}

/** Formats that a model refused. Both keys are cached objects. */
const refused = new WeakMap<LanguageModel, WeakSet<StrictNode>>()

export const isFormatRefused = (model: LanguageModel, { schema }: StructuredOutput): boolean =>
  refused.get(model)?.has(schema) ?? false

export function rememberRefusedFormat(model: LanguageModel, { schema }: StructuredOutput): void {
  const formats = refused.get(model) ?? new WeakSet()
  refused.set(model, formats.add(schema))
}
