import { beforeAll, expect, test } from 'vitest'
import type { Organization } from '../../../testing/factories/factories.ts'
import { MEMBERS, PROJECTS, seedRandomProjects } from '../../../testing/factories/random-projects.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { visibleProjectFolders } from '../../projects/access/access.ts'
import { folderAccess, isFolderVisible, visibleFolders } from './access.ts'

let app: TestApp
let org: Organization
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
})

test('every visibility query returns exactly the folders the viewer can access', async () => {
  const viewers = await seedRandomProjects(app, org)
  expect(viewers).toHaveLength(MEMBERS * 3)
  const { sql } = app
  const projectFolders = await sql<{ id: string }[]>`
    select id from folders where org_id = ${org.id} and project_id is not null`
  expect(projectFolders).toHaveLength(PROJECTS)
  for (const viewer of viewers) {
    const allowed = idsOf(
      await sql<Row[]>`
        select s.id from folders s
        where s.org_id = ${org.id} and ${folderAccess(sql, viewer, sql`s.project_id`)} is not null`,
    )
    const bySet = await sql<Row[]>`
      select s.id from folders s where s.org_id = ${org.id} and ${isFolderVisible(sql, viewer, sql`s.project_id`)}`
    expect(idsOf(bySet)).toEqual(allowed)
    if (viewer.role === 'member') {
      const folders = await sql<Row[]>`select distinct id from (${visibleFolders(sql, viewer)}) s`
      expect(idsOf(folders)).toEqual(allowed)
    }
    for (const order of ['name', 'newest', 'largest'] as const) {
      const page = { order, after: null, limit: PROJECTS }
      const shown = await sql<Row[]>`${visibleProjectFolders(sql, viewer, page)}`
      expect([...idsOf(shown), org.id].sort()).toEqual(allowed)
    }
  }
})

interface Row {
  id: string
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).sort()
