import type { Feature } from '../../feature.ts'
import { sharingRoutes } from './routes.ts'

export { identifyShareTicket } from './guest-tokens.ts'

export const sharing: Feature = { routes: sharingRoutes }
