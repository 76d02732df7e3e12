import type { Feature } from '../../feature.ts'
import { organizationRoutes } from './routes.ts'

export { joinOrganization } from './join.ts'
export { parseInvitedUser } from './parse-invited-user.ts'

export const organizations: Feature = { routes: organizationRoutes }
