import type { SettingName } from '../../../../contract/agents/agent-fields.ts'
import type { AgentSettings, agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { withoutUndefined } from '../../../endpoint/without-undefined.ts'
import { ApiError, notFound, raise, stale } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import { requireEditor } from '../../organizations/membership/membership.ts'
import { requireModels } from '../../organizations/settings/settings.ts'
import { requireStepUpIfLooser } from './loosening.ts'
import type { NewVersion } from './queries.ts'
import * as queries from './queries.ts'
import { type AgentRow, canChange, notAgentEditor } from './records.ts'
import { changedFields, modelsIn, normalize, toListKeys } from './settings.ts'

export const getAgent = async (ctx: Context, { id }: InputOf<typeof agents.get>): Promise<AgentRow> =>
  (await queries.findAgent(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Agent'))

export async function updateAgent(ctx: Context, input: InputOf<typeof agents.update>): Promise<AgentRow> {
  const { id, ifMatch, tools, ...change } = input
  return ctx.transaction(async (inside) => {
    const before = await lockForChange(inside, { id, ifMatch })
    const merged = {
      ...before.settings,
      ...withoutUndefined(change),
      tools: { ...before.settings.tools, ...withoutUndefined(tools ?? {}) },
    }
    return changeSettings(inside, before, normalize(merged), null)
  })
}

/** Also checks that the caller may change the agent and has seen its latest version. */
export async function lockForChange(
  ctx: Context,
  { id, ifMatch }: { id: string; ifMatch?: string | undefined },
  options: { archived?: 'allowed' } = {},
): Promise<AgentRow> {
  await requireEditor(ctx, 'agents')
  const row = (await queries.lockAgent(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Agent'))
  if (!canChange(row, ctx.caller)) throw notAgentEditor(row)
  if (ifMatch !== undefined && ifMatch !== String(row.version)) throw stale()
  if (row.archivedAt !== null && !options.archived) throw agentArchived()
  return row
}

const agentArchived = () =>
  new ApiError('CONFLICT', 'The agent is archived: unarchive it before changing it', {
    details: { reason: 'archived' },
  })

/** Stores the settings as a version, unless nothing changes. */
export async function changeSettings(
  ctx: Context,
  before: AgentRow,
  after: AgentSettings,
  restoredFrom: number | null,
): Promise<AgentRow> {
  if (changedFields(before.settings, after).length === 0) return before
  requireStepUpIfLooser(ctx, before.settings, after)
  const modelsBefore = modelsIn(before.settings)
  await requireModels(
    ctx,
    modelsIn(after).filter((model) => !modelsBefore.includes(model)),
  )
  const change = restoredFrom === null ? 'updated' : 'restored'
  return addVersion(ctx, before, { change, restoredFrom, settings: after })
}

export async function addVersion(
  ctx: Context,
  before: AgentRow,
  next: Pick<queries.NewVersion, 'change' | 'restoredFrom' | 'settings'>,
): Promise<AgentRow> {
  const { orgId, userId: by } = ctx.caller
  const version = { ...next, id: before.id, version: before.version + 1, by, now: ctx.now() }
  await queries.updateAgent(ctx.sql, orgId, { ...version, ...toListKeys(next.settings) })
  await recordChange(ctx, version, changedFields(before.settings, next.settings))
  return (await queries.findAgent(ctx.sql, orgId, before.id))!
}

export const archiveAgent = (ctx: Context, input: InputOf<typeof agents.remove>): Promise<AgentRow> =>
  ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, input, { archived: 'allowed' })
    if (row.archivedAt !== null) return row
    return addVersion(inside, row, { change: 'archived', restoredFrom: null, settings: row.settings })
  })

/** An unarchived agent counts against the quota again. */
export const unarchiveAgent = (
  ctx: Context<'quotas'>,
  { id }: InputOf<typeof agents.unarchive>,
): Promise<AgentRow> =>
  ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, { id }, { archived: 'allowed' })
    if (row.archivedAt === null) return row
    const { settings } = row
    const unarchived = await addVersion(inside, row, { change: 'unarchived', restoredFrom: null, settings })
    await ctx.quotas.requireWithin(inside.sql, ctx.caller.orgId, 'agents', ctx.now())
    return unarchived
  })

const AUDIT_ACTIONS = {
  created: 'agent.created',
  updated: 'agent.updated',
  restored: 'agent.updated',
  archived: 'agent.archived',
  unarchived: 'agent.unarchived',
} as const

/** Publishes and audits a version on its transaction. */
export async function recordChange(
  ctx: Context,
  { id, version, change, settings, by }: NewVersion,
  fields: SettingName[],
): Promise<void> {
  const type = change === 'created' ? 'agent.created' : 'agent.updated'
  const data = { agentId: id, version, by }
  await publish(ctx, { type, data: change === 'created' ? data : { ...data, change, fields } })
  const details = { name: settings.name, ...(fields.length > 0 && { fields: fields.join(', ') }) }
  await recordAudit(ctx, { action: AUDIT_ACTIONS[change], by: ctx.caller, target: id, details })
}
