import type { Feature } from '../../../feature.ts'
import { skillRoutes } from './routes.ts'

export { listExistingSkillIds, listForPrompt, readSkill } from './read-file.ts'

/** Instructions with files that agents read on demand, in the Agent Skills format. */
export const skills: Feature = { routes: skillRoutes }
