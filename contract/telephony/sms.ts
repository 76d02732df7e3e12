import { z } from 'zod'
import { browser, endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { E164 } from './telephony-fields.ts'
import { DIRECTIONS, SMS_STATUSES, TELEPHONY_LIMITS } from './telephony-options.ts'
import { OptOut, Sms, SmsConversation } from './telephony-records.ts'

const params = z.object({ id: Id })
const numberAndRecipient = z.object({ numberId: Id, recipient: E164 })

export const sms = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/sms',
    summary: 'List text messages',
    description: 'Text messages in the projects you can see, newest first.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      numberId: Id.optional(),
      peer: E164.optional().describe('The other party’s number'),
      direction: z.enum(DIRECTIONS).optional(),
      status: z.enum(SMS_STATUSES).optional(),
      projectId: ProjectRef.optional(),
    }),
    output: cursorPage(Sms),
    tool: 'read',
    standby: true,
  }),
  conversations: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/sms/conversations',
    summary: 'List text message conversations',
    description: 'One per pair of numbers, with the last message; newest first.',
    access: member(),
    query: z.object({ ...cursorQuery, numberId: Id.optional() }),
    output: cursorPage(SmsConversation),
    standby: true,
  }),
  resumeConversation: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/sms/conversations/resume',
    summary: 'Resume a text message conversation',
    description:
      'A conversation is paused after many automatic answers in an hour, because the other party may be a machine. Messages received since then are answered.',
    access: member({ edits: true }),
    body: z.object({ numberId: Id, peer: text(1, 40) }),
    output: SmsConversation,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/sms/:id',
    summary: 'Get a text message',
    access: member(),
    params,
    output: Sms,
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/sms',
    summary: 'Send a text message',
    description:
      'Returns once the message is queued. Returns BAD_REQUEST with the reason `no_number` if there is no number that can send it, `recipient_opted_out`, `destination_not_allowed` for a number that may not be messaged, and `budget_reached`.',
    access: member({ edits: true }),
    body: z
      .object({
        to: E164,
        body: text(1, TELEPHONY_LIMITS.smsBody, { trim: false }),
        from: E164.optional(),
        numberId: Id.optional(),
        mediaFileIds: z
          .array(Id)
          .max(TELEPHONY_LIMITS.media, `must have at most ${TELEPHONY_LIMITS.media} files`)
          .optional(),
      })
      .refine(({ from, numberId }) => from === undefined || numberId === undefined, {
        path: ['from'],
        error: 'must not be set together with `numberId`',
      }),
    output: Sms,
    status: 201,
    idempotent: true,
    limit: { name: 'sms', by: 'caller', capacity: 60, perSeconds: 60 },
    tool: 'write',
  }),
  optOuts: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/opt-outs',
    summary: 'List recipients who opted out',
    access: member(),
    query: z.object({ ...cursorQuery, numberId: Id.optional() }),
    output: cursorPage(OptOut),
  }),
  addOptOut: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/opt-outs',
    summary: 'Opt out a recipient',
    access: member({ edits: true }),
    body: numberAndRecipient,
    output: OptOut,
    status: 201,
  }),
  removeOptOut: endpoint({
    method: 'DELETE',
    path: '/api/v1/telephony/opt-outs',
    summary: 'Remove a recipient’s opt-out',
    description: 'Only if the recipient asked for it: carriers block messages to recipients who opted out.',
    access: browser('Removing a recipient’s opt-out', { role: 'admin' }),
    query: numberAndRecipient,
    output: z.object({ deleted: z.literal(true) }),
  }),
}
