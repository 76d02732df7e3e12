import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
let project: string
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'tables')
  project = (await app.project(me.person)).id
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium tables imports a file into a new table, lists, exports and deletes it', async () => {
  const run = (...args: string[]) => me.run([...args, '--project', project])
  await writeFile(join(me.cwd, 'people.csv'), 'Name,Age\nAda,36\nGrace,85\n')
  const checked = await run('import', 'people.csv', '--dry-run')
  expect(checked.stderr).toContain('Would import 2 new rows and 0 changed rows into people')
  expect((await run('ls')).stdout).not.toContain('people')
  const imported = await run('import', 'people.csv')
  expect(imported.stderr).toContain('Imported 2 new rows')
  expect((await run('ls')).stdout).toMatch(/people +2 +Name, Age/)
  const filter = '{"column":"age","op":"gt","value":40}'
  expect((await run('rows', 'people', '--filter', filter)).stdout).toMatch(/^Name +Age\nGrace +85\n/)
  expect((await run('export', 'people', '--output', 'out.csv')).stderr).toContain('Wrote out.csv')
  expect(await readFile(join(me.cwd, 'out.csv'), 'utf8')).toContain('Ada')
  expect(await run('rm', 'people')).toMatchObject({ code: 2 })
  expect((await run('rm', 'people', '--yes')).stderr).toContain('Deleted the table people')
  expect(await run('rows', 'people')).toMatchObject({ code: 1 })
  expect((await run('create', 'Leads', '--columns', 'Name,City')).stdout).toContain('Leads')
  const [deleted] = (await run('ls', '--deleted')).stdout.match(/\S+(?= +people)/) ?? []
  expect(await run('restore', 'people')).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('Several deleted tables are named people') },
  })
  expect((await run('restore', deleted!)).stdout).toBe(`${deleted}  people\n`)
  expect((await run('ls')).stdout).toContain('people')
  expect((await run('rm', 'Leads', '--yes')).stderr).toContain('npx atrium tables restore')
  expect((await run('restore', 'Leads')).stdout).toContain('Leads')
  expect(await run('restore', 'Leads')).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('No deleted table is named Leads') },
  })
  await writeFile(join(me.cwd, 'broken.csv'), `Name\n${'x'.repeat(10_001)}\n`)
  expect(await run('import', 'broken.csv')).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('line 2, Name must be at most 10,000 characters') },
  })
  expect((await run('ls')).stdout).not.toContain('broken')
})
