import type { agents } from '../../../contract/agents/agents.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { decodeCursor, encodeCursor } from '../../database/cursor.ts'
import { notFound, raise } from '../../errors.ts'
import * as queries from './list-queries.ts'
import { findVersion } from './queries.ts'
import type { AgentRow } from './records.ts'
import { changedFields, normalise } from './settings.ts'
import { changeSettings, getAgent, lockForChange } from './update.ts'

export async function listVersions(ctx: Context, { id, limit, cursor }: InputOf<typeof agents.versions>) {
  const { orgId } = ctx.caller
  const scope = JSON.stringify(['agent versions', orgId, id])
  const before = decodeCursor(ctx.vault, scope, cursor)
  await getAgent(ctx, { id })
  // The version after the page is also the one that the last version of the page is compared with.
  const position = { before: before === null ? null : Number(before), limit: limit + 1 }
  const rows = await queries.listVersions(ctx.sql, orgId, id, position)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row, index) => present(row, rows[index + 1])),
    nextCursor: rows.length > limit && last ? encodeCursor(ctx.vault, scope, String(last.version)) : null,
  }
}

const present = (
  { version, change, restoredFrom, by, createdAt, settings }: queries.VersionRow,
  previous: queries.VersionRow | undefined,
) => ({
  version,
  change,
  restoredFrom,
  by,
  createdAt,
  changes: previous
    ? changedFields(previous.settings, settings).map((field) => ({
        field,
        before: previous.settings[field],
        after: settings[field],
      }))
    : [],
})

export const restoreVersion = (ctx: Context, input: InputOf<typeof agents.restore>): Promise<AgentRow> =>
  ctx.transaction(async (inside) => {
    const { id, version } = input
    const before = await lockForChange(inside, input)
    const settings =
      (await findVersion(inside.sql, ctx.caller.orgId, id, version)) ?? raise(notFound('Version'))
    return changeSettings(inside, before, normalise(settings), version)
  })
