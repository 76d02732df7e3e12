import type { z } from 'zod'
import type { Approval } from './approvals.ts'
import type { RunEvent } from './run-events.ts'
import type { AgentSession, Message } from './sessions.ts'

/** The data of the events of `GET /sessions/:id/live`, by event name. */
export interface SessionEvents {
  /** The first event. `isResumed`: the next events continue after the position that the client named. */
  ready: { session: z.output<typeof AgentSession>; isResumed: boolean }
  /** A message that is new, or a queued one that a run has taken up: same id, new number. */
  message: z.output<typeof Message>
  run: RunEvent & { runId: string; seq: number }
  approval: z.output<typeof Approval>
  session: z.output<typeof AgentSession>
  typing: { userId: string; name: string }
  /** The client reconnects; the server refuses the new stream if the access was revoked. */
  ended: { reason: 'age' | 'access' | 'closing' }
}
