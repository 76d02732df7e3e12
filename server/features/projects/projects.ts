import type { Feature } from '../../feature.ts'
import type { NamingOptions } from './naming.ts'
import { projectRoutes } from './routes.ts'

export { findProject, holdProject, isNamed, lockProject } from './access.ts'
export { createProject } from './create.ts'
export { publishOfProject } from './events.ts'
export { auditName, type ProjectRow, present as presentProject } from './records.ts'
export { changeProject } from './update.ts'

export const projects = (options: NamingOptions): Feature => ({ routes: projectRoutes(options) })
