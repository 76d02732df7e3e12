import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, TimestampInput, text } from '../fields.ts'
import { Money } from '../projects/projects.ts'
import { USAGE_GROUPS } from './budget-options.ts'

const Day = z.iso.date().meta({ examples: ['2026-11-16'] })

/** A time stands for its UTC day. */
const DayInput = z
  .union([z.iso.date(), TimestampInput], { error: 'must be a day such as 2026-11-16, or an ISO 8601 time' })
  .transform((value) => new Date(value).toISOString().slice(0, 10))
  .meta({ examples: ['2026-11-01'] })

const range = {
  from: DayInput.optional().describe('First day, in UTC. Defaults to 29 days before `to`'),
  to: DayInput.optional().describe('Last day, in UTC. Defaults to today'),
  projectId: Id.optional(),
  agentId: Id.optional(),
  model: text(0, 200, { trim: false }).optional(),
  userId: Id.optional(),
  keyId: Id.optional(),
}

const totals = {
  cost: Money,
  calls: z.int().describe('Model calls, phone calls, text messages, web searches and machine payments'),
  unpricedCalls: z.int().describe('Entries without a known price, which `cost` omits'),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cacheReadTokens: z.int().describe('Input tokens read from providers’ prompt caches; part of `inputTokens`'),
  cacheWriteTokens: z
    .int()
    .describe('Input tokens written to providers’ prompt caches; part of `inputTokens`'),
}

export const usage = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/usage',
    summary: 'Get usage and cost',
    description:
      'Usage and cost for model calls, phone calls, text messages, web searches and machine payments, by day and by one other property. Members see their own usage, admins see the organization’s. A range has at most 366 days.',
    access: member(),
    query: z.object({ ...range, groupBy: z.enum(USAGE_GROUPS).default('day') }),
    output: z.object({
      from: Day,
      to: Day,
      groupBy: z.enum(USAGE_GROUPS),
      isOwn: z.boolean().describe('Only your own usage'),
      total: z.object(totals),
      items: z
        .array(
          z.object({
            key: z
              .string()
              .nullable()
              .describe('Id, model or day; null for usage without one, such as without an API key'),
            name: z.string().nullable().describe('Null if you cannot see it'),
            ...totals,
          }),
        )
        .describe('At most 200; days in order, others by cost'),
      days: z
        .array(
          z.object({
            day: Day,
            cost: Money,
            groups: z.array(z.object({ key: z.string().nullable(), cost: Money })),
          }),
        )
        .describe('Days with usage, each with the cost for the first seven items'),
    }),
    tool: 'read',
    standby: true,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/usage/export',
    summary: 'Export usage as CSV',
    description:
      'One line per model call, phone call, text message, web search and machine payment, oldest first, with its tokens, prices and cost. A phone call or text message has a second line if the carrier reports an amount that differs from the estimate. Members get their own calls, admins get the organization’s.',
    access: member(),
    query: z.object(range),
    output: z.null(),
    bytes: 'always',
  }),
}
