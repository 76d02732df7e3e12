import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '../../../../contract/audit-actions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { skills } from '../../../../contract/knowledge/skills.ts'
import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { ApiError, forbidden, notFound, raise, stale } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { canEditSomewhere } from '../../organizations/membership/membership.ts'
import * as queries from './queries.ts'
import type { SkillContent, SkillRow } from './records.ts'
import {
  applyChanges,
  decodeContent,
  describeFile,
  type FileContent,
  requireWithinLimits,
  storeFiles,
  toMetadata,
} from './store-files.ts'

export const getSkill = async (ctx: Context, { id }: { id: string }): Promise<SkillRow> =>
  (await queries.findSkill(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Skill'))

export async function createSkill(
  ctx: Context<'quotas'>,
  input: InputOf<typeof skills.create>,
): Promise<SkillRow> {
  await requireEditor(ctx)
  const { files, ...text } = input
  return ctx.transaction((inside) => addSkill(inside, text, files.map(decodeContent), 'created'))
}

export async function addSkill(
  ctx: Context<'quotas'>,
  text: Omit<SkillContent, 'files'>,
  contents: FileContent[],
  change: 'created' | 'imported',
): Promise<SkillRow> {
  const { orgId, userId: by } = ctx.caller
  const files = contents.map(describeFile).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  requireWithinLimits(files)
  const content = { ...text, files: files.map(toMetadata) }
  const id = newId()
  const version = { id, version: 1, change, restoredFrom: null, content, by, now: ctx.now() }
  if (!(await queries.insertSkill(ctx.sql, orgId, version))) throw nameTaken(text.name)
  await ctx.quotas.requireWithin(ctx.sql, orgId, 'skills', ctx.now())
  await storeFiles(ctx, id, files)
  await publishSkillEvent(ctx, 'skill.created', { id, version: 1, change })
  await audit(ctx, 'skill.created', { id, name: text.name })
  return (await queries.findSkill(ctx.sql, orgId, id))!
}

const nameTaken = (name: string) =>
  new ApiError('CONFLICT', `Another skill has the name ${name}`, { details: { reason: 'name_taken' } })

export const updateSkill = (
  ctx: Context<'quotas'>,
  input: InputOf<typeof skills.update>,
): Promise<SkillRow> =>
  ctx.transaction(async (inside) => {
    const { id, ifMatch, files: changes = [], ...given } = input
    const before = await lockForChange(inside, { id, ifMatch })
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const files = applyChanges(before.content.files, changes)
    await storeFiles(inside, id, files.filter((file) => file.content !== undefined) as never)
    const content: SkillContent = { ...before.content, ...fields, files: files.map(toMetadata) }
    return changeSkill(inside, before, content, { change: 'updated', restoredFrom: null })
  })

export async function lockForChange(
  ctx: Context,
  { id, ifMatch }: { id: string; ifMatch?: string | undefined },
): Promise<SkillRow> {
  await requireEditor(ctx)
  const row = (await queries.lockSkill(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Skill'))
  if (ifMatch !== undefined && ifMatch !== String(row.version)) throw stale()
  return row
}

/** Stores a version unless nothing changes. The skill must be locked. */
export async function changeSkill(
  ctx: Context,
  before: SkillRow,
  content: SkillContent,
  reason: Pick<queries.NewVersion, 'change' | 'restoredFrom'>,
): Promise<SkillRow> {
  if (isDeepStrictEqual(before.content, content)) return before
  const { sql, caller } = ctx
  const { orgId, userId: by } = caller
  const { id } = before
  if (content.name !== before.content.name && (await queries.findIdByName(sql, orgId, content.name)))
    throw nameTaken(content.name)
  const version = before.version + 1
  await queries.updateSkill(sql, orgId, { id, version, ...reason, content, by, now: ctx.now() })
  await queries.lowerTrustOfRuns(sql, orgId, id, ctx.caller)
  await publishSkillEvent(ctx, 'skill.updated', { id, version, change: reason.change })
  await audit(ctx, 'skill.updated', { id, name: content.name })
  return (await queries.findSkill(sql, orgId, id))!
}

export const removeSkill = (ctx: Context, { id, ifMatch }: InputOf<typeof skills.remove>) =>
  ctx.transaction(async (inside) => {
    const { content, version } = await lockForChange(inside, { id, ifMatch })
    await queries.deleteSkill(inside.sql, ctx.caller.orgId, id)
    await publishSkillEvent(inside, 'skill.deleted', { id, version, change: 'deleted' })
    await audit(inside, 'skill.deleted', { id, name: content.name })
    return { id, deleted: true as const }
  })

const publishSkillEvent = (
  ctx: Context,
  type: Extract<PublishedEventType, `skill.${string}`>,
  { id, version, change }: { id: string; version: number; change: string },
): Promise<void> => publish(ctx, { type, data: { skillId: id, version, change, by: ctx.caller.userId } })

const audit = (
  ctx: Context,
  action: Extract<AuditAction, `skill.${string}`>,
  { id, name }: { id: string; name: string },
): Promise<void> => recordAudit(ctx, { action, by: ctx.caller, target: id, details: { name } })

/** Skills belong to the organization, so members need edit access in some workspace. */
export async function requireEditor({ sql, caller }: Context): Promise<void> {
  const [row] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
  if (row!.allowed) return
  throw forbidden(
    'You have view-only access to this organization’s skills: you can’t edit in any of its workspaces',
    { reason: 'view_only' },
  )
}
