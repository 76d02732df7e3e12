import type { z } from 'zod'
import type { Approval } from './approvals.ts'
import type { RunEvent } from './run-events.ts'
import type { AgentSession, Message } from './sessions.ts'

/** For `GET /sessions/:id/live`, by event name. */
export interface SessionEvents {
  /** The first event. `isResumed`: the next events continue after the client's position. */
  ready: { session: z.output<typeof AgentSession>; isResumed: boolean }
  /** A new message, or a queued one a run has taken up: same id, new number. */
  message: z.output<typeof Message>
  run: RunEvent & { runId: string; seq: number }
  approval: z.output<typeof Approval>
  session: z.output<typeof AgentSession>
  typing: { userId: string; name: string }
  /** The client reconnects. The server refuses the new stream if access was revoked. */
  ended: { reason: 'age' | 'access' | 'closing' }
}
