import { z } from 'zod'
import { PersonName } from '../accounts/accounts.ts'
import { browser, endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp } from '../fields.ts'

const AREA = 'Managing workspaces'
export const WORKSPACE_ROLES = ['viewer', 'editor', 'admin'] as const
const WorkspaceRole = z.enum(WORKSPACE_ROLES)
const byId = z.object({ id: Id })
const byMember = z.object({ id: Id, userId: Id })

export const Workspace = z.object({
  id: Id,
  name: z.string(),
  memberCount: z.int(),
  isDefault: z.boolean().describe('Whether your API keys and sign-ins begin here'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const WorkspaceMember = z.object({
  id: Id.describe('The id of the user'),
  name: z.string(),
  email: z.string(),
  role: WorkspaceRole,
  addedAt: Timestamp,
})

export const workspaces = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/workspaces',
    summary: 'List the workspaces you can see',
    description: 'Owners and admins see all of the organization, members those they belong to.',
    access: member(),
    output: z.object({ items: z.array(Workspace) }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/workspaces',
    summary: 'Create a workspace',
    access: steppedUp(AREA, { role: 'admin' }),
    body: z.object({ name: PersonName }),
    output: Workspace,
    status: 201,
    idempotent: true,
  }),
  chooseDefault: endpoint({
    method: 'PATCH',
    path: '/api/v1/workspaces/default',
    summary: 'Choose where your API keys and sign-ins begin',
    description:
      'One of the workspaces that you can see here; each organization of yours has its own. Keys go there with the next request, sessions stay where they are.',
    access: browser('Choosing a default workspace'),
    body: z.object({ workspaceId: Id }),
    output: Workspace,
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/v1/workspaces/:id',
    summary: 'Rename a workspace',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byId,
    body: z.object({ name: PersonName }),
    output: Workspace,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/workspaces/:id',
    summary: 'Delete a workspace',
    description: 'The last one of an organization stays: CONFLICT.',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byId,
    output: z.object({ deleted: z.literal(true) }),
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/v1/workspaces/:id/members',
    summary: 'List the members of a workspace',
    access: member(),
    params: byId,
    query: z.object(cursorQuery),
    output: cursorPage(WorkspaceMember),
    tool: 'read',
  }),
  addMember: endpoint({
    method: 'POST',
    path: '/api/v1/workspaces/:id/members',
    summary: 'Add somebody of the organization to a workspace, or change their role there',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byId,
    body: z.object({ userId: Id, role: WorkspaceRole.default('editor') }),
    output: WorkspaceMember,
    status: 201,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/v1/workspaces/:id/members/:userId',
    summary: 'Remove somebody from a workspace',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byMember,
    output: z.object({ removed: z.literal(true) }),
  }),
}
