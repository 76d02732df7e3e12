import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, text } from '../fields.ts'
import { Money, ProjectRef } from '../projects/projects.ts'
import { Model } from './agent-fields.ts'
import { AgentRun } from './agent-runs.ts'
import { Citation } from './citations.ts'
import { OutputSchema } from './output-schema.ts'
import { MESSAGE_CHARACTERS_MAX } from './session-options.ts'

export const SESSION_STATUSES = ['open', 'ended'] as const
const Status = z.enum(SESSION_STATUSES)

export const AgentSession = z.object({
  id: Id,
  projectId: Id,
  agentId: Id,
  model: z.string().nullable().describe('Used instead of the agent’s model; null for the agent’s'),
  title: z
    .string()
    .nullable()
    .describe(
      'Starts as the first part of the first message; after its first answer, the model writes a title, unless the session was renamed',
    ),
  status: Status,
  origin: z.enum(['chat', 'provider', 'call', 'api']),
  messageCount: z.number().int(),
  activeRunId: Id.nullable().describe('Active run that answers the newest messages; null if there is none'),
  cost: Money.describe('Total cost of its runs'),
  branchedFrom: z
    .object({ sessionId: Id, seq: z.number().int() })
    .nullable()
    .describe('Session and message from which this one branched'),
  knowledge: z
    .boolean()
    .describe(
      'Whether it is pinned as knowledge: agents find and cite its newest messages for anyone who can read it',
    ),
  participants: z.array(z.object({ userId: Id, name: z.string() })),
  canEdit: z.boolean(),
  createdBy: Id.nullable(),
  createdAt: Timestamp,
  lastMessageAt: Timestamp,
  endedAt: Timestamp.nullable(),
})

export const MESSAGE_RATINGS = ['up', 'down'] as const

const Rating = z.object({
  rating: z.enum(MESSAGE_RATINGS),
  comment: z.string().nullable(),
  ratedAt: Timestamp,
})

const Part = z.object({ type: z.string() }).catchall(z.unknown())

export const Message = z.object({
  id: Id,
  seq: z
    .number()
    .int()
    .describe('Number in the session. A queued message gets a new number when a run picks it up'),
  role: z.enum(['user', 'assistant', 'tool', 'note']),
  state: z.enum(['sent', 'queued']),
  runId: Id.nullable(),
  step: z
    .number()
    .int()
    .nullable()
    .describe('Of a `user` message: the step whose answer the server asked the model to correct'),
  authorId: Id.nullable(),
  text: z.string().describe('Text without tool calls and attachments'),
  content: z
    .array(Part)
    .describe(
      'Parts as the model receives them. An `image` names a file’s version instead of bytes: `fileId`, `version` and, unless an untrusted author chose it, `name`',
    ),
  citations: z.array(Citation).describe('What the keys in the text stand for, in its order'),
  fileIds: z.array(Id).describe('Attached files; empty in messages from before version 0.9'),
  trust: z.enum(['trusted', 'verified', 'untrusted']),
  summary: z
    .object({ id: Id, text: z.string(), model: z.string(), createdAt: Timestamp })
    .nullable()
    .describe(
      'Set on the last message that a summary replaces in the model’s context: draw a divider after it',
    ),
  rating: Rating.nullable().describe('Your rating of an agent’s message; null in streams and exports'),
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
  outputSchema: OutputSchema.optional().describe('Format of the run’s `output`. Defaults to the agent’s'),
})

const params = z.object({ id: Id })
const messageParams = z.object({ id: Id, messageId: Id })
const SentMessage = z.object({ message: Message, run: AgentRun })

/** Everyone who can see the project can read its sessions. */
export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'List sessions',
    description: 'Latest message first. `search` finds words in titles and in all messages.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      projectId: ProjectRef.optional(),
      agentId: Id.optional(),
      status: Status.optional(),
      search: text(1, 200).optional(),
      branchedFrom: Id.optional().describe('Returns only this session’s branches'),
    }),
    output: cursorPage(
      AgentSession.extend({
        match: z.string().nullable().describe('Matching message text; null if only the title matches'),
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
      agentId: Id.optional().describe('Defaults to the organization’s first agent'),
      model: Model.optional().describe('Used instead of the agent’s model'),
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
    summary: 'Rename, end, reopen or pin a session, or change its model',
    description:
      'The next run uses the model. Models your organization doesn’t allow are refused. `knowledge` pins the session’s newest messages as knowledge, or unpins them.',
    access: member({ edits: true }),
    params,
    body: z.object({
      title: text(1, 255).nullable().optional(),
      model: Model.nullable().optional(),
      status: Status.optional(),
      knowledge: z.boolean().optional(),
    }),
    output: AgentSession,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/:id',
    summary: 'Delete a session',
    description: 'Deletes its messages and cancels its run. Only its creator and admins can delete it.',
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
      'Starts a run. While a run is active, the message is queued and joins it at its next step; with `interrupt`, the current step ends first. The run’s open approvals are denied, unless the message answers a question. Returns CONFLICT if the session has ended, and for an `outputSchema` while a run is active. With `format=ui`, the response streams the run as AI SDK UI message chunks, from its first event.',
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
  rate: endpoint({
    method: 'PUT',
    path: '/api/v1/sessions/:id/messages/:messageId/rating',
    summary: 'Rate a message',
    description:
      'Replaces your rating. Only you see it and its comment. Returns CONFLICT unless the message is an agent’s.',
    access: member(),
    params: messageParams,
    body: z.object({
      rating: z.enum(MESSAGE_RATINGS, { error: 'must be up or down' }),
      comment: text(1, 1000).optional().describe('Why'),
    }),
    output: Message,
    limit: { name: 'ratings', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
  unrate: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/:id/messages/:messageId/rating',
    summary: 'Remove your rating',
    description: 'Has no effect if you haven’t rated the message.',
    access: member(),
    params: messageParams,
    output: Message,
  }),
  branch: endpoint({
    method: 'POST',
    path: '/api/v1/sessions/:id/branch',
    summary: 'Branch a session',
    description:
      'Copies the messages before `seq` to a new session; with `message`, sends it there. The original session is kept.',
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
      'Server-sent events: `ready` (`{ session, isResumed }`), `message` (a new or changed message), `run` (`{ runId, seq, type, data }`, a run event), `approval` (an approval was requested or decided), `session` (its title, status, active run, cost or participants changed), `typing` (`{ userId, name }`) and `ended`. An event id is a position, `<message>.<run>.<event>`: the number of the last message, the run’s number in the session, and the number of that run’s last event; a fourth part, `.1`, follows that event’s approval. `Last-Event-ID` or `after` resumes after a position, on any process, without loss or repetition. Without a position, the stream starts after the newest message and with the active run’s first event: read the messages once `ready` has arrived. A run’s message replaces the text of its step, which may arrive after it. The server closes streams periodically: reconnect.',
    access: member(),
    params,
    query: z.object({
      after: text(1, 60)
        .refine((value) => POSITION.test(value), 'must be an event id from this stream')
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
      'Sent to everyone else who follows the session, and not stored. Report it at most every two seconds while you type; others show it for about five seconds.',
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
      'The member must be able to see the project. Participants and the session’s creator get an email when a run asks for approvals that they can decide, and when a run longer than five minutes ends. Has no effect if the member is already a participant. Returns CONFLICT beyond 50 participants.',
    access: steppedUp('Adding a participant', { edits: true }),
    params,
    body: z.object({ userId: Id }),
    output: AgentSession.extend({
      emailed: z
        .boolean()
        .describe(
          'Whether the participant gets email: this server sends email, and their address is verified',
        ),
    }),
  }),
  removeParticipant: endpoint({
    method: 'DELETE',
    path: '/api/v1/sessions/:id/participants/:userId',
    summary: 'Remove a participant',
    description: 'For the participant and for members who can edit the project.',
    access: member(),
    params: z.object({ id: Id, userId: Id }),
    output: AgentSession,
  }),
}
