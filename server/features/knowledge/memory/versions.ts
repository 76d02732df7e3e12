import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context } from '../../../context.ts'
import { versionPage } from '../../../database/cursor.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise } from '../../../errors.ts'
import { lockForChange, readMemory } from './access.ts'
import { changeText } from './change.ts'
import { findVersion, listVersionRows } from './queries.ts'
import { present } from './records.ts'

export function listVersions(ctx: Context<'vault'>, { id, limit, cursor }: InputOf<typeof memory.versions>) {
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
