import type { z } from 'zod'
import type { Citation } from '../../../../../contract/agents/citations.ts'
import type { RunEvent } from '../../../../../contract/agents/run-events.ts'

/** AI SDK UI message stream, version 1. */
export type UiChunk = { type: string } & Record<string, unknown>

type Kind = 'text' | 'reasoning'

/** One run is one message with its id. */
export interface UiState {
  runId: string
  isStarted: boolean
  isStepOpen: boolean
  part: { kind: Kind; id: string; n: number; attempt: number } | null
  partCount: number
  finish: string | null
}

export const initialUiState = (runId: string): UiState => ({
  runId,
  isStarted: false,
  isStepOpen: false,
  part: null,
  partCount: 0,
  finish: null,
})

export interface UiTranslation {
  state: UiState
  chunks: UiChunk[]
}

/** Depends only on the events so far, so that a stream can begin after any. */
export function translate(before: UiState, event: RunEvent): UiTranslation {
  if (before.isStarted) return translateStarted(before, event)
  const model = event.type === 'run.started' ? { model: event.data.model } : {}
  const { runId } = before
  const start = { type: 'start', messageId: runId, messageMetadata: { runId, ...model } }
  const { state, chunks } = translateStarted({ ...before, isStarted: true }, event)
  return { state, chunks: [start, ...chunks] }
}

function translateStarted(state: UiState, event: RunEvent): UiTranslation {
  switch (event.type) {
    case 'step.started': {
      const ended = endStep(state)
      return {
        state: { ...ended.state, isStepOpen: true },
        chunks: [...ended.chunks, { type: 'start-step' }],
      }
    }
    case 'text':
    case 'reasoning':
      return addText(state, event.type, event.data)
    case 'step.finished': {
      const ended = endPart(state, event.data.state === 'done')
      const sources = (event.data.citations ?? []).map(sourceOf)
      return { state: { ...ended.state, finish: event.data.finish }, chunks: [...ended.chunks, ...sources] }
    }
    case 'tool.called': {
      const { callId, tool, input } = event.data
      // The server runs the tool, so a client must not.
      const execution = { dynamic: true, providerExecuted: true }
      return {
        state,
        chunks: [{ type: 'tool-input-available', toolCallId: callId, toolName: tool, input, ...execution }],
      }
    }
    case 'approval.requested': {
      const { approvalId, callId } = event.data
      return { state, chunks: [{ type: 'tool-approval-request', approvalId, toolCallId: callId }] }
    }
    case 'tool.finished':
      return { state, chunks: [resultOf(event.data)] }
    case 'run.finished': {
      const ended = endStep(state)
      return { state: ended.state, chunks: [...ended.chunks, ...endOf(state, event.data)] }
    }
    default:
      return { state, chunks: [] }
  }
}

function addText(
  before: UiState,
  kind: Kind,
  { n, attempt, text }: { n: number; attempt: number; text: string },
): UiTranslation {
  const { part } = before
  if (part?.kind === kind)
    return { state: before, chunks: [{ type: `${kind}-delta`, id: part.id, delta: text }] }
  const { state, chunks } = endPart(before, true)
  const id = `${n}.${attempt}.${state.partCount + 1}`
  return {
    state: { ...state, part: { kind, id, n, attempt }, partCount: state.partCount + 1 },
    chunks: [...chunks, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta: text }],
  }
}

/** A broken-off attempt's text stays. */
function endPart(state: UiState, isComplete: boolean): UiTranslation {
  if (!state.part) return { state, chunks: [] }
  const { kind, id, n, attempt } = state.part
  const mark = { providerMetadata: { atrium: { interrupted: true, step: n, attempt } } }
  return {
    state: { ...state, part: null },
    chunks: [{ type: `${kind}-end`, id, ...(!isComplete && mark) }],
  }
}

/** A step ends when the next starts, because its answer's calls belong to it. */
function endStep(before: UiState): UiTranslation {
  const { state, chunks } = endPart(before, false)
  if (!state.isStepOpen) return { state, chunks }
  return { state: { ...state, isStepOpen: false }, chunks: [...chunks, { type: 'finish-step' }] }
}

/** The whole citation is in the metadata: the protocol has no pages or quotes. */
const sourceOf = (citation: z.input<typeof Citation>): UiChunk => ({
  type: 'source-document',
  sourceId: citation.key,
  mediaType: 'text/plain',
  title: citation.source.name,
  providerMetadata: { atrium: citation },
})

function resultOf({ callId, state, output }: { callId: string; state: string; output: unknown }): UiChunk {
  if (state === 'done') return { type: 'tool-output-available', toolCallId: callId, output }
  const error = (output as { error?: unknown } | null)?.error
  return {
    type: 'tool-output-error',
    toolCallId: callId,
    errorText: typeof error === 'string' ? error : JSON.stringify(output),
  }
}

const FINISH_REASONS = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other']

function endOf(
  { finish }: UiState,
  { status, error, output }: { status: string; error: string | null; output?: unknown },
): UiChunk[] {
  if (status === 'canceled') return [{ type: 'abort', reason: 'The run was canceled' }]
  if (status === 'failed')
    return [
      { type: 'error', errorText: error ?? 'The run failed' },
      { type: 'finish', finishReason: 'error' },
    ]
  const isKnown = finish !== null && FINISH_REASONS.includes(finish)
  const data = output === undefined ? [] : [{ type: 'data-output', data: output }]
  return [...data, { type: 'finish', ...(isKnown && { finishReason: finish }) }]
}
