import { workspaces } from '../../../../contract/organizations/workspaces.ts'
import { handle } from '../../../endpoint/route.ts'
import {
  chooseDefaultWorkspace,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  renameWorkspace,
} from './manage.ts'
import { addWorkspaceMember, listWorkspaceMembers, removeWorkspaceMember } from './members.ts'

export const workspaceRoutes = [
  handle(workspaces.list, listWorkspaces),
  handle(workspaces.create, createWorkspace),
  handle(workspaces.chooseDefault, chooseDefaultWorkspace),
  handle(workspaces.rename, renameWorkspace),
  handle(workspaces.remove, deleteWorkspace),
  handle(workspaces.members, listWorkspaceMembers),
  handle(workspaces.addMember, addWorkspaceMember),
  handle(workspaces.removeMember, removeWorkspaceMember),
]
