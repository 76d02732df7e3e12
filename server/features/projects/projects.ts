import type { Feature } from '../../feature.ts'
import type { NamingOptions } from './naming.ts'
import { projectRoutes } from './routes.ts'

export { createProject } from './create.ts'
export { publishProjectEvent } from './events.ts'
export { findProject, isId, lockForRuntime, lockProject, lockProjectForRead, matchesRef } from './find.ts'
export { auditName, type ProjectRow, present as presentProject } from './records.ts'
export { changeProject } from './update.ts'

export const projects = (options: NamingOptions): Feature => ({ routes: projectRoutes(options) })
