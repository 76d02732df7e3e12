import { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../security/ids.ts'
import type { LanguageModel } from '../language-model.ts'
import type { ScriptLine } from './parse-script.ts'
import { type CallOptions, countTokens, lastToolResult, promptTokens } from './prompt.ts'

type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

export interface ScriptedCall {
  lines: readonly ScriptLine[]
  options: Pick<CallOptions, 'prompt' | 'abortSignal'>
  /** The error of a provider that refuses with a status. */
  refusal: (status: number) => Error
}

/** One model call as a stream. A refusal before the first output rejects, as that of a real provider does. */
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

/** Word by word, with the white space. */
const chunksOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? []

const pause = (ms: number, { abortSignal }: Pick<CallOptions, 'abortSignal'>) =>
  delay(ms, undefined, abortSignal ? { signal: abortSignal } : {})
