import type { Feature } from '../../feature.ts'
import { projectCopyRoutes } from './routes.ts'

export const projectExport: Feature = { routes: projectCopyRoutes }
