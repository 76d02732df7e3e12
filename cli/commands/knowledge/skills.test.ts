import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawZip } from '../../../server/testing/factories/raw-zip.ts'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { unzip } from '../../../server/testing/unzip.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'
import { createProxy } from '../../testing/proxy.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'skills')
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium skills lists, shows and exports skills, and checks an archive before naming the import page', async () => {
  const { id } = await (await app.withSession(me.person)).skills.create({
    name: 'notes',
    description: 'Takes notes',
    instructions: 'Write them down',
    files: [{ path: 'a.md', text: 'More' }],
  })
  expect((await me.run(['ls'])).stdout).toMatch(/^notes +1 file +0 agents +Takes notes\n/)
  expect((await me.run(['show', 'notes'])).stdout).toContain('Write them down')
  expect((await me.run(['show', id, '--file', 'a.md'])).stdout).toBe('More\n')
  expect(await me.run(['show', 'none'])).toMatchObject({ code: 1 })
  expect((await me.run(['export', 'notes'])).stderr).toMatch(/^Wrote notes.zip/)
  expect(await me.run(['export', 'notes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists'),
  })
  const zip = await readFile(join(me.cwd, 'notes.zip'))
  expect([...unzip(zip).keys()]).toEqual(['notes/SKILL.md', 'notes/a.md'])
  const checked = await me.run(['import', 'notes.zip'])
  expect(checked).toMatchObject({ code: 4, stderr: expect.stringContaining(`${app.url}/skills`) })
  expect(checked.stdout).toContain('a.md  4 bytes')
  await writeFile(join(me.cwd, 'bad.zip'), rawZip([{ name: '../SKILL.md', content: '' }]))
  expect(await me.run(['import', 'bad.zip'])).toMatchObject({ code: 1 })
  expect(await me.run(['rm', 'notes'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`/skills/${id}`),
  })
})

test("atrium skills show doesn't request the list when given an id", async () => {
  const { id } = await (await app.withSession(me.person)).skills.create({
    name: 'by-id',
    description: 'Found by its id',
    instructions: 'Do it',
    files: [],
  })
  const paths: string[] = []
  const proxy = await createProxy(app.url, ({ request, forward }) => {
    paths.push(request.url!)
    forward()
  })
  const { code, stdout } = await me.run(['show', id], proxy.url)
  await proxy.close()
  expect([code, stdout]).toEqual([0, expect.stringContaining('Found by its id')])
  expect(paths.filter((path) => path.includes('/skills'))).toEqual([`/api/v1/skills/${id}`])
})
