import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CALLER_DEFAULTS } from '../../testing/clients/file-client.ts'
import type { Organization, Person, PersonOptions } from '../../testing/factories/factories.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../testing/test-app.ts'
import { projectAccess } from '../project-access/project-access.ts'

/** Every kind of project × everybody × both kinds of credential × everything that can be done, over HTTP. */

type Access = 'edit' | 'view' | null

const KINDS = ['private', 'team', 'shared'] as const
type Kind = (typeof KINDS)[number]

/** Where each project is: at home in `home`, and the shared one also in `elsewhere`. */
const PLACES: Record<Kind, ('home' | 'elsewhere')[]> = {
  private: ['home', 'elsewhere'],
  team: ['home'],
  shared: ['home', 'elsewhere'],
}

interface Somebody {
  options?: PersonOptions
  seats?: { home?: 'editor' | 'viewer'; elsewhere?: 'editor' | 'viewer' }
  isForeign?: boolean
  may: Record<Kind, Access>
}

const nothing = { private: null, team: null, shared: null }

const EVERYBODY: Record<string, Somebody> = {
  'its creator': { seats: { home: 'editor' }, may: { private: 'edit', team: 'edit', shared: 'edit' } },
  'an owner': { options: { role: 'owner' }, may: { private: null, team: 'edit', shared: 'edit' } },
  'an admin': { options: { role: 'admin' }, may: { private: null, team: 'edit', shared: 'edit' } },
  'an admin who is a viewer there': {
    options: { role: 'admin' },
    seats: { home: 'viewer' },
    may: { private: null, team: 'edit', shared: 'edit' },
  },
  'an editor': { seats: { home: 'editor' }, may: { private: null, team: 'edit', shared: 'edit' } },
  'a viewer': { seats: { home: 'viewer' }, may: { private: null, team: 'view', shared: 'view' } },
  'an editor elsewhere': { seats: { elsewhere: 'editor' }, may: { ...nothing, shared: 'edit' } },
  'a viewer elsewhere': { seats: { elsewhere: 'viewer' }, may: { ...nothing, shared: 'view' } },
  'a viewer here, an editor elsewhere': {
    seats: { home: 'viewer', elsewhere: 'editor' },
    may: { private: null, team: 'view', shared: 'edit' },
  },
  'a member without a workspace': { may: nothing },
  'an operator without a workspace': { options: { operator: true }, may: nothing },
  'the owner of another organization': { options: { role: 'owner' }, isForeign: true, may: nothing },
}

let app: TestApp
let places: { home: string; elsewhere: string }
const people = new Map<string, Person>()
const projects = new Map<Kind, { id: string; slug: string }>()

beforeAll(async () => {
  app = await buildTestApp()
  const [org, other] = [await app.organization(), await app.organization()]
  places = { home: org.workspaceId, elsewhere: await app.workspace(org) }
  for (const [name, somebody] of Object.entries(EVERYBODY)) {
    people.set(name, await arrive(somebody, somebody.isForeign ? other : org))
  }
  for (const kind of KINDS) {
    const workspaceIds = PLACES[kind].map((place) => places[place])
    const visibility = kind === 'private' ? 'private' : 'team'
    projects.set(kind, await app.project(people.get('its creator')!, { visibility, workspaceIds }))
  }
})
afterAll(() => app.close())

/** With exactly these seats, and at work in the first of them. */
async function arrive({ options, seats = {}, isForeign }: Somebody, org: Organization): Promise<Person> {
  const person = await app.person(org, options)
  if (isForeign) return person
  await app.seat(person, places.home, null)
  const taken = Object.entries(seats) as ['home' | 'elsewhere', 'editor' | 'viewer'][]
  for (const [place, role] of taken) await app.seat(person, places[place], role)
  const isAdmin = options?.role !== undefined
  const active = taken[0] ? places[taken[0][0]] : isAdmin ? places.home : null
  await app.sql`update memberships set default_workspace_id = ${active} where user_id = ${person.id}`
  return person
}

const CREDENTIALS: Record<string, (person: Person) => Promise<Headers>> = {
  'in the browser': async (person) => cookie(await app.session(person)),
  'with a key': async (person) => bearer(await app.key(person)),
}

interface Act {
  needs: 'view' | 'edit'
  method: string
  path?: string
  body?: unknown
  status?: number
}

/** In an order that leaves the project as it was. */
const EVENT_SCENARIOS: Record<string, Act> = {
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
  'begin a run': { needs: 'edit', method: 'POST', path: '/runs', body: {}, status: 201 },
  delete: { needs: 'edit', method: 'DELETE' },
  'bring back': { needs: 'edit', method: 'POST', path: '/undelete' },
}

const cases = Object.keys(EVERYBODY).flatMap((name) => Object.keys(CREDENTIALS).map((how) => ({ name, how })))

describe.each(KINDS)('a %s project', (kind) => {
  test.each(cases)('for $name, $how', async ({ name, how }) => {
    const access = EVERYBODY[name]!.may[kind]
    const headers = await CREDENTIALS[how]!(people.get(name)!)
    const project = projects.get(kind)!
    expect(await isListed(project.id, headers)).toBe(access !== null)
    const ref = how === 'with a key' ? project.slug : project.id
    for (const [what, act] of Object.entries(EVENT_SCENARIOS)) {
      expect([what, await outcomeOf(ref, act, headers)]).toEqual([what, expectedOf(act, access)])
    }
    expect(await isListed(project.id, headers)).toBe(access !== null)
  })
})

test('the function of the database says the same as the query', async () => {
  for (const [name, { options = {}, may }] of Object.entries(EVERYBODY)) {
    const { id: userId, orgId } = people.get(name)!
    const { role = 'member' } = options
    const said = await app.sql<{ id: string; access: Access; called: Access }[]>`
      select p.id, ${projectAccess(app.sql, { ...CALLER_DEFAULTS, userId, orgId, role })} as access,
        project_access(p, ${userId}, ${role}) as called
      from projects p where p.org_id = ${orgId}`
    for (const kind of KINDS) {
      const row = said.find(({ id }) => id === projects.get(kind)!.id)
      expect([name, row?.access ?? null, row?.called ?? null]).toEqual([name, may[kind], may[kind]])
    }
  }
})

/** What is invisible is NOT_FOUND, also once it was deleted; what is only to be looked at cannot be changed. */
function expectedOf({ needs, status = 200 }: Act, access: Access) {
  if (access === null) return { status: 404, code: 'NOT_FOUND' }
  if (needs === 'edit' && access === 'view') return { status: 403, code: 'FORBIDDEN', reason: 'view_only' }
  return { status }
}

async function outcomeOf(ref: string, { method, path = '', body }: Act, headers: Headers) {
  const answer = await app.request(method, `/api/v1/projects/${ref}${path}`, { headers, body })
  const { code, details } = answer.body.error ?? {}
  return { status: answer.status, code, reason: details?.reason }
}

/** In the whole list, in a page, by status and by name: always the same; in the trash not at all. */
async function isListed(id: string, headers: Headers): Promise<boolean> {
  const seen = await Promise.all(
    ['', '?limit=100', '?status=active', '?search=project', '?trashed=true'].map(async (query) => {
      const { status, body } = await app.request('GET', `/api/v1/projects${query}`, { headers })
      if (status === 403) expect(body.error.details).toEqual({ reason: 'no_workspace' })
      return (body.items ?? []).some((item: { id: string }) => item.id === id)
    }),
  )
  const [isSeen = false] = seen
  expect(seen).toEqual([isSeen, isSeen, isSeen, isSeen, false])
  return isSeen
}
