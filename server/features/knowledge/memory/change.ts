import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, badField, badRequest } from '../../../errors.ts'
import { lockForChange, readMemory, requireEdit } from './access.ts'
import { acceptLocked } from './decide.ts'
import * as queries from './queries.ts'
import { announce, audit } from './record-change.ts'
import { type Draft, type MemoryRow, present } from './records.ts'
import { replaceText } from './save.ts'
import { personWriter } from './writer.ts'

export async function getMemory(ctx: Context, input: InputOf<typeof memory.get>) {
  return respond(await readMemory(ctx, input))
}

const respond = (row: MemoryRow) => reply(present(row), { version: row.version })

export const updateMemory = (
  ctx: Context<'quotas'>,
  { id, ifMatch, status, ...change }: InputOf<typeof memory.update>,
) =>
  ctx.transaction(async (inside) => {
    const before = await lockForChange(inside, { id, ifMatch })
    const { key = before.key, content = before.content, tags = before.tags } = change
    const changed = await changeText(inside, before, { key, content, tags }, { change: 'updated' })
    if (status === 'active' && before.status === 'proposed')
      return respond(await acceptLocked(inside, changed))
    return respond(changed)
  })

/** The memory must be locked. */
export async function changeText(
  ctx: Context,
  before: MemoryRow,
  draft: Draft,
  reason: Pick<queries.NewText, 'change'> & { restoredFrom?: number },
): Promise<MemoryRow> {
  const { sql, caller } = ctx
  if (before.status === 'active' && draft.key !== before.key)
    await requireFreeKey(ctx, before.projectId, draft.key)
  const writer = personWriter(ctx)
  const { restoredFrom = null, change } = reason
  const text = { ...draft, writer, change, restoredFrom, now: ctx.now() }
  await replaceText(ctx, before.projectId, before, text)
  return (await queries.findMemory(sql, caller, before.id))!
}

async function requireFreeKey(
  { sql, caller }: Context,
  projectId: string | null,
  key: string,
): Promise<void> {
  const other = await queries.lockByKey(sql, caller.orgId, projectId ?? caller.orgId, key)
  if (other)
    throw new ApiError(
      'CONFLICT',
      textWithNames`Another memory has the key ${key}: merge them, or use another key`,
      {
        details: { reason: 'key_taken', id: other.id },
      },
    )
}

export const removeMemory = (ctx: Context, { id, ifMatch }: InputOf<typeof memory.remove>) =>
  ctx.transaction(async (inside) => {
    const row = await lockForChange(inside, { id, ifMatch })
    await queries.deleteMemory(inside.sql, ctx.caller.orgId, id)
    await announce(inside, 'memory.deleted', row)
    await audit(inside, 'memory.deleted', row)
    return { id, deleted: true as const }
  })

const TAGS_MAX = 30

/** The other text becomes a version before the merged text does, so nothing is lost. */
export const mergeMemory = (ctx: Context, input: InputOf<typeof memory.merge>) =>
  ctx.transaction(async (inside) => {
    const { id, otherId, ifMatch } = input
    await requireEdit(inside, (await readMemory(inside, { id })).projectId)
    if (id === otherId) throw badField('body.otherId', 'must be another memory')
    // In id order, so two merges don't deadlock.
    const locked = new Map<string, Awaited<ReturnType<typeof lockForChange>>>()
    for (const each of [id, otherId].sort())
      locked.set(each, await lockForChange(inside, each === id ? { id, ifMatch } : { id: otherId }))
    const [before, other] = [locked.get(id)!, locked.get(otherId)!]
    if (before.status !== 'active' || other.status !== 'active')
      throw badRequest('Both memories must be active: accept or reject proposals first')
    if (before.projectId !== other.projectId)
      throw badField('body.otherId', 'must be in the same project, or both in the organization')
    await queries.deleteMemory(inside.sql, ctx.caller.orgId, otherId)
    await announce(inside, 'memory.deleted', other)
    await audit(inside, 'memory.merged', other)
    const { key: otherKey, content: otherContent, tags: otherTags } = other
    const otherText = { key: otherKey, content: otherContent, tags: otherTags }
    const withOtherText = await changeText(inside, before, otherText, { change: 'merged' })
    const { key = before.key, content, tags = unionOf(before.tags, other.tags) } = input
    const row = await changeText(inside, withOtherText, { key, content, tags }, { change: 'merged' })
    return reply(present(row), { version: row.version })
  })

const unionOf = (one: string[], two: string[]) => [...new Set([...one, ...two])].slice(0, TAGS_MAX)
