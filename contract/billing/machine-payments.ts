import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, jsonObject, Timestamp, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { Amount, Currency, checkDecimals, PayeeInput } from './payment-fields.ts'
import {
  APPROVAL_REASON_NAMES,
  PAYMENT_LIMITS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
} from './payment-options.ts'

export const PAYMENT_AREA = 'Deciding a payment'

const Failure = z.object({ code: z.string(), message: z.string() })

export const MachinePayment = z.object({
  id: Id,
  status: z
    .enum(PAYMENT_STATUSES)
    .describe(
      '`recorded`: no adapter for the method is configured, so no money moved. `unknown`: the provider’s response was lost; the server asks the provider, and never charges again',
    ),
  amount: z.string().meta({ examples: ['12.50'] }),
  currency: z.string().meta({ examples: ['usd'] }),
  reason: z.string(),
  payee: z
    .object({ name: z.string(), url: z.string().nullable(), account: z.string().nullable() })
    .nullable(),
  method: z.enum(PAYMENT_METHODS),
  provider: z.enum(['stripe']).nullable().describe('Null if no money moves'),
  providerReference: z.string().nullable().describe('Payment id at the provider'),
  receipt: z
    .object({ reference: z.string(), url: z.string().nullable() })
    .nullable()
    .describe('Provider’s proof of payment'),
  metadata: z.record(z.string(), z.unknown()),
  projectId: Id.nullable(),
  runId: Id.nullable(),
  agentId: Id.nullable().describe('Agent whose run made the payment'),
  createdBy: Id,
  keyId: Id.nullable(),
  mandateId: Id.nullable().describe('Mandate that covered it; null if it was approved manually'),
  approvalId: Id.nullable(),
  approval: z
    .object({
      reason: z.enum(APPROVAL_REASON_NAMES),
      message: z.string(),
      requestedAt: Timestamp,
      expiresAt: Timestamp.describe('When it expires and counts as denied'),
      decision: z.enum(['approved', 'denied', 'expired']).nullable().describe('Null while it is open'),
      decidedBy: Id.nullable(),
      decidedAt: Timestamp.nullable(),
      note: z.string().nullable(),
    })
    .nullable()
    .describe('Null if the payment needed no approval, or the run’s call was approved'),
  refund: z
    .object({
      status: z.enum(['processing', 'succeeded', 'failed']),
      requestedBy: Id,
      requestedAt: Timestamp,
      failure: Failure.nullable(),
    })
    .nullable(),
  failure: Failure.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable().describe('When it reached its final status'),
})

const TimelineEntry = z.object({
  at: Timestamp,
  type: z.enum([
    'created',
    'approval_requested',
    'approved',
    'denied',
    'expired',
    'charge_sent',
    'refund_sent',
    'inquiry_sent',
    'answered',
    'settled',
  ]),
  text: z.string(),
  userId: Id.nullable(),
  userName: z.string().nullable(),
})

const access = member({ scope: 'billing:machine:charge', role: 'admin' })
const params = z.object({ id: Id })
const limit = { name: 'machine-payments', by: 'caller', capacity: 60, perSeconds: 60 } as const

export const machinePayments = {
  create: endpoint({
    method: 'POST',
    path: '/api/v1/billing/machine-payments',
    summary: 'Make a machine payment',
    description:
      'Pays immediately if a mandate covers the payment; otherwise the payment needs approval and has the status `requires_approval`. Without an adapter for the method the status is `recorded`, and no money moves. Repeating an `idempotencyKey` with the same body returns the first payment; with a different body it returns CONFLICT.',
    access,
    body: z
      .object({
        amount: Amount,
        currency: Currency,
        reason: text(1, PAYMENT_LIMITS.reason).describe('What the payment is for; shown to the approver'),
        payee: PayeeInput.optional(),
        idempotencyKey: text(1, 255, { trim: false }).meta({ examples: ['order-1042'] }),
        projectId: ProjectRef.optional(),
        runId: Id.optional().describe('Run that the payment is for'),
        method: z
          .enum(PAYMENT_METHODS, { error: `must be one of ${PAYMENT_METHODS.join(', ')}` })
          .optional()
          .describe('Defaults to the configured provider, or `record` if there is none'),
        mandateId: Id.optional().describe('Defaults to the first mandate that covers the payment'),
        metadata: jsonObject(8192, 5).optional(),
      })
      .superRefine(({ amount, currency }, check) =>
        checkDecimals(currency, { amount }, (issue) => check.addIssue(issue)),
      ),
    output: MachinePayment,
    status: 201,
    also: { 200: 'The `idempotencyKey` was used before with the same body' },
    limit,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/billing/machine-payments',
    summary: 'List machine payments',
    description: 'Newest first.',
    access,
    query: z.object({
      ...cursorQuery,
      status: z.enum(PAYMENT_STATUSES).optional(),
      projectId: ProjectRef.optional(),
      runId: Id.optional(),
      mandateId: Id.optional(),
    }),
    output: cursorPage(MachinePayment).extend({
      waitingCount: z.int().describe('Number of payments waiting for approval, at most 100'),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/billing/machine-payments/:id',
    summary: 'Get a machine payment',
    description: 'Includes its timeline, oldest first.',
    access,
    params,
    output: MachinePayment.extend({ timeline: z.array(TimelineEntry) }),
  }),
  refund: endpoint({
    method: 'POST',
    path: '/api/v1/billing/machine-payments/:id/refund',
    summary: 'Refund a machine payment',
    description:
      'Refunds the whole amount. Repeating it has no further effect. Returns CONFLICT if the payment has not succeeded.',
    access,
    params,
    output: MachinePayment,
    limit,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/v1/billing/machine-payments/:id/decision',
    summary: 'Approve or deny a machine payment',
    description:
      'An approved payment is charged immediately, outside any mandate; budgets still apply. Returns CONFLICT if it is not waiting for approval, or if a budget does not allow it.',
    access: steppedUp(PAYMENT_AREA, { role: 'admin' }),
    params,
    body: z.object({ decision: z.enum(['approve', 'deny']), note: text(1, 1000).optional() }),
    output: MachinePayment,
    limit,
  }),
}
