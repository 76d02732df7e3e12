import type { Message } from '../../../api/conversations.ts'
import type { AttemptView, CallView, StepView, TextPart } from './run-view.ts'

type Part = Message['content'][number]

export type Results = ReadonlyMap<string, Part>

const keyOf = ({ runId, step }: Message, callId: unknown) => `${runId} ${step} ${String(callId)}`

export function collectToolResults(messages: readonly Message[]): Results {
  const results = new Map<string, Part>()
  for (const message of messages) {
    if (message.role !== 'tool') continue
    for (const part of message.content)
      if (part.type === 'tool-result') results.set(keyOf(message, part.toolCallId), part)
  }
  return results
}

const NONE: readonly AttemptView[] = []

const cachedSteps = new WeakMap<Message, { step: StepView; resultCount: number; cutOffs: number }>()

/** Shapes a stored answer like a followed one. Unchanged messages give the same object, so they render once. */
export function toStepView(
  message: Message,
  results: Results,
  cutOffs: readonly AttemptView[] = NONE,
): StepView {
  const cached = cachedSteps.get(message)
  const calls = message.content.filter(({ type }) => type === 'tool-call')
  const resultCount = calls.filter(({ toolCallId }) => results.has(keyOf(message, toolCallId))).length
  if (cached?.resultCount === resultCount && cached.cutOffs === cutOffs.length) return cached.step
  const step: StepView = {
    kind: 'step',
    n: message.step ?? 0,
    attempts: [
      ...cutOffs,
      {
        attempt: (cutOffs.at(-1)?.attempt ?? 0) + 1,
        model: '',
        state: 'done',
        parts: message.content.flatMap(textOf),
        tokens: null,
        errorCode: null,
      },
    ],
    calls: calls.map((part, index) => callOf(part, index + 1, results.get(keyOf(message, part.toolCallId)))),
    ...(message.citations.length > 0 && { citations: message.citations }),
  }
  cachedSteps.set(message, { step, resultCount, cutOffs: cutOffs.length })
  return step
}

function textOf(part: Part): TextPart[] {
  if ((part.type !== 'text' && part.type !== 'reasoning') || typeof part.text !== 'string') return []
  return part.text === '' ? [] : [{ kind: part.type, text: part.text }]
}

function callOf(part: Part, ordinal: number, result: Part | undefined): CallView {
  const output = result?.output as { type?: string; value?: unknown } | undefined
  const isFailed = output?.type === 'error-json' || output?.type === 'error-text'
  return {
    callId: String(part.toolCallId),
    ordinal,
    tool: String(part.toolName),
    input: part.input,
    risk: 'none',
    state: output === undefined ? 'called' : isFailed ? 'failed' : 'done',
    output: output?.value ?? null,
    approval: null,
  }
}
