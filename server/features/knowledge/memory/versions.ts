import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { versionPage } from '../../../database/version-page.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise } from '../../../errors.ts'
import { lockForChange, readMemory } from './access.ts'
import { changeText } from './change.ts'
import { type Draft, present } from './records.ts'

export function listVersions(ctx: Context, { id, limit, cursor }: InputOf<typeof memory.versions>) {
  const { orgId } = ctx.caller
  const list = JSON.stringify(['memory versions', orgId, id])
  return versionPage(
    ctx,
    { list, limit, cursor },
    async (position) => {
      await readMemory(ctx, { id })
      return listVersionRows(ctx.sql, orgId, id, position)
    },
    (row) => row,
  )
}

export const restoreVersion = (ctx: Context, { id, version, ifMatch }: InputOf<typeof memory.restore>) =>
  ctx.transaction(async (inside) => {
    const before = await lockForChange(inside, { id, ifMatch })
    const text = (await findVersion(inside.sql, ctx.caller.orgId, id, version)) ?? raise(notFound('Version'))
    const row = await changeText(inside, before, text, { change: 'restored', restoredFrom: version })
    return reply(present(row), { version: row.version })
  })

type VersionRow = z.output<typeof memory.versions.output>['items'][number]

const listVersionRows = (
  sql: Sql,
  orgId: string,
  memoryId: string,
  { before, limit }: { before: number | null; limit: number },
) => sql<VersionRow[]>`
  select v.version, v.change, v.key, v.content, v.tags, v.source, v.run_id as "runId",
    v.restored_from as "restoredFrom", v.created_at as "createdAt", (
      select json_build_object('id', u.id, 'name', u.name) from users u where u.id = v.written_by
    ) as by
  from memory_versions v
  where v.org_id = ${orgId} and v.memory_id = ${memoryId} and ${before === null ? sql`true` : sql`v.version < ${before}`}
  order by v.version desc limit ${limit}`

export async function findVersion(sql: Sql, orgId: string, memoryId: string, version: number) {
  const [row] = await sql<Draft[]>`
    select key, content, tags from memory_versions
    where org_id = ${orgId} and memory_id = ${memoryId} and version = ${version}`
  return row ?? null
}
