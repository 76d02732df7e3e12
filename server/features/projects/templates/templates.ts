import { templates } from '../../../../contract/projects/templates.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { createTemplate, deleteTemplate, listTemplates, updateTemplate } from './manage.ts'
import { startProject } from './start.ts'

/** Canvases to start projects from: the organization's own and those that Atrium ships. */
export const projectTemplates: Feature = {
  routes: [
    handle(templates.list, listTemplates),
    handle(templates.create, createTemplate),
    handle(templates.update, updateTemplate),
    handle(templates.remove, deleteTemplate),
    handle(templates.start, startProject),
  ],
}
