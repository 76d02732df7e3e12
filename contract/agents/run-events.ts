import { z } from 'zod'
import { BUDGET_PERIODS, BUDGET_SCOPES } from '../billing/budget-options.ts'
import { Id } from '../fields.ts'
import { Citation } from './citations.ts'

/** A run's events in stream order. `n` numbers the run's steps, `attempt` a step's model calls. */

export const RUN_WAITS = [
  'approval',
  'input',
  'budget',
  'connection',
  'retry',
  'child',
  'preview',
  'form',
  'event',
  'time',
] as const
export const CALL_EFFECTS = ['read', 'transaction', 'idempotent', 'once'] as const
export const CALL_RISKS = ['none', 'send', 'spend', 'delete', 'share', 'execute'] as const
export const CALL_ENDS = ['done', 'failed', 'denied', 'canceled', 'unknown'] as const
export const CALL_STATES = ['pending', 'approval', 'running', 'waiting', ...CALL_ENDS] as const
export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

export const ConsoleLine = z.object({ level: z.enum(CONSOLE_LEVELS), text: z.string() })

const step = { n: z.number().int(), attempt: z.number().int() }
const call = { n: z.number().int(), ordinal: z.number().int(), callId: z.string(), tool: z.string() }
const Usage = z.object({ inputTokens: z.number().int(), outputTokens: z.number().int() })

export const WaitingBudget = z.object({
  reason: z
    .enum(['spent', 'reserved'])
    .describe(
      '`reserved`: other runs’ calls have reserved the remaining amount, and the run continues when they end',
    ),
  scope: z.enum(BUDGET_SCOPES),
  id: Id.describe('Id of the record that the budget limits'),
  period: z.enum(BUDGET_PERIODS),
  amount: z.string(),
  spent: z.string(),
  needed: z.string().describe('Maximum cost of the next model call'),
})

export const WaitingFailure = z.object({
  message: z.string().describe('What happened, the HTTP status, and the provider’s message'),
  attempt: z.int().optional().describe('Number of failed attempts with this model'),
  attemptsLeft: z
    .int()
    .describe('Attempts with this model before the next fallback model is used or the run ends'),
})

export const RUN_EVENTS = {
  'run.started': z.object({ runId: Id, model: z.string() }),
  'step.started': z.object({ ...step, model: z.string() }),
  text: z.object({ ...step, text: z.string() }),
  reasoning: z.object({ ...step, text: z.string() }),
  'tool.called': z.object({
    ...call,
    input: z.unknown(),
    effect: z.enum(CALL_EFFECTS),
    risk: z.enum(CALL_RISKS),
  }),
  'tool.started': z.object(call),
  'tool.finished': z.object({ ...call, state: z.enum(CALL_ENDS), output: z.unknown() }),
  'code.called': z
    .object({
      ...call,
      number: z.number().int(),
      input: z.unknown().optional(),
      state: z.enum(CALL_STATES),
      error: z.string().nullable(),
    })
    .describe('A call that a program made. `ordinal` and `callId` are those of the program’s call'),
  'code.console': z.object({ n: z.number().int(), ordinal: z.number().int(), lines: z.array(ConsoleLine) }),
  'approval.requested': z.object({ ...call, approvalId: Id, summary: z.string(), expiresAt: z.string() }),
  'approval.decided': z.object({ approvalId: Id, decision: z.string(), decidedBy: Id.nullable() }),
  'guardrail.matched': z.object({
    n: z.number().int(),
    stage: z.enum(['input', 'tool', 'output']),
    callId: z.string().nullable(),
    guardrailId: Id,
    name: z.string(),
    action: z.enum(['block', 'redact', 'flag']),
    labels: z.record(z.string(), z.number().int()),
  }),
  message: z.object({ messageId: Id, seq: z.number().int(), role: z.string() }),
  'step.finished': z.object({
    ...step,
    state: z.enum(['done', 'interrupted', 'failed']),
    finish: z.string().nullable(),
    usage: Usage.nullable(),
    cost: z.string().nullable(),
    errorCode: z.string().nullable(),
    citations: z.array(Citation).optional().describe('What the keys in the step’s text stand for'),
  }),
  'summary.started': z.object({ ...step, model: z.string() }),
  'summary.finished': z.object({
    ...step,
    state: z.enum(['done', 'interrupted', 'failed']),
    uptoSeq: z.number().int().nullable(),
    errorCode: z.string().nullable(),
  }),
  'run.waiting': z.object({
    for: z.enum(RUN_WAITS),
    until: z.string().nullable(),
    budget: WaitingBudget.optional(),
    failure: WaitingFailure.optional(),
  }),
  'run.resumed': z.object({}),
  'run.finished': z.object({
    status: z.enum(['succeeded', 'failed', 'canceled']),
    errorCode: z.string().nullable(),
    error: z.string().nullable(),
    output: z.unknown().optional().describe('The result, if the run has a result format'),
  }),
}

export type RunEventType = keyof typeof RUN_EVENTS
export type RunEvent = {
  [T in RunEventType]: { type: T; data: z.input<(typeof RUN_EVENTS)[T]> }
}[RunEventType]
