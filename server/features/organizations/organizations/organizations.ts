import type { Feature } from '../../../feature.ts'
import { organizationRoutes } from './routes.ts'

export { resolveInvitedAccount } from './invited-account.ts'
export { joinOrganization } from './join.ts'

export const organizations: Feature = { routes: organizationRoutes }
