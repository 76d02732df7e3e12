import { beforeAll, expect, test } from 'vitest'
import type { Fragment } from '../../../database/database.ts'
import type { Organization } from '../../../testing/factories/factories.ts'
import { PROJECTS, seedRandomProjects } from '../../../testing/factories/random-projects.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import {
  memberProjectAccess,
  projectAccess,
  projectAccessById,
  type Viewer,
  visibleProjectPage,
  visibleProjects,
} from './access.ts'

let app: TestApp
let org: Organization
let viewers: Viewer[]
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  viewers = await seedRandomProjects(app, org)
})

const credentialId = ''

test("the inline expression and the SQL functions agree on every viewer's project access", async () => {
  const { sql } = app
  for (const viewer of viewers) {
    const user = sql`${viewer.userId}::uuid`
    const rows = await sql<{ isDeleted: boolean; inline: string; called: string; byId: string }[]>`
      select p.deleted_at is not null as "isDeleted", ${projectAccess(sql, { ...viewer, credentialId })} as inline,
        ${memberProjectAccess(sql, user, sql`${viewer.role}`)} as called,
        ${projectAccessById(sql, viewer, sql`p.id`)} as "byId"
      from projects p where p.org_id = ${org.id}`
    expect(rows).toHaveLength(PROJECTS)
    for (const { isDeleted, inline, called, byId } of rows) {
      expect(called).toBe(inline)
      expect(byId).toBe(isDeleted ? null : inline)
    }
  }
})

test('the sets and the list contain exactly the projects the viewer can access', async () => {
  const { sql } = app
  const idsOf = async (rows: Fragment) =>
    (await sql<{ id: string }[]>`select distinct r.id from (${rows}) r order by r.id`).map(({ id }) => id)
  for (const viewer of viewers) {
    const allowed = await idsOf(sql`
      select p.id from projects p where p.org_id = ${org.id} and p.deleted_at is null
        and ${projectAccess(sql, { ...viewer, credentialId })} is not null`)
    if (viewer.role === 'member') expect(await idsOf(visibleProjects(sql, viewer))).toEqual(allowed)
    const unfiltered = { visibility: undefined, workspaceId: undefined, conditions: null }
    const page = visibleProjectPage(sql, viewer, unfiltered, { after: null, limit: null })
    expect(await idsOf(page)).toEqual(allowed)
  }
})
