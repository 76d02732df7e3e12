import { projectExport as endpoints } from '../../../../contract/projects/project-export.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { duplicateProject } from './duplicate.ts'
import { parseManifest } from './manifest-thread.ts'
import { exportProject } from './project-contents.ts'
import { restoreProject } from './restore.ts'

/** Exports, restores and duplicates projects. */
export const projectExport: Feature = {
  routes: [
    handle(endpoints.export, exportProject),
    { ...handle(endpoints.restore, restoreProject), parseLarge: parseManifest },
    handle(projects.duplicate, duplicateProject),
  ],
}
