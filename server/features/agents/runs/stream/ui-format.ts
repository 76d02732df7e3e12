import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import { type EndReason, SSE_HEADERS } from '../../../../streams/sse-connection.ts'
import type { Batch } from '../../../../streams/topic.ts'
import type { EventPage } from './read-events.ts'
import { initialUiState, translate, type UiChunk, type UiState } from './ui-chunks.ts'

export const UI_HEADERS = { ...SSE_HEADERS, 'x-vercel-ai-ui-message-stream': 'v1' }

/** Clients treat the stream's end as the answer's end. */
export const UI_AGE_MS = 4 * 3_600_000

export interface UiCursor {
  seq: number
  state: UiState
}

export const uiStart = (runId: string): UiCursor => ({ seq: 0, state: initialUiState(runId) })

/** Only an event's last chunk has its number, so that no event is resumed in part. */
export function formatUiPage(after: UiCursor, { events, hasMore, isEnd }: EventPage): Batch<UiCursor> {
  const formatted: Batch<UiCursor>['events'] = []
  let cursor = after
  for (const event of events) {
    const { state, chunks } = translate(cursor.state, event as unknown as RunEvent)
    cursor = { seq: event.seq, state }
    const done = event.type === 'run.finished' ? DONE : ''
    if (chunks.length > 0) formatted.push({ cursor, frame: formatChunks(chunks, event.seq, done) })
  }
  return { events: formatted, next: cursor, hasMore, isEnd }
}

const DONE = 'data: [DONE]\n\n'

function formatChunks(chunks: UiChunk[], seq: number, suffix: string): Buffer {
  const lines = chunks.map((chunk, index) => {
    const id = index === chunks.length - 1 ? `id: ${seq}\n` : ''
    return `${id}data: ${JSON.stringify(chunk)}\n\n`
  })
  return Buffer.from(lines.join('') + suffix)
}

const END_TEXTS: Record<EndReason, string> = {
  age: 'The stream reached its maximum age, but the run continues: reconnect',
  access: 'You no longer have access to this run',
  closing: 'The server is stopping, but the run continues: reconnect',
}

/** An error, because clients treat the stream's end as the answer's end. */
export const formatUiEnd = (reason: EndReason): Buffer => formatUiError(END_TEXTS[reason])

const formatUiError = (errorText: string) =>
  Buffer.from(`data: ${JSON.stringify({ type: 'error', errorText })}\n\n`)

export function formatUiRefusal(runId: string, errorText: string): Buffer {
  const start = { type: 'start', messageId: runId, messageMetadata: { runId } }
  return Buffer.concat([Buffer.from(`data: ${JSON.stringify(start)}\n\n`), formatUiError(errorText)])
}
