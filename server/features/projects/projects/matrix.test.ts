import { beforeAll, describe, expect, test } from 'vitest'
import { CALLER_DEFAULTS } from '../../../testing/factories/caller.ts'
import type { Organization, Person, PersonOptions } from '../../../testing/factories/factories.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { projectAccess } from '../access/access.ts'

/** Tests every kind of project with every kind of caller, both kinds of credential and every operation, over HTTP. */

type Access = 'edit' | 'view' | null

const KINDS = ['private', 'team', 'shared'] as const
type Kind = (typeof KINDS)[number]

type WorkspaceName = 'home' | 'other'

/** The workspaces of each project: the primary one is `home`; the others are those it is shared with. */
const PROJECT_WORKSPACES: Record<Kind, WorkspaceName[]> = {
  private: ['home', 'other'],
  team: ['home'],
  shared: ['home', 'other'],
}

interface CallerCase {
  options?: PersonOptions
  workspaceRoles?: Partial<Record<WorkspaceName, 'editor' | 'viewer'>>
  isForeign?: boolean
  access: Record<Kind, Access>
}

const NO_ACCESS = { private: null, team: null, shared: null }

const CALLERS: Record<string, CallerCase> = {
  'its creator': {
    workspaceRoles: { home: 'editor' },
    access: { private: 'edit', team: 'edit', shared: 'edit' },
  },
  'an owner': { options: { role: 'owner' }, access: { private: null, team: 'edit', shared: 'edit' } },
  'an admin': { options: { role: 'admin' }, access: { private: null, team: 'edit', shared: 'edit' } },
  'an admin who is a viewer of the workspace': {
    options: { role: 'admin' },
    workspaceRoles: { home: 'viewer' },
    access: { private: null, team: 'edit', shared: 'edit' },
  },
  'an editor': {
    workspaceRoles: { home: 'editor' },
    access: { private: null, team: 'edit', shared: 'edit' },
  },
  'a viewer': { workspaceRoles: { home: 'viewer' }, access: { private: null, team: 'view', shared: 'view' } },
  'an editor of the other workspace': {
    workspaceRoles: { other: 'editor' },
    access: { ...NO_ACCESS, shared: 'edit' },
  },
  'a viewer of the other workspace': {
    workspaceRoles: { other: 'viewer' },
    access: { ...NO_ACCESS, shared: 'view' },
  },
  'a viewer of the primary and editor of the other workspace': {
    workspaceRoles: { home: 'viewer', other: 'editor' },
    access: { private: null, team: 'view', shared: 'edit' },
  },
  'a member without a workspace': { access: NO_ACCESS },
  'an operator without a workspace': { options: { operator: true }, access: NO_ACCESS },
  'the owner of another organization': { options: { role: 'owner' }, isForeign: true, access: NO_ACCESS },
}

let app: TestApp
let workspaceIds: Record<WorkspaceName, string>
const people = new Map<string, Person>()
const projects = new Map<Kind, { id: string; slug: string }>()

beforeAll(async () => {
  app = await shareTestApp()
  const [org, other] = [await app.organization(), await app.organization()]
  workspaceIds = { home: org.workspaceId, other: await app.workspace(org) }
  for (const [name, caller] of Object.entries(CALLERS)) {
    people.set(name, await createCaller(caller, caller.isForeign ? other : org))
  }
  for (const kind of KINDS) {
    const options = {
      visibility: kind === 'private' ? ('private' as const) : ('team' as const),
      workspaceIds: PROJECT_WORKSPACES[kind].map((name) => workspaceIds[name]),
    }
    projects.set(kind, await app.project(people.get('its creator')!, options))
  }
})

/** Creates a user with exactly these workspace roles; the first of these workspaces is the active one. */
async function createCaller(
  { options, workspaceRoles = {}, isForeign }: CallerCase,
  org: Organization,
): Promise<Person> {
  const person = await app.person(org, options)
  if (isForeign) return person
  await app.setWorkspaceRole(person, workspaceIds.home, null)
  const roles = Object.entries(workspaceRoles) as [WorkspaceName, 'editor' | 'viewer'][]
  for (const [name, role] of roles) await app.setWorkspaceRole(person, workspaceIds[name], role)
  const isAdmin = options?.role !== undefined
  const active = roles[0] ? workspaceIds[roles[0][0]] : isAdmin ? workspaceIds.home : null
  await app.sql`update memberships set default_workspace_id = ${active} where user_id = ${person.id}`
  return person
}

const CREDENTIALS: Record<string, (person: Person) => Promise<Headers>> = {
  'a browser session': async (person) => cookie(await app.session(person)),
  'an API key': async (person) => bearer(await app.key(person)),
}

interface Operation {
  needs: 'view' | 'edit'
  method: string
  path?: string
  body?: unknown
  status?: number
}

/** The order matters: the last operation restores the project, so that the next caller finds it unchanged. */
const OPERATIONS: Record<string, Operation> = {
  read: { needs: 'view', method: 'GET' },
  'read blocks': { needs: 'view', method: 'GET', path: '/blocks' },
  navigate: { needs: 'view', method: 'GET', path: '/navigator' },
  export: { needs: 'view', method: 'GET', path: '/export' },
  update: { needs: 'edit', method: 'PATCH', body: { emoji: '🎉' } },
  'write a block': {
    needs: 'edit',
    method: 'POST',
    path: '/blocks',
    body: { type: 'note', content: 'hello' },
    status: 201,
  },
  'start a run': { needs: 'edit', method: 'POST', path: '/runs', body: {}, status: 201 },
  delete: { needs: 'edit', method: 'DELETE' },
  undelete: { needs: 'edit', method: 'POST', path: '/undelete' },
}

const cases = Object.keys(CALLERS).flatMap((name) =>
  Object.keys(CREDENTIALS).map((credential) => [name, credential] as const),
)

describe.each(KINDS)('a %s project', (kind) => {
  test.each(cases)('gives %s with %s the expected access', async (name, credential) => {
    const access = CALLERS[name]!.access[kind]
    const headers = await CREDENTIALS[credential]!(people.get(name)!)
    const project = projects.get(kind)!
    expect(await isListed(project.id, headers)).toBe(access !== null)
    const ref = credential === 'an API key' ? project.slug : project.id
    for (const [title, operation] of Object.entries(OPERATIONS)) {
      const outcome = await outcomeOf(ref, operation, headers)
      expect([title, outcome]).toEqual([title, expectedOutcome(operation, access)])
    }
    expect(await isListed(project.id, headers)).toBe(access !== null)
  })
})

test('project_access in SQL and the inline expression give every caller the expected access', async () => {
  for (const [name, { options = {}, access }] of Object.entries(CALLERS)) {
    const { id: userId, orgId } = people.get(name)!
    const { role = 'member' } = options
    const rows = await app.sql<{ id: string; access: Access; called: Access }[]>`
      select p.id, ${projectAccess(app.sql, { ...CALLER_DEFAULTS, userId, orgId, role })} as access,
        project_access(p, ${userId}, ${role}) as called
      from projects p where p.org_id = ${orgId}`
    for (const kind of KINDS) {
      const row = rows.find(({ id }) => id === projects.get(kind)!.id)
      expect([name, row?.access ?? null, row?.called ?? null]).toEqual([name, access[kind], access[kind]])
    }
  }
})

/** Without access every operation is NOT_FOUND, even after deletion; with view access every change is FORBIDDEN. */
function expectedOutcome({ needs, status = 200 }: Operation, access: Access) {
  if (access === null) return { status: 404, code: 'NOT_FOUND' }
  if (needs === 'edit' && access === 'view') return { status: 403, code: 'FORBIDDEN', reason: 'view_only' }
  return { status }
}

async function outcomeOf(ref: string, { method, path = '', body }: Operation, headers: Headers) {
  const response = await app.request(method, `/api/v1/projects/${ref}${path}`, { headers, body })
  const { code, details } = response.body.error ?? {}
  return { status: response.status, code, reason: details?.reason }
}

/** Expects the complete list, a page and the filtered lists to agree, and the trash not to contain the project. */
async function isListed(id: string, headers: Headers): Promise<boolean> {
  const results = await Promise.all(
    ['', '?limit=100', '?status=active', '?search=project', '?trashed=true'].map(async (query) => {
      const { status, body } = await app.request('GET', `/api/v1/projects${query}`, { headers })
      if (status === 403) expect(body.error.details).toEqual({ reason: 'no_workspace' })
      return (body.items ?? []).some((item: { id: string }) => item.id === id)
    }),
  )
  const [isVisible = false] = results
  expect(results).toEqual([isVisible, isVisible, isVisible, isVisible, false])
  return isVisible
}
