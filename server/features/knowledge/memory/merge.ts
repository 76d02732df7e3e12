import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, badRequest } from '../../../errors.ts'
import { lockForChange, readMemory, requireEdit } from './access.ts'
import { changeText } from './change.ts'
import * as queries from './queries.ts'
import { announce, audit } from './record-change.ts'
import { present } from './records.ts'

const TAGS_MAX = 30

/** The text of the other memory becomes a version of this one before the merged text does, so that nothing is lost. */
export const mergeMemory = (ctx: Context, input: InputOf<typeof memory.merge>) =>
  ctx.transaction(async (inside) => {
    const { id, otherId, ifMatch } = input
    await requireEdit(inside, (await readMemory(inside, { id })).projectId)
    if (id === otherId) throw badField('body.otherId', 'must be another memory')
    // In the order of ids, so that two merges of the same pair do not deadlock.
    const locked = new Map<string, Awaited<ReturnType<typeof lockForChange>>>()
    for (const each of [id, otherId].sort())
      locked.set(each, await lockForChange(inside, each === id ? { id, ifMatch } : { id: otherId }))
    const [before, other] = [locked.get(id)!, locked.get(otherId)!]
    if (before.status !== 'active' || other.status !== 'active')
      throw badRequest('Both memories must be active: accept or reject proposals first')
    if (before.projectId !== other.projectId)
      throw badField('body.otherId', 'must be a memory of the same project, or both of the organization')
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
