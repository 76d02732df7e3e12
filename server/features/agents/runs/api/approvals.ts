import type { z } from 'zod'
import {
  APPROVAL_AREA,
  type Approval,
  type approvals,
  STEP_UP_RISKS,
} from '../../../../../contract/agents/approvals.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { outranks, requireStepUp } from '../../../../endpoint/permit.ts'
import { ApiError, badField, forbidden, notFound, raise, viewOnly } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { countWaiting } from '../../../billing/machine-payments/machine-payments.ts'
import { countExpired } from '../../../connections/connections/connections.ts'
import { readSettings } from '../../../organizations/settings/settings.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { canChange, findAgent, notAgentEditor } from '../../agents/agents.ts'
import { type ApprovedCall, type Decision, listOpenApprovals, settleApproval } from '../approvals/decide.ts'
import { policyFor } from '../calls/policy.ts'
import type { Engine } from '../engine/engine.ts'
import { type EngineRun, lockRun, lowerTrust } from '../state/run-row.ts'
import {
  type ApprovalView,
  countOpen,
  findApproval,
  insertGrant,
  listApprovals,
  listApprovalsById,
} from './approval-list-queries.ts'

export async function list(
  ctx: Context<'vault'>,
  { limit, cursor, projectId, ...filter }: InputOf<typeof approvals.list>,
) {
  const { orgId, userId, role } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const name = `approvals ${orgId} ${userId} ${JSON.stringify({ project, ...filter })}`
  const before = decodeCursor(ctx.vault, name, cursor)
  const position = { before, limit: limit + 1 }
  const [rows, openCount, expiredConnections, waitingPayments] = await Promise.all([
    listApprovals(ctx.sql, ctx.caller, { projectId: project, ...filter }, position),
    countOpen(ctx.sql, ctx.caller),
    countExpired(ctx.sql, orgId, userId),
    role === 'member' ? 0 : countWaiting(ctx.sql, orgId),
  ])
  const page = cursorPage(ctx.vault, name, limit, rows, presentFor(ctx.caller))
  return { ...page, openCount, expiredConnections, waitingPayments }
}

export async function get({ sql, caller }: Context, { id }: InputOf<typeof approvals.get>) {
  return presentFor(caller)((await findApproval(sql, caller, id)) ?? raise(notFound('Approval')))
}

export const readApprovals = async ({ sql, caller }: Pick<Context, 'sql' | 'caller'>, ids: string[]) =>
  (await listApprovalsById(sql, caller, ids)).map(presentFor(caller))

/** Locks the run, so that the second caller reads the first one's decision. */
export const decide = (
  engine: Engine,
  ctx: Context<'hooks'>,
  { id, ...input }: InputOf<typeof approvals.decide>,
) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const found = (await findApproval(sql, caller, id)) ?? raise(notFound('Approval'))
    if (found.access !== 'edit') throw viewOnly()
    const run = (await lockRun(sql, found.orgId, found.runId)) ?? raise(notFound('Approval'))
    const open = (await listOpenApprovals(sql, run)).find((approval) => approval.id === id)
    if (!open) throw alreadyDecided((await findApproval(sql, caller, id))!)
    const now = ctx.now()
    const isApproved = input.decision === 'approve' && found.kind === 'approval'
    const call =
      isApproved && (await resolveApprovedCall(engine, inside, run, found.tool, input.input ?? open.input))
    // Always allowing loosens the agent's rules.
    if (call && (input.scope === 'agent' || [found.risk, call.risk].some(needsStepUp)))
      requireStepUp(caller, APPROVAL_AREA, now)
    if (input.input !== undefined && run.createdBy !== caller.userId) throw notStarter()
    if (isApproved && !mayApprove(found, caller)) throw lowerRole(found)
    if (call && input.scope === 'agent') await requireAgentEditor(inside, found.agentId)
    // The run keeps its permissions, so another member's words must not use them unasked.
    if (run.createdBy !== caller.userId && (input.answer ?? input.note) !== undefined)
      await lowerTrust(sql, run, 'verified')
    const decision = decisionOf(found, input, caller.userId)
    await settleApproval(sql, run, open, call ? { ...decision, call } : decision, now)
    if (call && input.scope !== 'once') {
      const sessionId = input.scope === 'session' ? found.sessionId : null
      const { grantName: tool, risk } = call
      const grant = { agentId: found.agentId, sessionId, tool, risk, by: caller.userId, now }
      await insertGrant(sql, found.orgId, { id: newId(), ...grant })
    }
    await recordAudit(inside, {
      action: 'approval.decided',
      by: caller,
      target: id,
      details: { tool: found.tool, decision: decision.decision, scope: input.scope },
    })
    return presentFor(caller)((await findApproval(sql, caller, id))!)
  })

function decisionOf(
  { kind }: ApprovalView,
  { decision, input, answer, ...given }: Omit<InputOf<typeof approvals.decide>, 'id'>,
  by: string,
): Decision {
  const note = given.note ?? null
  if (kind === 'input') {
    if (decision === 'approve' && answer === undefined)
      throw badField('body.answer', 'is required: this is a question')
    return decision === 'approve'
      ? { decision: 'answered', by, note, answer }
      : { decision: 'denied', by, note }
  }
  if (answer !== undefined) throw badField('body.answer', 'must be absent: this is not a question')
  if (decision === 'deny') return { decision: 'denied', by, note }
  return { decision: 'approved', by, note, ...(input !== undefined && { input }) }
}

/** The call runs with the starter's permissions. */
const notStarter = () =>
  forbidden('Only the member who started the run can change the input: approve or deny the call as it is', {
    reason: 'not_starter',
  })

/** The call runs with the starter's permissions. */
export const mayApprove = (
  { startedBy, starterRole }: Pick<ApprovalView, 'startedBy' | 'starterRole'>,
  { userId, role }: Caller,
): boolean => startedBy === userId || starterRole === null || !outranks(starterRole, role)

const lowerRole = ({ starterRole }: ApprovalView) =>
  forbidden(
    `This call uses ${starterRole} permissions, so only the member who started the run or someone with at least that role can approve it. You can deny it`,
    { reason: 'lower_role' },
  )

async function requireAgentEditor({ sql, caller }: Context, agentId: string): Promise<void> {
  const agent = (await findAgent(sql, caller.orgId, agentId)) ?? raise(notFound('Agent'))
  if (!canChange(agent, caller)) throw notAgentEditor(agent)
}

const needsStepUp = (risk: ApprovalView['risk']) => STEP_UP_RISKS.some((other) => other === risk)

const alreadyDecided = ({ decision, decidedBy }: ApprovalView) =>
  new ApiError('CONFLICT', `This approval was already decided: ${decision}`, {
    details: { reason: 'decided', decision, decidedBy } as never,
  })

const presentFor =
  (caller: Caller) =>
  (view: ApprovalView): z.output<typeof Approval> => {
    const { orgId: _orgId, access, startedBy, starterRole: _starterRole, ...row } = view
    const canDecide = access === 'edit' && row.decision === null
    return {
      ...row,
      requiresStepUp: needsStepUp(row.risk),
      canDecide,
      canApprove: canDecide && (row.kind === 'input' || mayApprove(view, caller)),
      canEditInput: canDecide && row.kind === 'approval' && startedBy === caller.userId,
    }
  }

/**
 * Effect and risk depend on the input, so they are determined again: an edit must not evade step-up or an agent's rule.
 */
async function resolveApprovedCall(
  engine: Engine,
  ctx: Context<'hooks'>,
  run: EngineRun,
  name: string,
  input: unknown,
): Promise<ApprovedCall> {
  const { approvals: orgApprovals } = await readSettings(ctx.sql, run)
  const agent = { ...(await engine.agentOf(ctx, run)), orgApprovals, canPay: true, hasNumber: true }
  const tool = engine.toolsOf(run, agent).get(name)
  if (!tool) throw badField('body.decision', 'must be deny: the agent no longer has this tool')
  const parsed = tool.input.safeParse(input)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw badField(['body.input', ...path].join('.'), message)
  }
  const risk = typeof tool.risk === 'function' ? tool.risk(parsed.data, run) : tool.risk
  const effect = typeof tool.effect === 'function' ? tool.effect(parsed.data) : tool.effect
  const { trust } = run
  const grantName = tool.grantName?.(parsed.data) ?? name
  if (policyFor({ tool: name, grantName, risk, trust, agent, grants: [] }) === 'deny')
    throw badField('body.input', `must not ${risk}: an agent or organization rule denies it`)
  return { input, effect, risk, grantName }
}
