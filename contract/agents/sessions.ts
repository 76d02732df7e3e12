import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, text } from '../fields.ts'
import { Money, ProjectRef } from '../projects/projects.ts'
import { AgentRun } from './agent-runs.ts'
import { MESSAGE_CHARACTERS_MAX } from './session-options.ts'

export const SESSION_STATUSES = ['open', 'ended'] as const
const Status = z.enum(SESSION_STATUSES)

export const AgentSession = z.object({
  id: Id,
  projectId: Id,
  agentId: Id,
  title: z
    .string()
    .nullable()
    .describe(
      'The beginning of the first message, then a title that the model writes after its first answer, until it is renamed',
    ),
  status: Status,
  origin: z.enum(['chat', 'provider', 'call', 'api']),
  messageCount: z.number().int(),
  activeRunId: Id.nullable().describe('The run that answers the newest messages, while it has not ended'),
  cost: Money.describe('The total cost of its runs'),
  branchedFrom: z
    .object({ sessionId: Id, seq: z.number().int() })
    .nullable()
    .describe('The session and the message from which this one branched'),
  participants: z.array(z.object({ userId: Id, name: z.string() })),
  canEdit: z.boolean(),
  createdBy: Id.nullable(),
  createdAt: Timestamp,
  lastMessageAt: Timestamp,
  endedAt: Timestamp.nullable(),
})

const Part = z.object({ type: z.string() }).catchall(z.unknown())

export const Message = z.object({
  id: Id,
  seq: z
    .number()
    .int()
    .describe('Its number in the session. A queued message gets a new one when a run takes it up'),
  role: z.enum(['user', 'assistant', 'tool', 'note']),
  state: z.enum(['sent', 'queued']),
  runId: Id.nullable(),
  step: z.number().int().nullable(),
  authorId: Id.nullable(),
  text: z.string().describe('Its text, without tool calls and attachments'),
  content: z.array(Part).describe('The parts exactly as the model receives them'),
  trust: z.enum(['trusted', 'verified', 'untrusted']),
  summary: z
    .object({ id: Id, text: z.string(), model: z.string(), createdAt: Timestamp })
    .nullable()
    .describe(
      'On the last message that a summary replaces in the context of the model: draw a divider after it',
    ),
  createdAt: Timestamp,
})

/** `<message>.<run>.<event>`, and `.1` after that event's approval. */
export const POSITION = /^\d{1,15}\.\d{1,9}\.\d{1,15}(\.1)?$/

const NewMessage = z.strictObject({
  content: text(1, MESSAGE_CHARACTERS_MAX, { trim: false }).refine(
    (value) => value.trim() !== '',
    'must not be blank',
  ),
  fileIds: z.array(Id).max(20, 'must have at most 20 files').default([]),
  blockIds: z.array(Id).max(100, 'must have at most 100 blocks').default([]),
})

const params = z.object({ id: Id })
const SentMessage = z.object({ message: Message, run: AgentRun })

/** Everyone who can see the project can read its sessions. */
export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'List sessions',
    description: 'Newest message first. `search` finds words in titles and in all messages.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      projectId: ProjectRef.optional(),
      agentId: Id.optional(),
      status: Status.optional(),
      search: text(1, 200).optional(),
      branchedFrom: Id.optional().describe('Returns the branches of this session only'),
    }),
    output: cursorPage(
      AgentSession.extend({
        match: z
          .string()
          .nullable()
          .describe('The matching text of a message; null if only the title matches'),
      }),
    ),
    tool: 'read',
    standby: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/sessions',
    summary: 'Start a session',
    description: 'With a `message`, also starts a run.',
    access: member({ edits: true }),
    body: z.object({
      projectId: ProjectRef,
      agentId: Id.optional().describe('Default: the first agent of the organization'),
      title: text(1, 255).optional(),
      message: NewMessage.optional(),
    }),
    output: AgentSession.extend({ run: AgentRun.nullable(), message: Message.nullable() }),
    status: 201,
    idempotent: true,
    limit: { name: 'sessions', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/sessions/:id',
    summary: 'Get a session',
    access: member(),
    params,
    output: AgentSession,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/sessions/:id',
    summary: 'Rename, end or reopen a session',
    access: member({ edits: true }),
    params,
    body: z.object({ title: text(1, 255).nullable().optional(), status: Status.optional() }),
    output: AgentSession,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/:id',
    summary: 'Delete a session',
    description: 'Deletes its messages. Cancels its run. Only its creator and admins may delete it.',
    access: member({ edits: true }),
    params,
    output: z.object({ id: Id, deleted: z.literal(true) }),
  }),
  messages: endpoint({
    method: 'GET',
    path: '/api/v1/sessions/:id/messages',
    summary: 'List messages',
    description: 'Newest first; with `after`, the messages after that number, oldest first.',
    access: member(),
    params,
    query: z.object({
      ...cursorQuery,
      after: z.coerce.number().int('must be a whole number').min(0, 'must be at least 0').optional(),
    }),
    output: cursorPage(Message),
    tool: 'read',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/messages',
    summary: 'Send a message',
    description:
      'Starts a run. While a run is active, the message is queued and joins it at its next step; with `interrupt`, the current step ends first. Open approvals of the run are denied, unless the message answers a question. Returns CONFLICT for a session that has ended. With `format=ui`, the response is the stream of the run as UI message chunks of the AI SDK, from its first event.',
    access: member({ edits: true }),
    params,
    query: z.object({ format: z.enum(['json', 'ui']).default('json') }),
    body: NewMessage.extend({ interrupt: z.boolean().default(false) }),
    output: SentMessage,
    status: 202,
    eventsIf: 'With `format=ui`: server-sent events',
    idempotent: true,
    limit: { name: 'messages', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  branch: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/branch',
    summary: 'Branch a session',
    description:
      'Copies the messages before `seq` to a new session; with `message`, sends it there. The original stays.',
    access: member({ edits: true }),
    params,
    body: z.object({ seq: z.number().int().min(1), message: NewMessage.optional() }),
    output: AgentSession.extend({ run: AgentRun.nullable(), message: Message.nullable() }),
    status: 201,
    idempotent: true,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/sessions/:id/export',
    summary: 'Export a session',
    access: member(),
    params,
    query: z.object({ format: z.enum(['markdown', 'json']).default('markdown') }),
    output: z.null(),
    bytes: 'always',
  }),
  live: endpoint({
    method: 'GET',
    path: '/api/v1/sessions/:id/live',
    summary: 'Follow a session',
    description:
      'Server-sent events: `ready` (`{ session, isResumed }`), `message` (a message that is new or has changed), `run` (`{ runId, seq, type, data }`, an event of a run), `approval` (an approval that was requested or decided), `session` (its title, status, active run, cost or participants changed), `typing` (`{ userId, name }`) and `ended`. The id of an event is a position, `<message>.<run>.<event>`: the number of the last message, the number of the run in the session, and the number of the last event of that run; a fourth part, `.1`, follows the approval of that event. `Last-Event-ID` or `after` resumes after a position, on any process, without loss or repetition. Without a position, the stream starts after the newest message and with the first event of the active run: read the messages once `ready` has arrived. A message of a run replaces the text of its step, which may arrive after it. The server closes streams periodically: reconnect.',
    access: member(),
    params,
    query: z.object({
      after: text(1, 60)
        .refine((value) => POSITION.test(value), 'must be the id of an event of this stream')
        .optional(),
    }),
    output: z.null(),
    bytes: 'events',
  }),
  typing: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/typing',
    summary: 'Report that you are typing',
    description:
      'Sent to everyone who follows the session, except to you, and not stored. Report it at most every two seconds while you type; others show it for about five seconds.',
    access: member({ edits: true }),
    params,
    output: z.object({ sent: z.literal(true) }),
    status: 202,
    limit: { name: 'typing', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  addParticipant: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/participants',
    summary: 'Add a participant',
    description:
      'The member must be able to see the project. Participants and the creator of the session get an email when a run asks for approvals that they can decide, and when a run of more than five minutes ends. Has no effect if the member is already a participant. Returns CONFLICT beyond 50 participants.',
    access: steppedUp('Adding a participant', { edits: true }),
    params,
    body: z.object({ userId: Id }),
    output: AgentSession.extend({
      emailed: z
        .boolean()
        .describe('Whether the participant gets email: this server sends it, and their address is verified'),
    }),
  }),
  removeParticipant: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/:id/participants/:userId',
    summary: 'Remove a participant',
    description: 'For members who can edit the project, and for the participant.',
    access: member(),
    params: z.object({ id: Id, userId: Id }),
    output: AgentSession,
  }),
}
