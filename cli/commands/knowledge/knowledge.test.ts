import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedNote } from '../../../bench/seeds/seed-passages.ts'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'knowledge')
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium knowledge search shows passages with their source and score, within what is asked for', async () => {
  const [project, other] = [await app.project(me.person), await app.project(me.person)]
  const place = { orgId: me.org.id, projectId: project.id, userId: me.person.id }
  const text = 'The tenant gives three months of notice.\u001b[31m'
  const { id } = await seedNote(app.sql, place, { title: 'Lease', text })

  const { code, stdout } = await me.run(['search', 'How much notice?'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Lease {2}\n {2}The tenant gives three months of notice\.[\s\S]*\n {2}\d+\.\d\d {2}http/,
  )
  expect(stdout).not.toContain('\u001b[31m')
  expect((await me.run(['search', 'notice', '--explain'])).stdout).toMatch(/\(words \d/)
  expect((await me.runJson(['search', 'notice'])).items[0]).toMatchObject({ source: { id, type: 'block' } })

  for (const args of [
    ['--project', other.id],
    ['--type', 'file'],
    ['--in', other.id],
  ])
    expect(await me.run(['search', 'notice', ...args])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No passage matches'),
    })
  expect((await me.run(['search', 'notice', '--type', 'memo'])).stderr).toContain('file')
  expect((await me.run(['search', 'notice', '--limit', '51'])).code).not.toBe(0)
})
