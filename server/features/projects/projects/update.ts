import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { forbidden, stale } from '../../../errors.ts'
import { notifyAccessChanged, notifyProject } from '../../../streams/notify.ts'
import { projectFolders } from '../../files/files/files.ts'
import { ensureFolder, UNTITLED } from './create.ts'
import { publishProjectEvent } from './events.ts'
import { lockProject } from './find.ts'
import { claimSlug, deleteSharingByOthers, lowerTrustOfRuns, updateListed, updateProject } from './queries.ts'
import { auditName, type ProjectRow, present } from './records.ts'
import { nextSlug, preferredSlug, toSlug } from './slug.ts'

export async function update(
  ctx: Context<'quotas'>,
  { id: ref, ifMatch, ...change }: InputOf<typeof projects.update>,
) {
  const row = await ctx.transaction(async (inside) => {
    const before = await lockProject(inside, ref)
    if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
    const after = await changeProject(inside, before, change)
    await publishProjectEvent(inside, 'project.updated', after, { fields: Object.keys(change) })
    return after
  })
  return reply(present(row), { version: row.version })
}

/** The project must be locked. The caller publishes the event. */
export async function changeProject(
  ctx: Context<'quotas'>,
  before: ProjectRow,
  change: Partial<Omit<InputOf<typeof projects.update>, 'id' | 'ifMatch'>>,
): Promise<ProjectRow> {
  if (change.visibility === 'private' && before.userId !== ctx.caller.userId) {
    throw forbidden('Only the creator can make a project private', { reason: 'creator_only' })
  }
  const isPromptChanged = change.prompt !== undefined && change.prompt !== before.prompt
  if (isPromptChanged) requirePromptAuthor(ctx, before)
  const { orgId, userId, role } = ctx.caller
  const changed = await updateProject(ctx.sql, orgId, { ...before, ...change, by: userId, now: ctx.now() })
  if (isPromptChanged) await lowerTrustOfRuns(ctx.sql, orgId, before.id, { userId, role })
  const after = changed.name === before.name ? changed : await applyRename(ctx, before, changed)
  if (after.visibility !== before.visibility) await changeVisibility(ctx, after)
  notifyProject(ctx.sql, after.orgId, after.id, { kind: 'project' })
  return after
}

/** Every member's runs follow a team project's prompt, so other editors can't change it. */
function requirePromptAuthor({ caller }: Context, { userId }: ProjectRow): void {
  if (caller.role !== 'member' || caller.userId === userId) return
  throw forbidden('Only this project’s creator, admins and owners can change its prompt', {
    reason: 'not_creator',
  })
}

const applyRename = async (
  ctx: Context<'quotas'>,
  before: ProjectRow,
  changed: ProjectRow,
): Promise<ProjectRow> => renameFolder(ctx, await replacePlaceholderSlug(ctx, before, changed))

async function renameFolder(ctx: Context<'quotas'>, row: ProjectRow): Promise<ProjectRow> {
  if (row.folderId === null) return ensureFolder(ctx, row)
  await projectFolders.rename(ctx, row.id, row.name)
  return row
}

/** Rechecks open streams' access. A private project keeps only its creator's links. */
async function changeVisibility(ctx: Context, { orgId, id, ...row }: ProjectRow): Promise<void> {
  const { visibility, userId } = row
  await updateListed(ctx.sql, orgId, id, visibility === 'team')
  if (visibility === 'private') await deleteSharingByOthers(ctx.sql, orgId, id, userId)
  const details = { ...auditName(row), visibility }
  await recordAudit(ctx, { action: 'project.visibility-changed', by: ctx.caller, target: id, details })
  await ctx.sql`select ${notifyAccessChanged(ctx.sql, { orgId, projectId: id })}`
}

/**
 * A placeholder slug is replaced when the project is first named. Every other slug stays, since links contain it.
 * Dashboard links to an unnamed project contain its id.
 */
async function replacePlaceholderSlug(
  ctx: Context,
  before: ProjectRow,
  after: ProjectRow,
): Promise<ProjectRow> {
  const hasPlaceholder = before.name === UNTITLED && before.slug.startsWith(toSlug(UNTITLED))
  if (!hasPlaceholder || after.name === UNTITLED) return after
  const { orgId } = ctx.caller
  const preferred = preferredSlug(after)
  let slug = preferred
  while (!(await claimSlug(ctx.sql, orgId, after.id, slug))) slug = await nextSlug(ctx.sql, orgId, preferred)
  return { ...after, slug }
}
