import { projectBulk } from '../../../../contract/projects/bulk.ts'
import { favourites } from '../../../../contract/projects/favourites.ts'
import { projects as endpoints } from '../../../../contract/projects/projects.ts'
import { projectViews } from '../../../../contract/projects/views.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { applyToMany } from './bulk.ts'
import { create } from './create.ts'
import { addFavourite, listFavourites, removeFavourite, reorderFavourites } from './favourites/favourites.ts'
import { get } from './find.ts'
import { list } from './list.ts'
import { type NamingOptions, nameProject } from './naming.ts'
import { emptyPurged, emptyPurgedProjects } from './purge.ts'
import { remove, undelete } from './remove.ts'
import { update } from './update.ts'
import { createView, deleteView, listViews, updateView } from './views/views.ts'
import { shareWithWorkspace, unshareFromWorkspace } from './workspaces.ts'

export { createProject } from './create.ts'
export { publishProjectEvent } from './events.ts'
export { findProject, lockForRuntime, lockProject, lockProjectForRead, matchesRef } from './find.ts'
export { auditName, type ProjectRow, present as presentProject } from './records.ts'
export { changeProject } from './update.ts'

/** Projects: lists, saved views, favorites, bulk actions and trash. */
export const projects = (options: NamingOptions): Feature => ({
  routes: [
    handle(endpoints.list, list),
    handle(endpoints.create, create, nameProject(options)),
    handle(endpoints.get, get),
    handle(endpoints.update, update),
    handle(endpoints.remove, remove),
    handle(endpoints.undelete, undelete),
    handle(endpoints.shareWithWorkspace, shareWithWorkspace),
    handle(endpoints.unshareFromWorkspace, unshareFromWorkspace),
    handle(favourites.list, listFavourites),
    handle(favourites.reorder, reorderFavourites),
    handle(favourites.add, addFavourite),
    handle(favourites.remove, removeFavourite),
    handle(projectBulk.apply, applyToMany),
    handle(projectViews.list, listViews),
    handle(projectViews.create, createView),
    handle(projectViews.update, updateView),
    handle(projectViews.remove, deleteView),
  ],
  jobs: [onJob(emptyPurged, emptyPurgedProjects)],
  schedules: [{ job: emptyPurged, cron: '37 * * * *' }],
  hooks: [emptyProject],
})
