import type { Feature } from '../../feature.ts'
import { feedbackJobs } from './jobs.ts'
import { feedbackRoutes } from './routes.ts'

export const feedback: Feature = { routes: feedbackRoutes, jobs: feedbackJobs }
