import type { InputOf } from '../../../../contract/endpoint.ts'
import { routing as contract, type routing } from '../../../../contract/telephony/routing.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { ApiError, badField, badRequest, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { findAgent } from '../../agents/agents/agents.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { DEFAULT_ACTION, type Match, presentAction, presentRule, type StoredAction } from './rule.ts'
import * as queries from './rule-queries.ts'
import { listBlockProjects, listNumberIds } from './rule-queries.ts'
import { tryRules } from './try-rules.ts'

export const routingPart = (_options: TelephonyOptions): Part => ({
  routes: [
    handle(contract.list, listRules),
    handle(contract.create, createRule),
    handle(contract.update, updateRule),
    handle(contract.remove, deleteRule),
    handle(contract.try, tryRules),
  ],
})

const PRIORITY_STEP = 10
const PRIORITY_MAX = 1_000_000

async function listRules({ sql, caller }: Context) {
  const rows = await queries.listRules(sql, caller.orgId)
  return { items: rows.map(presentRule), default: presentAction(DEFAULT_ACTION) }
}

const createRule = (ctx: Context, input: InputOf<typeof routing.create>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const { count, last: lastPriority } = await queries.lockRules(inside.sql, orgId)
    if (count >= TELEPHONY_LIMITS.rules)
      throw badRequest(
        `An organization has at most ${TELEPHONY_LIMITS.rules} routing rules: delete one first`,
      )
    await requireNumbers(inside, input.match)
    const rule = {
      id: newId(),
      name: input.name,
      priority: input.priority ?? Math.min(lastPriority + PRIORITY_STEP, PRIORITY_MAX),
      enabled: input.enabled,
      match: input.match,
      action: await requireAction(inside, 'action', input.action),
      fallback: await requireAction(inside, 'fallback', input.fallback ?? DEFAULT_ACTION),
      ownerId: userId,
    }
    await queries.insertRule(inside.sql, orgId, rule, ctx.now())
    await audit(inside, 'routing-rule.created', rule)
    return presentRule((await queries.findRule(inside.sql, orgId, rule.id))!)
  })

/** A rule has the permissions of the member who last changed it, so no member acts with another's. */
const updateRule = (ctx: Context, input: InputOf<typeof routing.update>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const id = requireId(input)
    await queries.lockRules(inside.sql, orgId)
    const before = (await queries.findRule(inside.sql, orgId, id)) ?? raise(notFound('Routing rule'))
    if (input.match) await requireNumbers(inside, input.match)
    const changesBehavior = Boolean(
      input.match || input.action || input.fallback || (input.enabled && !before.enabled),
    )
    // Checked for the caller, because the rule now acts with their permissions.
    const checkAction = (field: 'action' | 'fallback') =>
      changesBehavior ? requireAction(inside, field, input[field] ?? before[field]) : before[field]
    const rule = {
      id,
      name: input.name ?? before.name,
      priority: input.priority ?? before.priority,
      enabled: input.enabled ?? before.enabled,
      match: input.match ?? before.match,
      action: await checkAction('action'),
      fallback: await checkAction('fallback'),
      ownerId: changesBehavior ? userId : before.ownerId,
    }
    await queries.updateRule(inside.sql, orgId, rule, ctx.now())
    await audit(inside, 'routing-rule.updated', rule)
    return presentRule((await queries.findRule(inside.sql, orgId, id))!)
  })

const deleteRule = (ctx: Context, input: InputOf<typeof routing.remove>) =>
  ctx.transaction(async (inside) => {
    const id = requireId(input)
    const deleted = await queries.deleteRule(inside.sql, ctx.caller.orgId, id)
    const { name } = deleted ?? raise(notFound('Routing rule'))
    await audit(inside, 'routing-rule.deleted', { id, name })
    return { deleted: true as const }
  })

const requireId = ({ id }: { id?: string }): string =>
  id ?? raise(badField('body.id', 'is required, in the body or in the query'))

const audit = (
  ctx: Context,
  action: 'routing-rule.created' | 'routing-rule.updated' | 'routing-rule.deleted',
  {
    id,
    name,
    action: ruleAction,
  }: Pick<queries.NewRule, 'id' | 'name'> & Partial<Pick<queries.NewRule, 'action'>>,
) =>
  recordAudit(ctx, {
    action,
    by: ctx.caller,
    target: id,
    details: { name, ...(ruleAction && { action: ruleAction.type }) },
  })

/** The error names the field. */
async function requireNumbers({ sql, caller }: Context, { numberIds }: Match): Promise<void> {
  if (numberIds === undefined) return
  const ownIds = await listNumberIds(sql, caller.orgId, numberIds)
  const missing = numberIds.findIndex((id) => !ownIds.includes(id))
  if (missing >= 0)
    throw badField(`body.match.numberIds.${missing}`, 'is not one of this organization’s numbers')
}

/**
 * The caller must be able to edit the block's project, because the work uses their permissions. The error names the
 * field.
 */
async function requireAction(
  ctx: Context,
  field: 'action' | 'fallback',
  stored: StoredAction,
): Promise<StoredAction> {
  const { projectId: _, ...action } = stored
  const { type, agentId, blockId } = action
  if (type === 'agent') await requireAgent(ctx, `body.${field}.agentId`, agentId!)
  if (type !== 'workflow') return action
  return { ...action, projectId: await projectOfBlock(ctx, `body.${field}.blockId`, blockId!) }
}

async function requireAgent({ sql, caller }: Context, path: string, id: string): Promise<void> {
  const agent = await findAgent(sql, caller.orgId, id)
  if (!agent) throw badField(path, 'does not exist')
  if (agent.archivedAt) throw badField(path, 'is archived: unarchive it, or choose another one')
}

async function projectOfBlock(ctx: Context, path: string, blockId: string): Promise<string> {
  for (const projectId of await listBlockProjects(ctx.sql, ctx.caller.orgId, blockId)) {
    if (await canEdit(ctx, projectId)) return projectId
  }
  throw badField(path, 'must be an agent block in a project that you can edit')
}

async function canEdit(ctx: Context, projectId: string): Promise<boolean> {
  try {
    await findProject(ctx, projectId, 'edit')
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
