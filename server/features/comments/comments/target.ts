import type { Context } from '../../../context.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { findFile } from '../../files/files/files.ts'
import { findProject } from '../../projects/projects/projects.ts'
import type { CommentRow, Target, TargetType } from './records.ts'
import { type FoundTarget, findRunTarget, listBlockTargets } from './target-queries.ts'

/** Where the caller named the target, for errors. */
type Source = 'query' | 'body'

export const parseTarget = (target: string): { type: TargetType; id: string } => {
  const [type, id] = target.split(':')
  return { type: type as TargetType, id: id! }
}

/** Whether a comment is on this target. The ids of blocks are unique in their project only. */
export const isOnTarget = (
  comment: Pick<CommentRow, 'targetType' | 'targetId' | 'projectId'>,
  { type, id, projectId }: Target,
): boolean =>
  comment.targetType === type &&
  comment.targetId === id &&
  (type !== 'block' || comment.projectId === projectId)

/** The target of a request if the caller sees it, else NOT_FOUND. */
export async function findTarget(
  ctx: Context,
  input: { target: string; projectId?: string | undefined },
  source: Source,
): Promise<Target> {
  const { type, id } = parseTarget(input.target)
  if (type !== 'block') return (await findTargetById(ctx, type, id, null)) ?? raise(notFound(NOUNS[type]))
  const project = input.projectId === undefined ? null : (await findProject(ctx, input.projectId)).id
  const found = await listBlockTargets(ctx.sql, ctx.caller, id, project)
  if (found.length > 1)
    throw badField(`${source}.projectId`, 'is required: blocks of several projects have this id')
  return asTarget('block', id, found[0] ?? raise(notFound(NOUNS.block)))
}

export const NOUNS: Record<TargetType, string> = { block: 'Block', file: 'File', run: 'Run' }

/** The target of a stored comment if the caller sees it. Guests see blocks only. */
export async function findTargetById(
  { sql, caller }: Context,
  type: TargetType,
  id: string,
  projectId: string | null,
): Promise<Target | null> {
  if (type === 'block') {
    const [found] = await listBlockTargets(sql, caller, id, projectId)
    return found ? asTarget(type, id, found) : null
  }
  if (caller.share) return null
  if (type === 'run') {
    const found = await findRunTarget(sql, caller, id)
    return found ? asTarget(type, id, found) : null
  }
  const file = await findFile(sql, caller, id)
  return file && { type, id, projectId: file.projectId, access: file.access, title: file.name }
}

const asTarget = (type: TargetType, id: string, { projectId, access, title }: FoundTarget): Target => ({
  type,
  id,
  projectId,
  access,
  title: title || NOUNS[type],
})
