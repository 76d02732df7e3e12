import { dictionary } from '../../contract/dictionary.ts'
import { redactSecrets } from '../security/redact-secrets.ts'
import type { Attributes, SpanStart } from './tracing.ts'

/** OpenTelemetry GenAI conventions: https://opentelemetry.io/docs/specs/semconv/gen-ai/. */

/** Convention names. Other providers use their id. */
const PROVIDERS: Record<string, string> = dictionary({ google: 'gcp.gemini', test: 'atrium.test' })

const NAME_CHARACTERS_MAX = 100

interface ModelRequest {
  provider: string
  model: string
  maxTokens?: number | undefined
  temperature?: number | undefined
}

export const modelSpan = ({ provider, model, maxTokens, temperature }: ModelRequest): SpanStart => ({
  name: `chat ${model}`,
  kind: 'client',
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerName(provider.split('.')[0]!),
    'gen_ai.request.model': model,
    ...(maxTokens !== undefined && { 'gen_ai.request.max_tokens': maxTokens }),
    ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
  },
})

export const providerName = (id: string): string => PROVIDERS[id] ?? id

interface ModelResponse {
  finish: string
  usage: { input: number; output: number; cacheRead?: number; cacheWrite?: number } | null
}

export const responseAttributes = ({ finish, usage }: ModelResponse): Attributes => ({
  'gen_ai.response.finish_reasons': [finish.replaceAll('-', '_')],
  ...(usage && {
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead ?? 0,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite ?? 0,
  }),
})

/** The model writes the name, so it may match no tool. */
export const toolSpan = ({ tool, callId }: { tool: string; callId: string }): SpanStart => {
  const name = tool.slice(0, NAME_CHARACTERS_MAX)
  return {
    name: `execute_tool ${name}`,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
    },
  }
}

/** Redacts secrets. Only if the operator enables contents. */
export const contentAttribute = (name: string, content: unknown): Attributes => ({
  [name]: JSON.stringify(redactSecrets(content)) ?? '',
})
