import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Organization, Person } from '../../testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { accessIn, hiddenFolders, isSeen, seenFolders, type Viewer } from './access.ts'

/** Lists go by sets of projects, everything else by the rule itself: they agree for everybody and every project. */

let app: TestApp
let org: Organization
beforeAll(async () => {
  app = await buildTestApp()
  org = await app.organization()
})
afterAll(() => app.close())

const PEOPLE = 6
const PROJECTS = 60
/** The same worlds in every run. */
let state = 12_345
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!

test('what lists show is what may be seen', async () => {
  const { people, viewers } = await someWorld()
  const { sql } = app
  const tops = await sql<{ id: string; projectId: string }[]>`
    select id, project_id as "projectId" from folders where org_id = ${org.id} and project_id is not null`
  expect(tops).toHaveLength(PROJECTS)
  for (const viewer of viewers) {
    const rule = await sql<{ id: string }[]>`
      select s.id from folders s where s.org_id = ${org.id} and ${accessIn(sql, viewer, sql`s.project_id`)} is not null`
    const allowed = idsOf(rule)
    const seen = await sql<{ id: string }[]>`
      select s.id from folders s where s.org_id = ${org.id} and ${isSeen(sql, viewer, sql`s.project_id`)}`
    expect(idsOf(seen)).toEqual(allowed)
    expect(idsOf(await sql<{ id: string }[]>`select id from (${seenFolders(sql, viewer)}) s`)).toEqual(
      allowed,
    )
    const hidden = new Set(idsOf(await sql<{ id: string }[]>`${hiddenFolders(sql, viewer)}`))
    const shown = tops.filter(({ id }) => !hidden.has(id)).map(({ id }) => id)
    expect([...shown, org.id].sort()).toEqual(allowed)
  }
  expect(people).toHaveLength(PEOPLE)
})

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort()

/** Projects of all kinds in workspaces of which some are deleted, and people with all kinds of seats in them. */
async function someWorld() {
  const workspaces = await Promise.all(Array.from({ length: 6 }, () => app.workspace(org)))
  await app.sql`update workspaces set deleted_at = now() where id = any(${workspaces.slice(0, 2)}::uuid[])`
  const people: Person[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const person = await app.person(org)
    for (const id of workspaces) await app.seat(person, id, pick(['editor', 'viewer', null, null]))
    people.push(person)
  }
  for (let n = 0; n < PROJECTS; n++) {
    const homes = new Set(Array.from({ length: 1 + random(3) }, () => pick(workspaces)))
    await app.project(pick(people), {
      visibility: pick(['team', 'private']),
      workspaceIds: [...homes],
      deleted: random(5) === 0,
    })
  }
  const viewers = people.flatMap(({ id: userId }) =>
    (['owner', 'admin', 'member'] as const).map((role): Viewer => ({ orgId: org.id, userId, role })),
  )
  return { people, viewers }
}
