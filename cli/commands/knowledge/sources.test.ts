import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'sources')
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium sources names the readers before it adds one, and then lists, pauses, resumes and deletes it', async () => {
  const { id: projectId } = await app.project(me.person)
  expect((await me.run(['ls'])).stderr).toContain('No sources')
  const add = [
    'add',
    'website',
    '--project',
    projectId,
    '--set',
    'url=https://docs.example.com/',
    '--name',
    'Docs',
  ]
  expect(await me.run(add)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/will be able to read[\s\S]*--confirm-readers/),
  })
  expect((await me.run(['ls'])).stderr).toContain('No sources')

  const added = await me.runJson([...add, '--set', 'pages=7', '--every', '120', '--confirm-readers'])
  expect(added).toMatchObject({
    code: 0,
    name: 'Docs',
    intervalMinutes: 120,
    settings: { url: 'https://docs.example.com/', pages: 7 },
  })
  expect(await me.run(['pause', 'Docs'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Paused Docs'),
  })
  expect((await me.run(['ls', '--project', projectId])).stdout).toMatch(/Docs +website +.* off /)
  expect((await me.run(['sync', 'Docs'])).code).not.toBe(0)
  expect(await me.runJson(['resume', added.id])).toMatchObject({ code: 0, enabled: true })
  expect((await me.run(['sync', 'Docs'])).stderr).toContain('Syncing Docs')
  expect((await me.run(['log', 'Docs'])).stderr).toContain('Nothing yet')
  expect((await me.run(['rm', 'Docs', '--trash'])).stderr).toContain('are in the trash')
  expect((await me.run(['log', 'Docs'])).stderr).toContain('Source Docs not found')
})

test('atrium sources add names what is wrong', async () => {
  const { id: projectId } = await app.project(me.person)
  const refusals = [
    [['floppy'], /floppy is not a kind of source/],
    [['website', '--set', 'url'], /--set url is not name=value/],
    [['website', '--set', 'url=nowhere'], /settings\.url/],
    [['website', '--set', 'depth=2', '--set', 'url=https://docs.example.com'], /depth/],
    [['github', '--set', 'repository=acme/handbook'], /connectionId is required/],
  ] as const
  for (const [args, message] of refusals) {
    const { code, stderr } = await me.run(['add', ...args, '--project', projectId, '--confirm-readers'])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(message)
  }
})
