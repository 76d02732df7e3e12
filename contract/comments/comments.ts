import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryInteger, Timestamp, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { COMMENT_LIMITS, COMMENT_TARGETS } from './comment-options.ts'

const TARGET = new RegExp(`^(${COMMENT_TARGETS.join('|')}):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

const target = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .toLowerCase()
  .regex(TARGET, 'must be block:<id>, file:<id> or run:<id>')
  .describe('Target of the comment: `block:<id>`, `file:<id>` or `run:<id>`')
  .meta({ examples: ['block:01890000-0000-7000-8000-000000000001'] })

const projectId = ProjectRef.optional().describe(
  'The block’s project. Required only if several projects you can see have a block with this id',
)

const body = text(1, COMMENT_LIMITS.body)
  .describe(
    `Text with emphasis, lists, links and code in Markdown. \`@[<user id>]\` mentions a member; at most ${COMMENT_LIMITS.mentions} mentions`,
  )
  .meta({ examples: ['Please check the numbers.'] })

const Person = z.object({ id: Id, name: z.string() })

export const Comment = z.object({
  id: Id,
  target: z.string(),
  projectId: Id.nullable().describe('Null for a file outside projects'),
  parentId: Id.nullable().describe('First comment in the thread; null for that comment itself'),
  author: z.object({
    id: Id.nullable().describe('Null for a guest'),
    name: z.string().describe('For a guest, the name they entered'),
    guest: z.boolean(),
  }),
  body: z.string().describe('Empty if the comment was deleted and its thread has replies'),
  mentions: z.array(Person).describe('Members mentioned in the body, with their current names'),
  deleted: z.boolean(),
  resolved: z
    .object({ at: Timestamp, by: Person })
    .nullable()
    .describe('Who resolved the thread, and when; null for replies'),
  canEdit: z.boolean(),
  canDelete: z.boolean(),
  canResolve: z.boolean(),
  editedAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

export const Thread = Comment.extend({
  replyCount: z.int(),
  replies: z
    .array(Comment)
    .describe(`The newest ${COMMENT_LIMITS.repliesShown}, oldest first. \`parentId\` lists all replies`),
})

const params = z.object({ id: Id })
const limit = { name: 'comments', by: 'caller', capacity: 60, perSeconds: 60 } as const

export const comments = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/comments',
    summary: 'List comments',
    description:
      'Threads on a block, file or run, oldest first, with their newest replies. With `parentId`, one thread’s replies. Share link guests with comment or edit access see the comments on the blocks in its project.',
    access: member({ share: 'comment' }),
    query: z.object({
      target,
      projectId,
      state: z.enum(['all', 'open', 'resolved']).default('all'),
      parentId: Id.optional(),
      ...cursorQuery,
      limit: queryInteger(1, COMMENT_LIMITS.page, 20),
    }),
    output: cursorPage(Thread),
    failures: ['NOT_FOUND'],
    standby: true,
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/v1/comments/counts',
    summary: 'Count open threads',
    description: 'A project’s blocks that have open threads, with their count.',
    access: member({ share: 'comment' }),
    query: z.object({ projectId: ProjectRef }),
    output: z.object({ items: z.array(z.object({ blockId: Id, open: z.int() })) }),
    failures: ['NOT_FOUND'],
    standby: true,
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/v1/comments/people',
    summary: 'Find members to mention',
    description:
      'Members who can see the target and whose name, or a word in it, begins with `search`. At most eight.',
    access: member(),
    query: z.object({ target, projectId, search: text(0, 100).default('') }),
    output: z.object({ items: z.array(Person) }),
    failures: ['NOT_FOUND'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/comments/:id',
    summary: 'Get a comment',
    access: member({ share: 'comment' }),
    params,
    output: Thread,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/comments',
    summary: 'Add a comment',
    description: `Every member who can see the target can comment, including viewers. Mentioned members must be able to see it too. A target has at most ${COMMENT_LIMITS.perTarget.toLocaleString('en-US')} comments; beyond that, returns CONFLICT. A reply reopens a resolved thread.`,
    access: member({ share: 'comment' }),
    body: z.object({
      target,
      projectId,
      body,
      parentId: Id.optional().describe('First comment in the thread that it replies to'),
      name: displayName(1, COMMENT_LIMITS.guestName)
        .optional()
        .describe('Guest’s name; required for guests, refused for members'),
    }),
    output: Comment,
    status: 201,
    idempotent: true,
    failures: ['NOT_FOUND', 'CONFLICT'],
    limit,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/comments/:id',
    summary: 'Edit, resolve or reopen a comment',
    description:
      'Only the author can edit the body. The first comment’s author and members who can edit the target can resolve and reopen its thread. Guests can do neither.',
    access: member(),
    params,
    body: z
      .object({ body, resolved: z.boolean() })
      .partial()
      .refine((change) => change.body !== undefined || change.resolved !== undefined, {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ resolved: true }] }),
    output: Comment,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/comments/:id',
    summary: 'Delete a comment',
    description:
      'For its author and members who can edit the target. If a thread has replies, its first comment loses its text and stays as a placeholder.',
    access: member(),
    params,
    output: z.object({ deleted: z.literal(true) }),
    limit,
  }),
}
