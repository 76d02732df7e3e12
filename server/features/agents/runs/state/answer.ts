import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { TokenUsage } from '../../../../language-models/cost.ts'
import type { ModelFailure } from '../../../../language-models/failures.ts'
import type { CallEvent, FinishedCall, ModelMessage } from '../../../../language-models/stream-call.ts'
import type { ActiveRule, RuleMatches } from '../../guardrails/guardrails.ts'
import { toStorable } from './storable.ts'

/** More calls are a model fault and end with an error. */
export const CALLS_PER_STEP_MAX = 64
/** Longer answers are cut off. */
const TEXT_CHARACTERS_MAX = 1_000_000

export interface RequestedCall {
  callId: string
  tool: string
  input: unknown
  /** The AI SDK's message. */
  invalid: string | null
}

export interface Answer {
  text: string
  calls: RequestedCall[]
  finish: FinishedCall['finishReason'] | null
  usage: TokenUsage | null
  /** The next call sends them back verbatim. */
  messages: ModelMessage[]
  firstTokenAt: Date | null
  failure: ModelFailure | null
  /** The text ends before the match. */
  blockedBy: ActiveRule | null
  matched: RuleMatches[]
  /** A complete answer's last text, which the step's final transaction stores. */
  unwrittenEvents: RunEvent[]
  /** The run was canceled or claimed by another worker. */
  stopReason: unknown
}

export type ArrivingAnswer = Omit<Answer, 'stopReason' | 'unwrittenEvents'>

export async function collectAnswer(
  events: AsyncIterable<CallEvent>,
  writer: { add: (kind: 'text' | 'reasoning', text: string) => void },
  now: () => Date,
): Promise<ArrivingAnswer> {
  const answer: ArrivingAnswer = {
    text: '',
    calls: [],
    finish: null,
    usage: null,
    messages: [],
    firstTokenAt: null,
    failure: null,
    blockedBy: null,
    matched: [],
  }
  let characters = 0
  for await (const event of events) {
    if (event.type !== 'failed') answer.firstTokenAt ??= now()
    if (event.type === 'text' || event.type === 'reasoning') {
      characters += event.text.length
      if (characters > TEXT_CHARACTERS_MAX) return { ...answer, failure: answerTooLong }
      writer.add(event.type, event.text)
      if (event.type === 'text') answer.text += event.text
    } else if (event.type === 'call') {
      const { callId, tool, input, invalid } = event
      answer.calls.push(toStorable({ callId, tool, input, invalid }))
      characters += JSON.stringify(input ?? null).length
      if (characters > TEXT_CHARACTERS_MAX) return { ...answer, failure: answerTooLong }
    } else if (event.type === 'finished') {
      answer.finish = event.finishReason
      answer.usage = event.usage
      answer.messages = toStorable(event.messages)
    } else if (event.type === 'failed') {
      answer.failure = event.failure
    }
  }
  return { ...answer, text: toStorable(answer.text) }
}

/** Some providers report a refusal only in the finish reason. */
export const findRefusal = ({ finish, calls }: Pick<Answer, 'finish' | 'calls'>): ModelFailure | null =>
  finish === 'content-filter' && calls.length === 0 ? refused : null

const refused: ModelFailure = {
  kind: 'refused',
  isRetryable: false,
  retryAfterMs: null,
  status: null,
  message: 'The provider refused the content',
}

const answerTooLong: ModelFailure = {
  kind: 'invalid_request',
  isRetryable: false,
  retryAfterMs: null,
  status: null,
  message: 'The model’s answer is longer than a million characters',
}
