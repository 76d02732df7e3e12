import { dictionary } from '../../../contract/dictionary.ts'
import type { OperatorPrices } from '../../config/models.ts'
import type { ModelInfo } from '../describe-model.ts'
import type { LanguageModel } from '../language-model.ts'
import { operatorPricing, type Pricing } from '../prices.ts'
import { parseScript, type ScriptLine } from './parse-script.ts'
import { type CallOptions, lastScript, lastUserText, type Prompt, play } from './play.ts'
import { recordedLines } from './recordings/recordings.ts'

export const TEST_PROVIDER = 'test'
export const TEST_MODELS = ['echo', 'script'] as const
/** For sample projects: plays a recording, also on servers without test models. Not listed. */
export const SAMPLE_MODEL = 'sample'

const CONTEXT_WINDOW = 128_000
const OUTPUT_MAX = 16_000

/** Test models call no provider. A known price lets budgets allow them. */
const FREE: Pricing = {
  currency: 'USD',
  input: 0,
  output: 0,
  cacheRead: null,
  cacheWrite: null,
  tiers: [],
  source: 'table',
}

const NAMES: Record<string, string> = dictionary({
  echo: 'Echo (test model)',
  script: 'Script (test model)',
  sample: 'Recorded example',
})

const USAGE =
  'This test model follows a script in a user message: a fenced block marked `script` with the lines `say <text>`, `call <tool> <json>`, `wait <ms>`, `fail <status>` and `cut`. A line `---` ends one model call.'

/** `test/echo` repeats the last user message. `test/script` follows the script in one. */
export function findTestModel(model: string): LanguageModel | null {
  if (model === 'echo') return testModel(model, ({ prompt }) => [say(lastUserText(prompt) || '(no text)')])
  if (model === 'script') return testModel(model, ({ prompt }) => scriptLines(prompt))
  if (model === SAMPLE_MODEL) return testModel(model, ({ prompt }) => recordedPart(prompt))
  return null
}

export function describeTestModel(model: string, prices: OperatorPrices): ModelInfo | null {
  if (!Object.hasOwn(NAMES, model)) return null
  return {
    id: `${TEST_PROVIDER}/${model}`,
    provider: TEST_PROVIDER,
    name: NAMES[model]!,
    contextWindow: CONTEXT_WINDOW,
    maxOutput: OUTPUT_MAX,
    modalities: { input: ['text'], output: ['text'] },
    tools: model !== 'echo',
    reasoning: false,
    pricing: operatorPricing(prices, TEST_PROVIDER, model) ?? FREE,
    availability: 'available',
    isTest: true,
    created: null,
  }
}

/** The k-th call plays the k-th part, so a retry plays the same one. */
function scriptLines(prompt: Prompt): ScriptLine[] {
  const script = lastScript(prompt)
  if (!script) return [say(USAGE)]
  const parsed = parseScript(script.source)
  return parsed.kind === 'malformed' ? [say(parsed.problem)] : (parsed.parts[script.answers] ?? [])
}

function recordedPart(prompt: Prompt): ScriptLine[] {
  const asked = prompt.findLastIndex(({ role }) => role === 'user')
  const answers = prompt.slice(asked + 1).filter(({ role }) => role === 'assistant').length
  return recordedLines(lastUserText(prompt), answers)
}

const say = (text: string): ScriptLine => ({ command: 'say', text })

function testModel(modelId: string, linesFor: (options: CallOptions) => ScriptLine[]): LanguageModel {
  const start = async (options: CallOptions) => {
    const { APICallError } = await import('ai')
    const refusal = (status: number) =>
      new APICallError({
        message: `The script fails with status ${status}`,
        url: `${TEST_PROVIDER}/${modelId}`,
        requestBodyValues: {},
        statusCode: status,
      })
    return play({ lines: linesFor(options), options, refusal })
  }
  return {
    specificationVersion: 'v3',
    provider: TEST_PROVIDER,
    modelId,
    supportedUrls: {},
    doStream: async (options) => ({ stream: await start(options) }),
    doGenerate: async (options) => collect(await start(options)),
  }
}

type GenerateResult = Awaited<ReturnType<LanguageModel['doGenerate']>>
type Stream = Awaited<ReturnType<LanguageModel['doStream']>>['stream']

async function collect(stream: Stream): Promise<GenerateResult> {
  const content: GenerateResult['content'] = []
  let text = ''
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') text += part.delta
    if (part.type === 'text-end') content.push({ type: 'text', text })
    if (part.type === 'text-end') text = ''
    if (part.type === 'tool-call') content.push(part)
    if (part.type === 'finish')
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
  }
  throw new Error('A test model’s stream has no end')
}
