import { projectExport } from '../../../../contract/projects/project-export.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import { handle } from '../../../endpoint/route.ts'
import { duplicateProject } from './duplicate.ts'
import { exportProject } from './export-project.ts'
import { parseManifest } from './manifest-thread.ts'
import { restoreProject } from './restore.ts'

export const projectExportRoutes = [
  handle(projectExport.export, exportProject),
  { ...handle(projectExport.restore, restoreProject), parseLarge: parseManifest },
  handle(projects.duplicate, duplicateProject),
]
