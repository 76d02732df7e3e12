import type { Feature } from '../../../feature.ts'
import { projectExportRoutes } from './routes.ts'

export const projectExport: Feature = { routes: projectExportRoutes }
