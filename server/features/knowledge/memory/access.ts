import type { Context } from '../../../context.ts'
import { badField, forbidden, notFound, raise, stale } from '../../../errors.ts'
import { canEditSomewhere } from '../../organizations/membership/membership.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { findMemory, lockMemory } from './queries.ts'
import type { MemoryRow } from './records.ts'

interface SpaceInput {
  scope?: 'project' | 'org' | undefined
  projectId?: string | null | undefined
}

export async function resolveProjectId(
  ctx: Context,
  { scope, projectId }: SpaceInput,
): Promise<string | null> {
  if (scope === 'org' && projectId) throw badField('body.projectId', 'must be null for the scope org')
  if (scope === 'project' && !projectId) throw badField('body.projectId', 'is required for the scope project')
  return projectId ? (await findProject(ctx, projectId)).id : null
}

/** Null means the organization's memory. */
export async function requireEdit(ctx: Context, projectId: string | null): Promise<void> {
  if (projectId !== null) {
    await findProject(ctx, projectId, 'edit')
    return
  }
  const { sql, caller } = ctx
  const [row] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
  if (row!.allowed) return
  throw forbidden(
    'You have view-only access to this organization’s memory: you can’t edit in any of its workspaces',
    { reason: 'view_only' },
  )
}

export const isDecided = ({ status }: Pick<MemoryRow, 'status'>) =>
  status === 'accepted' || status === 'rejected'

/** For readers, decided proposals no longer exist. */
export async function readMemory(ctx: Context, { id }: { id: string }): Promise<MemoryRow> {
  const row = await findMemory(ctx.sql, ctx.caller, id)
  return row && !isDecided(row) ? row : raise(notFound('Memory'))
}

/** A run saves memories but changes none otherwise. */
export async function lockForChange(
  ctx: Context,
  { id, ifMatch }: { id: string; ifMatch?: string | undefined },
  options: { decided?: 'allowed' } = {},
): Promise<MemoryRow> {
  if (ctx.caller.via === 'run')
    throw forbidden('Only a person can change or decide memories', { reason: 'person_required' })
  const row = (await lockMemory(ctx.sql, ctx.caller, id)) ?? raise(notFound('Memory'))
  if (isDecided(row) && !options.decided) throw notFound('Memory')
  await requireEdit(ctx, row.projectId)
  if (ifMatch !== undefined && ifMatch !== String(row.version)) throw stale()
  return row
}
