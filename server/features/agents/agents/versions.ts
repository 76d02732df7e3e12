import type { agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { versionPage } from '../../../database/cursor.ts'
import { notFound, raise } from '../../../errors.ts'
import * as queries from './list-queries.ts'
import { findVersion } from './queries.ts'
import type { AgentRow } from './records.ts'
import { changedFields, normalize } from './settings.ts'
import { changeSettings, getAgent, lockForChange } from './update.ts'

export function listVersions(ctx: Context<'vault'>, { id, limit, cursor }: InputOf<typeof agents.versions>) {
  const { orgId } = ctx.caller
  const list = JSON.stringify(['agent versions', orgId, id])
  return versionPage(
    ctx,
    { list, limit, cursor },
    async (position) => {
      await getAgent(ctx, { id })
      return queries.listVersions(ctx.sql, orgId, id, position)
    },
    present,
  )
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
    return changeSettings(inside, before, normalize(settings), version)
  })
