import type { Feature } from '../../../feature.ts'
import { sharingJobs } from './jobs.ts'
import { sharingRoutes } from './routes.ts'

export { verifyGuestToken } from './guest-tokens.ts'

export const sharing: Feature = { routes: sharingRoutes, jobs: sharingJobs }
