import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError } from '../../../errors.ts'
import { lockForChange, readMemory } from './access.ts'
import { acceptLocked } from './decide.ts'
import * as queries from './queries.ts'
import { announce, audit } from './record-change.ts'
import { type Draft, type MemoryRow, present } from './records.ts'
import { replaceText } from './save.ts'
import { personOf } from './writer.ts'

export async function getMemory(ctx: Context, input: InputOf<typeof memory.get>) {
  return respond(await readMemory(ctx, input))
}

const respond = (row: MemoryRow) => reply(present(row), { version: row.version })

export const updateMemory = (
  ctx: Context,
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

/** Replaces the text of a locked memory on behalf of a person. */
export async function changeText(
  ctx: Context,
  before: MemoryRow,
  draft: Draft,
  reason: Pick<queries.NewText, 'change'> & { restoredFrom?: number },
): Promise<MemoryRow> {
  const { sql, caller } = ctx
  if (before.status === 'active' && draft.key !== before.key)
    await requireFreeKey(ctx, before.projectId, draft.key)
  const writer = personOf(ctx)
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
