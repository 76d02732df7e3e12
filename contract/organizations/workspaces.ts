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
  role: WorkspaceRole.nullable().describe(
    'Your role in this workspace; null for organization owners and admins who are not among its members',
  ),
  canEdit: z
    .boolean()
    .describe(
      'Whether you can create and change projects in this workspace. Everyone who can edit in a workspace can change files outside projects',
    ),
  isDefault: z.boolean().describe('Whether your API keys and new sessions start in this workspace'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const WorkspaceMember = z.object({
  id: Id.describe('User id'),
  name: z.string(),
  email: z.string(),
  role: WorkspaceRole,
  addedAt: Timestamp,
})

export const workspaces = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/workspaces',
    summary: 'List workspaces',
    description: 'Owners and admins see all workspaces in the organization, members see their own.',
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
    summary: 'Set your default workspace',
    description:
      'Workspace in which your API keys and new sessions start, per organization. API keys use it from the next request; existing sessions stay in their active workspace.',
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
    description: 'Returns CONFLICT for an organization’s last workspace.',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byId,
    output: z.object({ deleted: z.literal(true) }),
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/v1/workspaces/:id/members',
    summary: 'List workspace members',
    access: member(),
    params: byId,
    query: z.object(cursorQuery),
    output: cursorPage(WorkspaceMember),
    tool: 'read',
  }),
  addMember: endpoint({
    method: 'POST',
    path: '/api/v1/workspaces/:id/members',
    summary: 'Add or update a workspace member',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byId,
    body: z.object({ userId: Id, role: WorkspaceRole.default('editor') }),
    output: WorkspaceMember,
    status: 201,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/v1/workspaces/:id/members/:userId',
    summary: 'Remove a workspace member',
    access: steppedUp(AREA, { role: 'admin' }),
    params: byMember,
    output: z.object({ removed: z.literal(true) }),
  }),
}
