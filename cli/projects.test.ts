import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createManifest,
  type Manifest,
  manifestBlock,
  manifestFile,
  manifestSettings,
} from '../server/testing/factories/manifests.ts'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { type SignedIn, signedIn } from './testing/signed-in.ts'
import { harvest, plant } from './testing/tree.ts'

let app: TestApp
let me: SignedIn
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  me = await signedIn(app, 'projects')
})
afterEach(() => me.home.remove())
afterAll(() => app.close())

const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'project.json'), 'utf8'))

describe('atrium projects', () => {
  test('ls shows projects as a table, filtered, and as data', async () => {
    await me.client.projects.create({ name: 'Red\u001b[31m plan', emoji: '🚀', visibility: 'private' })
    const { id } = await me.client.projects.create({ name: 'Old' })
    await me.client.projects.update({ id, status: 'archived', tags: ['past'] })
    const { code, stdout, stderr } = await me.run(['ls'])
    expect([code, stderr]).toEqual([0, ''])
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^SLUG +NAME +STATUS +ACTIVITY +TAGS$/)
    expect(rows[0]).toMatch(/^old +Old +archived +\d{4}-\d\d-\d\d \d\d:\d\dZ +past$/)
    expect(rows[1]).toMatch(/^\S+ +🚀 Red�\[31m plan +active, private +\S+ \S+$/)
    const query = ['ls', '--status', 'archived', '--tag', 'past', '--search', 'OL', '--workspace', 'General']
    expect((await me.dataOf(query)).items).toMatchObject([{ id }])
    expect(await me.run(['ls', '--search', 'nothing'])).toMatchObject({ code: 0, stdout: '' })
    expect(await me.run(['ls', '--status', 'gone'])).toMatchObject({ code: 2 })
  })

  test('new makes one, and open leads to it by slug or name', async () => {
    const made = await me.dataOf([
      'new',
      'Launch plan',
      '--emoji',
      '🚀',
      '--prompt',
      'Be brief.',
      '--private',
    ])
    expect(made).toMatchObject({
      slug: 'launch-plan',
      emoji: '🚀',
      prompt: 'Be brief.',
      visibility: 'private',
    })
    const address = `${app.url}/projects/launch-plan`
    expect(await me.run(['open', 'Launch plan'])).toMatchObject({ code: 0, stdout: `${address}\n` })
    await expect.poll(me.home.opened).toBe(address)
    const [nameless, absent] = [await me.run(['new']), await me.run(['open', 'nowhere'])]
    expect([nameless.code, absent.code]).toEqual([2, 1])
    expect(nameless.stderr).toContain('--description')
    expect(absent.stderr).toContain('No project nowhere')
  })

  test('of several with one name, none is guessed', async () => {
    for (const _ of [1, 2]) await me.client.projects.create({ name: 'Same!' })
    const { code, stderr } = await me.run(['open', 'Same!'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('same, same-2')])
  })
})

describe('atrium projects export', () => {
  test('writes manifest, canvas and files; again, only what changed is fetched', async () => {
    const project = await me.client.projects.create({ name: 'Plan' })
    const { id } = await me.folder('Drafts', project.folderId!)
    for (const [content, name] of [
      ['one', 'a.txt'],
      ['two', 'a.txt'],
    ] as const)
      await me.put(content, name, id)
    await me.put('top', 'top.md', project.folderId!)
    const { files } = (await me.client.projectExport.export({ projectId: 'plan' })) as Manifest
    const shown = manifestBlock({ type: 'file', fileId: files[0]!.id })
    await me.client.projectExport.restore({
      projectId: 'plan',
      ...createManifest({ files, blocks: [shown] }),
    })

    const first = await me.dataOf(['export', 'plan', 'out', '--canvas'])
    expect(first).toMatchObject({ code: 0, done: 3, failed: 0, folder: join(me.here, 'out', 'plan') })
    const folder = join(me.here, 'out', 'plan')
    const tree = await harvest(join(folder, 'files'))
    expect(Object.keys(tree).toSorted()).toEqual(['Drafts/a (2).txt', 'Drafts/a.txt', 'top.md'])
    expect(Object.values(tree).toSorted()).toEqual(['one', 'top', 'two'])
    expect((await manifestIn(folder)).checksum.value).toBe(first.checksum)
    const canvas = JSON.parse(await readFile(join(folder, 'project.canvas'), 'utf8'))
    expect(canvas.nodes).toMatchObject([{ id: shown.id, type: 'file', file: 'files/Drafts/a.txt' }])

    await writeFile(join(folder, 'files', 'top.md'), 'edited here')
    const { code, items } = await me.dataOf(['export', 'plan', 'out'])
    expect(code).toBe(1)
    expect(items.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'failed',
      'skipped',
      'skipped',
    ])
    expect((await me.run(['export', 'plan', 'out', '--force'])).code).toBe(0)
    expect(await readFile(join(folder, 'files', 'top.md'), 'utf8')).toBe('top')
  })

  test('is led out of its folder by no name, and through no link', async () => {
    const project = await me.client.projects.create({ name: 'Evil' })
    const up = await me.folder('..', project.folderId!)
    const { id } = await me.put('x', 'safe.txt', up.id)
    await me.files.update({ id, name: '../../escaped.txt' })
    await plant(me.here, { 'deep/down/.keep': '' })
    expect((await me.run(['export', 'evil', 'deep/down'])).code).toBe(0)
    const tree = await harvest(me.here)
    expect(Object.keys(tree).toSorted()).toEqual([
      'deep/down/.keep',
      'deep/down/evil/files/__/..∕..∕escaped.txt',
      'deep/down/evil/project.json',
    ])
    await mkdir(join(me.here, 'linked', 'evil', 'files'), { recursive: true })
    await mkdir(join(me.here, 'elsewhere'))
    await symlink(join(me.here, 'elsewhere'), join(me.here, 'linked', 'evil', 'files', '__'))
    const { code, stderr } = await me.run(['export', 'evil', 'linked'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('not a folder')])
    expect(await harvest(join(me.here, 'elsewhere'))).toEqual({})
  })

  test('replaces a document that is no manifest only by force', async () => {
    await me.client.projects.create({ name: 'Plan' })
    await plant(me.here, { 'plan/project.json': '{ "mine": true }' })
    const { code, stderr } = await me.run(['export', 'plan'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('--force')])
    expect(await harvest(me.here)).toEqual({ 'plan/project.json': '{ "mine": true }' })
  })
})

test('a manifest that was tampered with, or leads elsewhere, is not restored', async () => {
  const put = async (folder: string, manifest: unknown) =>
    plant(me.here, { [`${folder}/project.json`]: JSON.stringify(manifest) })
  await put('changed', { ...createManifest(), project: manifestSettings({ name: 'Other' }) })
  await put('other', { hello: 1 })
  await put('leads', createManifest({ files: [manifestFile('x', { path: '../../x', name: 'x' })] }))
  for (const [folder, words] of [
    ['changed', 'was modified after its export'],
    ['other', 'is not a project manifest'],
    ['leads', 'has an invalid path'],
    ['nowhere', 'No project.json'],
  ] as const) {
    const { code, stderr } = await me.run(['restore', folder])
    expect([code, stderr]).toEqual([folder === 'nowhere' ? 2 : 1, expect.stringContaining(words)])
  }
  expect((await me.client.projects.list({})).items).toEqual([])
})
