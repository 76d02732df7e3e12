import { z } from 'zod'
import { browser, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, TimestampInput, text } from '../fields.ts'
import { Amount, Currency, checkDecimals } from './payment-fields.ts'
import { MANDATE_HOLDERS, PAYMENT_LIMITS, PAYMENT_METHODS } from './payment-options.ts'

export const MANDATE_AREA = 'Managing mandates'

const LIMIT_EXAMPLE = { examples: ['50.00'] }

export const Mandate = z.object({
  id: Id,
  holder: z.enum(MANDATE_HOLDERS),
  holderId: Id,
  holderName: z.string().nullable().describe('Null if you cannot see it, or it no longer exists'),
  currency: z.string().meta({ examples: ['usd'] }),
  perPayment: z.string().meta({ examples: ['20.00'] }),
  perDay: z.string().nullable().meta(LIMIT_EXAMPLE),
  total: z.string().nullable().meta(LIMIT_EXAMPLE),
  payees: z.array(z.string()).describe('Accounts, hosts or names; empty for any payee'),
  methods: z.array(z.enum(PAYMENT_METHODS)).describe('Empty for any method'),
  spentToday: z
    .string()
    .meta({ examples: ['12.50'] })
    .describe('On the current day in UTC'),
  spent: z
    .string()
    .meta({ examples: ['12.50'] })
    .describe('Failed payments do not count; refunded ones do'),
  state: z.enum(['active', 'expired', 'revoked']),
  expiresAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  revokedBy: Id.nullable(),
  createdBy: Id,
  createdAt: Timestamp,
})

export const mandates = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/billing/mandates',
    summary: 'List mandates',
    description: 'Active first, then newest. At most 500.',
    access: member({ role: 'admin' }),
    output: z.object({ items: z.array(Mandate) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/billing/mandates',
    summary: 'Create a mandate',
    description:
      'A mandate never changes: revoke it and create another. It requires `perDay` or `total`, because a payment could otherwise be split without limit. Days begin at midnight UTC.',
    access: steppedUp(MANDATE_AREA, { role: 'admin' }),
    body: z
      .object({
        holder: z.enum(MANDATE_HOLDERS, { error: `must be one of ${MANDATE_HOLDERS.join(', ')}` }),
        holderId: Id.describe('Id of the API key, agent or project that may pay'),
        currency: Currency,
        perPayment: Amount,
        perDay: Amount.nullable().default(null).meta(LIMIT_EXAMPLE),
        total: Amount.nullable().default(null).meta(LIMIT_EXAMPLE),
        payees: z
          .array(text(1, PAYMENT_LIMITS.payeeAccount, { normalize: true }))
          .max(PAYMENT_LIMITS.payees, `must have at most ${PAYMENT_LIMITS.payees} payees`)
          .default([])
          .transform((list) => [...new Set(list)])
          .describe('Accounts, URL hosts or names, compared exactly; empty for any payee'),
        methods: z
          .array(z.enum(PAYMENT_METHODS))
          .max(PAYMENT_METHODS.length)
          .default([])
          .transform((list) => [...new Set(list)]),
        expiresAt: TimestampInput.nullable()
          .default(null)
          .meta({ examples: ['2027-12-31T00:00:00Z'] }),
      })
      .superRefine(({ currency, perPayment, perDay, total }, check) => {
        checkDecimals(currency, { perPayment, perDay, total }, (issue) => check.addIssue(issue))
        if (perDay === null && total === null)
          check.addIssue({
            code: 'custom',
            path: ['total'],
            message: 'is required without a daily limit',
          })
      }),
    output: Mandate,
    status: 201,
    failures: ['CONFLICT'],
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/v1/billing/mandates/:id/revoke',
    summary: 'Revoke a mandate',
    description:
      'Takes effect with the next payment; payments in progress are still completed. Repeating it has no further effect.',
    access: browser(MANDATE_AREA, { role: 'admin' }),
    params: z.object({ id: Id }),
    output: Mandate,
  }),
}
