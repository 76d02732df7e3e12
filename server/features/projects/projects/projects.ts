import type { EmptyProject, Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { emptyPurgedProjects } from './empty-purged.ts'
import { emptyPurged } from './jobs.ts'
import type { NamingOptions } from './naming.ts'
import { projectRoutes } from './routes.ts'

export { createProject } from './create.ts'
export { publishProjectEvent } from './events.ts'
export { findProject, lockForRuntime, lockProject, lockProjectForRead, matchesRef } from './find.ts'
export { auditName, type ProjectRow, present as presentProject } from './records.ts'
export { changeProject } from './update.ts'

interface ProjectsOptions extends NamingOptions {
  /** Each deletes the rows of one feature for a purged project. */
  emptySteps: () => EmptyProject[]
}

export const projects = ({ emptySteps, ...options }: ProjectsOptions): Feature => ({
  routes: projectRoutes(options),
  jobs: [onJob(emptyPurged, emptyPurgedProjects(emptySteps))],
  schedules: [{ job: emptyPurged, cron: '37 * * * *' }],
})
