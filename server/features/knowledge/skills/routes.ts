import { skills } from '../../../../contract/knowledge/skills.ts'
import type { Context } from '../../../context.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import { createSkill, getSkill, removeSkill, updateSkill } from './change.ts'
import { listSkills } from './list.ts'
import { readFile } from './read-file.ts'
import { present, type SkillRow } from './records.ts'
import { exportSkill, importSkill, previewArchive } from './transfer.ts'
import { listVersions, restoreVersion } from './versions.ts'

/** Adds the version of the skill to the response of a handler. */
const withVersion =
  <Input>(run: (ctx: Context, input: Input) => Promise<SkillRow>) =>
  async (ctx: Context, input: Input) => {
    const row = await run(ctx, input)
    return reply(present(row), { version: row.version })
  }

export const skillRoutes = [
  handle(skills.list, listSkills),
  handle(skills.create, async (ctx, input) => present(await createSkill(ctx, input))),
  handle(skills.get, withVersion(getSkill)),
  handle(skills.file, readFile),
  handle(skills.update, withVersion(updateSkill)),
  handle(skills.remove, removeSkill),
  handle(skills.versions, listVersions),
  handle(skills.restore, withVersion(restoreVersion)),
  handle(skills.preview, previewArchive),
  handle(skills.import, async (ctx, input) => present(await importSkill(ctx, input))),
  handle(skills.export, exportSkill),
]
