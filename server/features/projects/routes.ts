import { projects } from '../../../contract/projects/projects.ts'
import { handle } from '../../endpoint/route.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { type NamingOptions, nameProject } from './naming.ts'
import { remove, undelete } from './remove.ts'
import { update } from './update.ts'
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
]
