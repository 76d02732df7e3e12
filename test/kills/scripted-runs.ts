import { LLMock } from '@copilotkit/aimock'

/** One model call of a scripted run. */
interface Part {
  text: string
  calls: { tool: string; input: object }[]
}

export const MODEL = 'scripted/kill'
/** The price of a model is known, so that the ledger marks estimates. */
export const PRICES = JSON.stringify({
  [MODEL]: { input: 1, output: 2 },
  'test/script': { input: 1, output: 2 },
})

const CHARACTERS_PER_CHUNK = 12
const CHUNK_MS = 6

/** The model’s texts and calls for one run. Block and file names contain the run and step. */
export function partsOf(run: string, steps: number): Part[] {
  const parts = Array.from({ length: steps - 1 }, (_, index): Part => {
    const name = `${run} step ${index + 1}`
    const create = { tool: 'edit_canvas', input: { create: [{ type: 'note', title: name }] } }
    const write = { tool: 'write_file', input: { name: `${name}.txt`, text: `Written in ${name}` } }
    const calls = index % 3 === 0 ? [create] : index % 3 === 1 ? [write] : [create, write, readCanvas]
    return { text: textOf(name), calls }
  })
  return [...parts, { text: textOf(`${run} step ${steps}`), calls: [] }]
}

const readCanvas = { tool: 'read_canvas', input: {} }

const textOf = (name: string) =>
  `This is ${name}. ${Array.from({ length: 12 }, (_, n) => `Sentence ${n} 😀 of ${name}.`).join(' ')}`

/** The usage that the provider reports for the call number `step`. */
export const usageOf = (step: number) => ({ input: 1000 + step, output: 100 + step })

/** A provider that plays the scripts, with a journal of its requests. The name of the run is the user message. */
export async function startProvider(steps: number) {
  const mock = await LLMock.create({ port: 0 })
  mock.on(
    { predicate: () => true },
    ({ messages }) => {
      const step = stepOf(messages)
      const part = partsOf(runOf(messages), steps)[step - 1]!
      const { input, output } = usageOf(step)
      const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      const toolCalls = part.calls.map(({ tool, input }) => ({
        name: tool,
        arguments: JSON.stringify(input),
      }))
      return { content: part.text, usage, ...(toolCalls.length > 0 && { toolCalls }) }
    },
    { latency: CHUNK_MS, chunkSize: CHARACTERS_PER_CHUNK },
  )
  return {
    env: {
      ATRIUM_PROVIDER_SCRIPTED_URL: `${mock.url}/v1`,
      ATRIUM_PROVIDER_SCRIPTED_API_KEY: 'sk-scripted',
      ATRIUM_PROVIDER_SCRIPTED_MODELS: MODEL.slice(MODEL.indexOf('/') + 1),
      ATRIUM_MODEL_PRICES: PRICES,
    },
    /** The requests for each step of a run, and how many of them were answered to the end. */
    journalOf(run: string) {
      const entries = mock.getRequests().flatMap(({ body, response }) => {
        const messages = (body as { messages?: Message[] } | null)?.messages
        if (!messages || runOf(messages) !== run) return []
        return [{ step: stepOf(messages), isComplete: !response.interrupted }]
      })
      return (step: number) => {
        const requests = entries.filter((entry) => entry.step === step)
        return { requests: requests.length, complete: requests.filter(({ isComplete }) => isComplete).length }
      }
    },
    stop: () => mock.stop(),
  }
}

interface Message {
  role: string
  content?: unknown
}

/** The number of the model call: each earlier one left a message of the assistant. */
const stepOf = (messages: readonly Message[]) =>
  messages.filter(({ role }) => role === 'assistant').length + 1

function runOf(messages: readonly Message[]): string {
  const { content } = messages.find(({ role }) => role === 'user')!
  return typeof content === 'string' ? content : (content as { text: string }[])[0]!.text
}

/** The parts of a run as a message for the model `test/script`. */
export function scriptOf(run: string, steps: number): string {
  const parts = partsOf(run, steps).map(({ text, calls }) => [
    ...text
      .split(/(?<=\.) /)
      .flatMap((sentence, index) => [...(index > 0 ? ['wait 15'] : []), `say ${sentence}`]),
    ...calls.map(({ tool, input }) => `call ${tool} ${JSON.stringify(input)}`),
  ])
  return `${run}\n\`\`\`script\n${parts.map((lines) => lines.join('\n')).join('\n---\n')}\n\`\`\``
}
