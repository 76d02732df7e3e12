import { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../security/ids.ts'
import type { LanguageModel } from '../language-model.ts'
import { findScript, type ScriptLine } from './parse-script.ts'

type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

interface ScriptedCall {
  lines: readonly ScriptLine[]
  options: Pick<CallOptions, 'prompt' | 'abortSignal'>
  refusal: (status: number) => Error
}

/** A refusal before the first output rejects, as with real providers. */
export async function play(scripted: ScriptedCall): Promise<ReadableStream<StreamPart>> {
  const { lines, options, refusal } = scripted
  const firstIndex = lines.findIndex(({ command }) => command !== 'wait')
  const firstLine = lines[firstIndex]
  if (firstLine?.command === 'fail') {
    for (const line of lines.slice(0, firstIndex)) if (line.command === 'wait') await pause(line.ms, options)
    throw refusal(firstLine.status)
  }
  return WebStream.from(stream(scripted)) as ReadableStream<StreamPart>
}

async function* stream({ lines, options, refusal }: ScriptedCall): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  const { prompt } = options
  let openText: string | null = null
  let output = ''
  let calls = 0
  for (const line of lines) {
    options.abortSignal?.throwIfAborted()
    if (line.command === 'wait') await pause(line.ms, options)
    if (line.command === 'cut') throw new TypeError('terminated', { cause: new Error('other side closed') })
    if (line.command === 'fail') {
      yield { type: 'error', error: refusal(line.status) }
      yield finish('error', promptTokens(prompt), output)
      return
    }
    if (line.command === 'say') {
      const text = line.text.replaceAll('{{last}}', () => lastToolResult(prompt) ?? '(no tool result)')
      const chunks = openText === null ? chunksOf(text) : ['\n', ...chunksOf(text)]
      if (openText === null) {
        openText = newId()
        yield { type: 'text-start', id: openText }
      }
      for (const delta of chunks) yield { type: 'text-delta', id: openText, delta }
      output += chunks.join('')
    }
    if (line.command === 'call') {
      if (openText !== null) yield { type: 'text-end', id: openText }
      openText = null
      calls++
      output += line.input
      yield* toolCall(line.tool, line.input)
    }
  }
  if (openText !== null) yield { type: 'text-end', id: openText }
  yield finish(calls > 0 ? 'tool-calls' : 'stop', promptTokens(prompt), output)
}

function* toolCall(toolName: string, input: string): Generator<StreamPart> {
  const id = `call_${newId()}`
  yield { type: 'tool-input-start', id, toolName }
  yield { type: 'tool-input-delta', id, delta: input }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName, input }
}

function finish(unified: 'stop' | 'tool-calls' | 'error', inputTokens: number, output: string): StreamPart {
  const outputTokens = countTokens(output)
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
    },
  }
}

const chunksOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? []

const pause = (ms: number, { abortSignal }: Pick<CallOptions, 'abortSignal'>) =>
  delay(ms, undefined, abortSignal ? { signal: abortSignal } : {})

export type CallOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
type Message = Prompt[number]

export const lastUserText = (prompt: Prompt): string => {
  const message = prompt.findLast(({ role }) => role === 'user')
  return message ? textOf(message) : ''
}

export function lastScript(prompt: Prompt): { source: string; answers: number } | null {
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index]!
    const source = message.role === 'user' ? findScript(textOf(message)) : null
    if (source === null) continue
    const answers = prompt.slice(index + 1).filter(({ role }) => role === 'assistant').length
    return { source, answers }
  }
  return null
}

function lastToolResult(prompt: Prompt): string | null {
  const results = prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part] : []))
      : [],
  )
  const output = results.at(-1)?.output
  if (!output) return null
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'denied'
  if (output.type === 'content')
    return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return JSON.stringify(output.value)
}

/** About four characters per token, as models count English text. */
const countTokens = (text: string) => Math.ceil(text.length / 4)

const promptTokens = (prompt: Prompt) => countTokens(JSON.stringify(prompt))

function textOf(message: Message): string {
  if (message.role === 'system') return message.content
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
