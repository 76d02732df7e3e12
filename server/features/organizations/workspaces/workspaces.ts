import type { Feature } from '../../../feature.ts'
import { workspaceRoutes } from './routes.ts'

export { joinWorkspace } from './join.ts'

export const workspaces: Feature = { routes: workspaceRoutes }
