import { z } from 'zod'
import { browser, endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, Timestamp, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { CALL_RISKS } from './run-events.ts'

export const APPROVAL_DECISIONS = [
  'approved',
  'denied',
  'answered',
  'expired',
  'canceled',
  'superseded',
] as const
/** Deciding a call with one of these risks requires step-up. */
export const STEP_UP_RISKS = ['spend', 'delete', 'share', 'execute'] as const
export const APPROVAL_AREA = 'Approving this call'

export const Approval = z.object({
  id: Id,
  runId: Id,
  projectId: Id,
  projectName: z.string(),
  sessionId: Id.nullable(),
  agentId: Id,
  agentName: z.string(),
  kind: z.enum(['approval', 'input']).describe('`input`: a question that you answer with `answer`'),
  tool: z.string(),
  risk: z.enum(CALL_RISKS),
  summary: z.string().describe('Human-readable description of the action'),
  input: z.unknown().describe('Exact input of the call'),
  requiresStepUp: z.boolean(),
  requestedAt: Timestamp,
  expiresAt: Timestamp.describe('When it expires and counts as denied'),
  decision: z.enum(APPROVAL_DECISIONS).nullable().describe('Null while it is open'),
  decidedBy: Id.nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: Timestamp.nullable(),
  note: z.string().nullable(),
  canDecide: z.boolean(),
  canApprove: z
    .boolean()
    .describe(
      'Whether you can approve it. A call runs with the permissions of the member who started the run, so nobody with a lower role can approve it. Anyone who can decide it can deny it',
    ),
  canEditInput: z
    .boolean()
    .describe('Whether you can change the input; only the member who started the run can'),
})

const Grant = z.object({
  id: Id,
  agentId: Id,
  agentName: z.string(),
  sessionId: Id.nullable().describe('Null for every session with the agent'),
  tool: z.string().describe('Includes the action for `run_action` and the host for `web_fetch`'),
  risk: z.enum(CALL_RISKS).describe('The tool is only allowed at this risk'),
  grantedBy: Id,
  grantedByName: z.string(),
  grantedAt: Timestamp,
})

const params = z.object({ id: Id })

export const approvals = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/approvals',
    summary: 'List approvals',
    description:
      'Agent calls and questions. Newest first; only open ones, unless `decided=true`. Machine payments that need approval are only counted: they have their own list, which requires a scope.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      decided: queryFlag(),
      projectId: ProjectRef.optional(),
      runId: Id.optional(),
    }),
    output: cursorPage(Approval).extend({
      openCount: z.int().describe('Number of open approvals you can decide'),
      expiredConnections: z
        .int()
        .describe('Number of your connections that need to be authorized again: `GET /connections`'),
      waitingPayments: z
        .int()
        .describe(
          'Number of machine payments waiting for your approval, at most 100: `GET /billing/machine-payments?status=requires_approval`. 0 unless you are an owner or admin',
        ),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/approvals/:id',
    summary: 'Get an approval',
    description: 'Open or decided.',
    access: member(),
    params,
    output: Approval,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/v1/approvals/:id',
    summary: 'Decide an approval',
    description:
      'The run continues immediately. Calls that spend, delete, share or execute require step-up, and so does always allowing the agent. Only the member who started the run can change the input, and nobody with a lower role than theirs can approve a call. `scope: agent` requires that you can change the agent. Returns CONFLICT with the decision if it is already decided.',
    access: browser('Deciding an approval'),
    params,
    body: z
      .object({
        decision: z.enum(['approve', 'deny']),
        input: z.unknown().optional().describe('Replaces the call’s input'),
        answer: text(1, 10_000).optional().describe('Answer to a question'),
        note: text(1, 1000).optional().describe('Note to the agent'),
        scope: z
          .enum(['once', 'session', 'agent'])
          .default('once')
          .describe('`session` and `agent` always allow this tool there, until the grant is revoked'),
      })
      .refine(({ decision, scope }) => decision === 'approve' || scope === 'once', {
        path: ['scope'],
        message: 'must be once for a denial',
      }),
    output: Approval,
  }),
  grants: endpoint({
    method: 'GET',
    path: '/api/v1/approval-grants',
    summary: 'List always-allowed tools',
    access: member(),
    query: z.object({ agentId: Id.optional() }),
    output: z.object({ items: z.array(Grant) }),
  }),
  revokeGrant: endpoint({
    method: 'DELETE',
    path: '/api/v1/approval-grants/:id',
    summary: 'Stop always allowing a tool',
    description: 'For the member who granted it, the agent’s creator, admins and owners.',
    access: member({ edits: true }),
    params,
    output: z.object({ id: Id, deleted: z.literal(true) }),
  }),
}
