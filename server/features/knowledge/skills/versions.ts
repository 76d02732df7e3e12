import type { InputOf } from '../../../../contract/endpoint.ts'
import type { skills } from '../../../../contract/knowledge/skills.ts'
import type { Context } from '../../../context.ts'
import { type VersionPosition, versionPage } from '../../../database/cursor.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { changeSkill, lockForChange } from './change.ts'
import { hasSkill } from './queries.ts'
import type { SkillContent, SkillRow } from './records.ts'

interface VersionRow {
  version: number
  change: 'created' | 'updated' | 'imported' | 'restored'
  restoredFrom: number | null
  content: SkillContent
  by: { id: string; name: string } | null
  createdAt: string
}

export function listVersions(ctx: Context<'vault'>, { id, limit, cursor }: InputOf<typeof skills.versions>) {
  const { sql, caller } = ctx
  const list = JSON.stringify(['skill versions', caller.orgId, id])
  return versionPage(
    ctx,
    { list, limit, cursor },
    async (position) => {
      if (!(await hasSkill(sql, caller.orgId, id))) throw notFound('Skill')
      return readVersions(sql, caller.orgId, id, position)
    },
    ({ content: { files, ...text }, ...row }) => ({
      ...row,
      ...text,
      files: files.map(({ path, size, isText }) => ({ path, size, isText })),
    }),
  )
}

const readVersions = (sql: Sql, orgId: string, id: string, { before, limit }: VersionPosition) => sql<
  VersionRow[]
>`
  select v.version, v.change, v.restored_from as "restoredFrom", v.content, v.created_at as "createdAt", (
    select json_build_object('id', u.id, 'name', u.name) from users u where u.id = v.changed_by
  ) as by
  from skill_versions v
  where v.org_id = ${orgId} and v.skill_id = ${id} ${before === null ? sql`` : sql`and v.version < ${before}`}
  order by v.version desc limit ${limit}`

export const restoreVersion = (ctx: Context, input: InputOf<typeof skills.restore>): Promise<SkillRow> =>
  ctx.transaction(async (inside) => {
    const { id, version } = input
    const before = await lockForChange(inside, input)
    const [row] = await inside.sql<{ content: SkillContent }[]>`
      select content from skill_versions
      where org_id = ${ctx.caller.orgId} and skill_id = ${id} and version = ${version}`
    const { content } = row ?? raise(notFound('Version'))
    return changeSkill(inside, before, content, { change: 'restored', restoredFrom: version })
  })
