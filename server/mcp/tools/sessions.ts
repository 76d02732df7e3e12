import { z } from 'zod'
import { sessions } from '../../../contract/agents/sessions.ts'
import { Id } from '../../../contract/fields.ts'
import { fence } from '../../language-models/fence.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import { clip } from '../../tools/clip.ts'
import { projectInput, resolveProject } from '../../tools/project-ref.ts'
import { resolveAgentId } from './agent-ref.ts'
import type { McpTool } from './mcp-tool.ts'

const LIMIT = 30
const MESSAGES = 30
const MESSAGE_BYTES = 6000
const ANSWER_BYTES = 24_000

const listInput = z.strictObject({
  project: projectInput,
  agent: z.string().min(1).max(100).optional().describe('Id or exact name'),
  query: z.string().min(1).max(200).optional().describe('Words in messages'),
  cursor: z.string().max(1000).optional(),
})

export const listSessions: McpTool<z.output<typeof listInput>> = {
  name: 'list_sessions',
  description:
    'List conversations with agents, newest message first. Use it to find what an agent was asked or has answered.',
  input: listInput,
  effect: 'read',
  risk: 'none',
  async run(call, { project, agent, query: search, cursor }) {
    const projectId = project ? (await resolveProject(call, project)).id : undefined
    const agentId = agent ? await resolveAgentId(call, agent) : undefined
    const query = { projectId, agentId, search, cursor, limit: LIMIT }
    const { items, nextCursor } = await callEndpoint(call, sessions.list, { query })
    return { items: items.map(describeSession), ...(nextCursor && { nextCursor }) }
  },
}

const readInput = z.strictObject({
  session: Id.describe('An id from list_sessions'),
  cursor: z.string().max(1000).optional().describe('`olderCursor` from the previous part'),
})

export const readSession: McpTool<z.output<typeof readInput>> = {
  name: 'read_session',
  description:
    'Read the messages in a conversation with an agent, the newest part first, in order. Use start_run with the session to answer.',
  input: readInput,
  effect: 'read',
  risk: 'none',
  async run(call, { session: id, cursor }) {
    const session = await callEndpoint(call, sessions.get, { params: { id } })
    const query = { limit: MESSAGES, cursor }
    const page = await callEndpoint(call, sessions.messages, { params: { id }, query })
    const bytes = Math.min(MESSAGE_BYTES, Math.floor(ANSWER_BYTES / Math.max(1, page.items.length)))
    const messages = page.items
      .filter(({ text }) => text !== '')
      .toReversed()
      .map(({ seq, role, text, trust, createdAt }) => {
        const part = clip(text, bytes)
        return {
          seq,
          role,
          text: trust === 'trusted' ? part.text : fence(part.text, 'a message with untrusted content'),
          ...(part.next !== null && { cut: true }),
          createdAt,
        }
      })
    return {
      ...describeSession(session),
      messages,
      ...(page.nextCursor && { olderCursor: page.nextCursor }),
    }
  },
}

type Session = z.output<typeof sessions.get.output>

const describeSession = ({ id, title, origin, projectId, agentId, activeRunId, ...session }: Session) => ({
  id,
  // A third party may have sent the first message, which starts the title.
  title: origin === 'provider' ? '(from outside)' : title,
  projectId,
  agentId,
  status: session.status,
  messageCount: session.messageCount,
  lastMessageAt: session.lastMessageAt,
  ...(activeRunId && { activeRunId }),
})
