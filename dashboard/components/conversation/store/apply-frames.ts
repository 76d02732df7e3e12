import { applyEvent, isGap } from '../view/apply-event.ts'
import { type NumberedEvent, newRunView } from '../view/run-view.ts'
import { type ConversationState, withMessages, withoutLostRuns, withRun } from './conversation-state.ts'
import type { Frame } from './follow-session.ts'

const TYPING_MS = 5000

/** `isBroken`: events are missing, so the stream has to restart. */
export interface FramesResult {
  state: ConversationState
  isBroken: boolean
}

export function applyFrames(before: ConversationState, frames: readonly Frame[], now: number): FramesResult {
  let state = before
  let isBroken = false
  for (const frame of frames) {
    if (frame.name === 'run') {
      const next = applyRun(state, frame.data)
      isBroken ||= next === null
      state = next ?? state
    } else state = applyFrame(state, frame, now)
  }
  return { state, isBroken }
}

function applyFrame(state: ConversationState, frame: Exclude<Frame, { name: 'run' }>, now: number) {
  switch (frame.name) {
    case 'ready': {
      const { session, isResumed } = frame.data
      const known = isResumed ? state : withoutLostRuns(state, session.activeRunId)
      return session.activeRunId === null ? known : withRun(known, session.activeRunId)
    }
    case 'session':
      return frame.data.activeRunId === null ? state : withRun(state, frame.data.activeRunId)
    case 'message': {
      const { authorId } = frame.data
      const typing = new Map(state.typing)
      if (authorId !== null) typing.delete(authorId)
      return { ...state, typing, messages: withMessages(state.messages, [frame.data]) }
    }
    case 'typing': {
      const { userId, name } = frame.data
      return { ...state, typing: new Map(state.typing).set(userId, { name, until: now + TYPING_MS }) }
    }
    default:
      return state
  }
}

/** Returns null after a gap. If a run's events were deleted, its last event ends it without the others. */
function applyRun(
  state: ConversationState,
  { runId, seq, type, data }: Extract<Frame, { name: 'run' }>['data'],
): ConversationState | null {
  const view = state.views.get(runId) ?? newRunView(runId)
  const event: NumberedEvent = { seq, type, data: data as Record<string, unknown> }
  const views = new Map(state.views)
  if (isGap(view, event)) {
    if (type !== 'run.finished') return null
    views.delete(runId)
    return { ...state, views }
  }
  const next = applyEvent(view, event)
  return next === view ? state : { ...state, views: views.set(runId, next) }
}
