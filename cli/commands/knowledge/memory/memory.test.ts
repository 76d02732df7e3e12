import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'memory')
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium memory saves, finds, changes, decides, exports and imports memories', async () => {
  const { id: projectId, slug } = await app.project(me.person)
  expect(await me.run(['add', 'releases', 'On Tuesdays', '--project', slug, '--tag', 'ops'])).toMatchObject({
    code: 0,
  })
  const found = await me.runJson(['search', 'tuesday', '--project', slug])
  expect(found.items).toMatchObject([{ key: 'releases', content: 'On Tuesdays', projectId, tags: ['ops'] }])
  const [{ id }] = found.items
  expect((await me.run(['edit', id, '--text', 'On Fridays'])).stderr).toBe('Updated releases, version 2\n')
  expect((await me.run(['ls'])).stdout).toMatch(/^releases {2}On Fridays\n {2}0/)
  expect(await me.run(['rm', id])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`/memory?id=${id}`),
  })

  await app.sql`update memories set status = 'proposed', source = 'run' where id = ${id}`
  expect((await me.run(['ls'])).stderr).toContain('1 proposed: npx atrium memory ls --proposed')
  expect((await me.run(['accept', id])).stderr).toContain('Accepted releases')
  expect(await me.run(['reject', id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('decided already'),
  })

  const document = await me.runJson(['export', '--project', slug])
  expect(document.items).toEqual([{ key: 'releases', content: 'On Fridays', tags: ['ops'] }])
  expect((await me.run(['export', '--project', slug, '--format', 'markdown'])).stdout).toContain(
    '## releases',
  )
  await writeFile(join(me.cwd, 'memory.json'), JSON.stringify(document))
  expect((await me.run(['import', 'memory.json'])).stderr).toBe('1 created, 0 replaced, 0 unchanged\n')
  await writeFile(join(me.cwd, 'broken.json'), '[]')
  expect(await me.run(['import', 'broken.json'])).toMatchObject({ code: 1 })
})
