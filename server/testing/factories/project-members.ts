import { cookie, type Headers, type TestApp } from '../test-app.ts'
import type { Person } from './factories.ts'

export const ROLES = ['creator', 'admin', 'editor', 'viewer', 'outsider', 'stranger'] as const
export type ProjectRole = (typeof ROLES)[number]

export const EXPECTED_ACCESS: Record<'team' | 'private', Record<ProjectRole, 'edit' | 'view' | null>> = {
  team: { creator: 'edit', admin: 'edit', editor: 'edit', viewer: 'view', outsider: null, stranger: null },
  private: { creator: 'edit', admin: null, editor: null, viewer: null, outsider: null, stranger: null },
}

/**
 * `admin` and `outsider` are in the organization but not the workspace. `stranger` is in another organization. All have
 * browser sessions with step-up.
 */
export async function seedProjectMembers(app: TestApp) {
  const org = await app.organization()
  const workspaceId = await app.workspace(org)
  const people = {
    creator: await app.person(org),
    admin: await app.person(org, { role: 'admin' }),
    editor: await app.person(org),
    viewer: await app.person(org),
    outsider: await app.person(org),
    stranger: await app.person(await app.organization()),
  } satisfies Record<ProjectRole, Person>
  await app.setWorkspaceRole(people.creator, workspaceId, 'editor')
  await app.setWorkspaceRole(people.editor, workspaceId, 'editor')
  await app.setWorkspaceRole(people.viewer, workspaceId, 'viewer')
  const headers = {} as Record<ProjectRole, Headers>
  for (const role of ROLES) headers[role] = cookie(await app.session(people[role]))
  const project = (visibility: 'team' | 'private', name?: string) =>
    app.project(people.creator, { visibility, workspaceIds: [workspaceId], ...(name ? { name } : {}) })
  return { org, workspaceId, people, headers, project }
}
