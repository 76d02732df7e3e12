import { skills as endpoints } from '../../../../contract/knowledge/skills.ts'
import type { Context } from '../../../context.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { agentReferences } from '../../agents/agents/agents.ts'
import { createSkill, getSkill, removeSkill, updateSkill } from './change.ts'
import { listExistingSkillIds, listSkills, readFile } from './read.ts'
import { present, type SkillRow } from './records.ts'
import { exportSkill, importSkill, previewArchive } from './transfer.ts'
import { listVersions, restoreVersion } from './versions.ts'

export { listForPrompt, readSkill } from './read.ts'

const withVersion =
  <Input>(run: (ctx: Context<'quotas'>, input: Input) => Promise<SkillRow>) =>
  async (ctx: Context<'quotas'>, input: Input) => {
    const row = await run(ctx, input)
    return reply(present(row), { version: row.version })
  }

/** Instructions with files that agents read on demand, in the Agent Skills format. */
export const skills: Feature = {
  routes: [
    handle(endpoints.list, listSkills),
    handle(endpoints.create, async (ctx, input) => present(await createSkill(ctx, input))),
    handle(endpoints.get, withVersion(getSkill)),
    handle(endpoints.file, readFile),
    handle(endpoints.update, withVersion(updateSkill)),
    handle(endpoints.remove, removeSkill),
    handle(endpoints.versions, listVersions),
    handle(endpoints.restore, withVersion(restoreVersion)),
    handle(endpoints.preview, previewArchive),
    handle(endpoints.import, async (ctx, input) => present(await importSkill(ctx, input))),
    handle(endpoints.export, exportSkill),
  ],
  fills: [
    fill(agentReferences, {
      setting: 'skills',
      listExisting: listExistingSkillIds,
      warnAbout: () => 'the skill no longer exists',
    }),
  ],
}
