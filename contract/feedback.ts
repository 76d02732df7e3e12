import { z } from 'zod'
import { endpoint, member, operator } from './endpoint.ts'
import { cursorPage, cursorQuery, Id, jsonObject, queryInteger, Timestamp, text } from './fields.ts'

export const FEEDBACK_STATUS = {
  open: 'received',
  triaged: 'under_review',
  linked: 'planned',
  handed_off: 'in_progress',
  resolved: 'done',
  declined: 'declined',
} as const

export type FeedbackStatus = keyof typeof FEEDBACK_STATUS

const Status = z.enum(Object.keys(FEEDBACK_STATUS) as [FeedbackStatus, ...FeedbackStatus[]])
const PublicStatus = z.enum(Object.values(FEEDBACK_STATUS) as [(typeof FEEDBACK_STATUS)[FeedbackStatus]])
const Message = text(1, 5000)
const METADATA_BYTES_MAX = 16_384
/** Queue counts are capped; one more than this means "more". */
export const QUEUE_COUNT_MAX = 1000

export const FeedbackItem = z.object({
  id: Id,
  message: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  status: Status,
  publicStatus: PublicStatus,
  commentCount: z.int(),
  taskId: z.string().nullable(),
  editable: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const FeedbackComment = z.object({
  id: Id,
  feedbackId: Id,
  author: z.object({ id: Id, name: z.string(), role: z.enum(['owner', 'admin', 'member', 'operator']) }),
  body: z.string(),
  createdAt: Timestamp,
})

export const QueuedFeedback = FeedbackItem.extend({
  organization: z.object({ id: Id, name: z.string() }),
  submitter: z.object({ id: Id, name: z.string(), email: z.string() }),
})

export const FeedbackChange = z.object({
  id: Id,
  operator: z.object({ id: Id, name: z.string() }),
  fromStatus: Status,
  toStatus: Status,
  taskId: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: Timestamp,
})

const byId = z.object({ id: Id })

export const feedback = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/feedback',
    summary: 'List your feedback',
    description:
      'Your submissions in the current organization, newest first. `total` counts at most 1,000 submissions after this page.',
    access: member(),
    query: z.object({ limit: queryInteger(1, 100, 50), offset: queryInteger(0, 1_000_000, 0) }),
    output: z.object({ items: z.array(FeedbackItem), total: z.int(), limit: z.int(), offset: z.int() }),
    tool: 'read',
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/v1/feedback',
    summary: 'Submit feedback',
    description:
      'A repeated `idempotencyKey` returns 200 with the first submission, even if the message differs.',
    access: member(),
    body: z.object({
      message: Message,
      metadata: jsonObject(METADATA_BYTES_MAX).optional(),
      idempotencyKey: text(1, 200).optional(),
    }),
    also: { 200: 'A submission with this `idempotencyKey` exists' },
    output: FeedbackItem,
    status: 201,
    idempotent: true,
    limit: { name: 'feedback', by: 'caller', capacity: 10, perSeconds: 60 },
    tool: 'write',
  }),
  edit: endpoint({
    method: 'PATCH',
    path: '/api/v1/feedback',
    summary: 'Update feedback',
    description: 'Only the submitter can edit a submission. Returns CONFLICT once it has been triaged.',
    access: member(),
    body: z.object({ id: Id, message: Message }),
    output: FeedbackItem,
    versioned: true,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/feedback/:id',
    summary: 'Get feedback',
    description: 'For the submitter, organization admins and operators.',
    access: member(),
    params: byId,
    output: FeedbackItem,
    versioned: true,
    tool: 'read',
  }),
  comments: endpoint({
    method: 'GET',
    path: '/api/v1/feedback/:id/comments',
    summary: 'List comments',
    description: 'Oldest first.',
    access: member(),
    params: byId,
    query: z.object(cursorQuery),
    output: cursorPage(FeedbackComment),
    tool: 'read',
  }),
  comment: endpoint({
    method: 'POST',
    path: '/api/v1/feedback/:id/comments',
    summary: 'Add a comment',
    description: 'For the submitter, organization admins and operators.',
    access: member(),
    params: byId,
    body: z.object({ body: text(1, 5000) }),
    output: FeedbackComment,
    status: 201,
    idempotent: true,
    limit: { name: 'feedback-comment', by: 'caller', capacity: 30, perSeconds: 60 },
    tool: 'write',
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/v1/admin/feedback',
    summary: 'List the operator queue',
    description: 'Submissions from all organizations, newest first.',
    access: operator('The operator queue'),
    query: z.object({ status: Status.optional(), ...cursorQuery }),
    output: cursorPage(QueuedFeedback).extend({
      counts: z
        .object({
          open: z.int(),
          triaged: z.int(),
          linked: z.int(),
          handed_off: z.int(),
          resolved: z.int(),
          declined: z.int(),
        } satisfies Record<FeedbackStatus, z.ZodInt>)
        .describe('Number of submissions per status; 1,001 means more than 1,000'),
    }),
  }),
  inspect: endpoint({
    method: 'GET',
    path: '/api/v1/admin/feedback/:id',
    summary: 'Get feedback as an operator',
    access: operator('The operator queue'),
    params: byId,
    output: QueuedFeedback.extend({ changes: z.array(FeedbackChange) }),
    versioned: true,
  }),
  handle: endpoint({
    method: 'PATCH',
    path: '/api/v1/admin/feedback/:id',
    summary: 'Update feedback status',
    description:
      'The status `linked` requires a `taskId`. The note is stored in the history, which only operators can see.',
    access: operator('The operator queue'),
    params: byId,
    body: z.object({
      status: Status,
      taskId: text(1, 200).nullable().optional(),
      note: text(1, 2000).optional(),
    }),
    output: QueuedFeedback,
    versioned: true,
  }),
}
