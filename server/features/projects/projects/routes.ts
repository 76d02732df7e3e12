import { projectBulk } from '../../../../contract/projects/bulk.ts'
import { favourites } from '../../../../contract/projects/favourites.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import { projectViews } from '../../../../contract/projects/views.ts'
import { handle } from '../../../endpoint/route.ts'
import { applyToMany } from './bulk.ts'
import { create } from './create.ts'
import { addFavourite, listFavourites, removeFavourite, reorderFavourites } from './favourites/favourites.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { type NamingOptions, nameProject } from './naming.ts'
import { remove, undelete } from './remove.ts'
import { update } from './update.ts'
import { createView, deleteView, listViews, updateView } from './views/views.ts'
import { shareWithWorkspace, unshareFromWorkspace } from './workspaces.ts'

export const projectRoutes = (options: NamingOptions) => [
  handle(projects.list, list),
  handle(projects.create, create, nameProject(options)),
  handle(projects.get, get),
  handle(projects.update, update),
  handle(projects.remove, remove),
  handle(projects.undelete, undelete),
  handle(projects.shareWithWorkspace, shareWithWorkspace),
  handle(projects.unshareFromWorkspace, unshareFromWorkspace),
  handle(favourites.list, listFavourites),
  handle(favourites.reorder, reorderFavourites),
  handle(favourites.add, addFavourite),
  handle(favourites.remove, removeFavourite),
  handle(projectBulk.apply, applyToMany),
  handle(projectViews.list, listViews),
  handle(projectViews.create, createView),
  handle(projectViews.update, updateView),
  handle(projectViews.remove, deleteView),
]
