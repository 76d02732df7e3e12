import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Purges projects whose time in the trash has ended, and deletes the content of purged projects. */
export const emptyPurged = job('projects.empty-purged', z.object({}), { lane: 'bulk' })
