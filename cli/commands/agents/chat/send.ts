import { sessions } from '../../../../contract/agents/sessions.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { withRetry } from '../../files/retry.ts'

export type AgentSession = OutputOf<typeof sessions.get>

/** Sends a message, which joins the active run if there is one. A repeated request does not send it again. */
export function sendMessage({ server, client }: Connection, sessionId: string, content: string) {
  const idempotencyKey = crypto.randomUUID()
  const send = () => client.sessions.send({ id: sessionId, content }, { idempotencyKey })
  return parseResponse(server, sessions.send, withRetry(send, { isRepeatable: true }))
}

interface NewSession {
  projectId: string
  agentId: string | undefined
}

/** Starts a session with its first message. */
export function startSession({ server, client }: Connection, newSession: NewSession, content: string) {
  const idempotencyKey = crypto.randomUUID()
  const create = () => client.sessions.create({ ...newSession, message: { content } }, { idempotencyKey })
  return parseResponse(server, sessions.create, withRetry(create, { isRepeatable: true }))
}
