import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { countProposed, findWindowEnd, type ListedMemory, listMemories } from './list-queries.ts'
import { present } from './records.ts'
import { searchMemories } from './search-queries.ts'

const COUNT_MAX = 100

export async function list(ctx: Context<'vault'>, input: InputOf<typeof memory.list>) {
  const { sql, caller, vault } = ctx
  const { limit, cursor, q, scope, status, projectId } = input
  const project = projectId === undefined ? null : (await findProject(ctx, projectId)).id
  const spaceId = project ?? (scope === 'org' ? caller.orgId : null)
  const name = JSON.stringify(['memory', caller.orgId, caller.userId, spaceId, scope, status, q])
  const position = decodeCursor(vault, name, cursor)
  const page = { after: position === null ? null : JSON.parse(position), limit: limit + 1 }
  const filter = { spaceId, scope, status }
  const [rows, proposedCount] = await Promise.all([
    q === undefined
      ? listMemories(sql, caller, filter, page)
      : searchMemories(sql, caller, { ...filter, q }, page),
    countProposed(sql, caller, COUNT_MAX),
  ])
  // A page may be short although more follow, because other projects' items are left out.
  const mayHaveMore = rows.length <= limit && q === undefined && (spaceId === null || status === 'proposed')
  const end = mayHaveMore ? await findWindowEnd(sql, caller.orgId, filter, page.after) : null
  const last = rows.length > limit ? positionOf(rows[limit - 1]!) : end
  return {
    items: rows.slice(0, limit).map((row) => ({ ...present(row), score: row.score })),
    nextCursor: last ? encodeCursor(vault, name, JSON.stringify(last)) : null,
    proposedCount,
  }
}

const positionOf = ({ score, updatedAt, id }: ListedMemory) => ({ score, updatedAt, id })
