import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createManifest,
  type Manifest,
  manifestBlock,
  manifestFile,
  manifestSettings,
} from '../../../../server/testing/factories/manifests.ts'
import { shareTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'
import { readTree, writeTree } from '../../../testing/tree.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => {
  me = await createCliUser(app, 'projects')
})
afterEach(() => me.home.remove())

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'project.json'), 'utf8'))

describe('atrium projects rm, trash, undelete and prune', () => {
  test('move a project to the trash, list it with its purge date, restore it, and prune its history', async () => {
    const { id, slug } = await me.client.projects.create({ name: 'Old plan' })
    const block = await me.client.canvas.create({ projectId: id, type: 'note' })
    app.clock.advance(60)
    await me.client.canvas.update({ projectId: id, blockId: block.id, title: 'Title' })
    app.clock.advance(60)
    expect(await me.run(['rm', slug])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    expect(await me.run(['rm', 'Old plan', '--yes'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`npx atrium projects undelete ${slug}`),
    })
    const { stdout, stderr } = await me.run(['trash'])
    expect(stdout).toMatch(
      /^SLUG +NAME +DELETED +PURGED ON\n\S+ +Old plan +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d\n$/,
    )
    expect(stderr).toContain('/projects/trash')
    expect(await me.run(['undelete', 'Old plan'])).toMatchObject({ code: 0, stdout: `${slug}  Old plan\n` })
    const before = new Date(app.clock.now().getTime() - 1000).toISOString()
    expect(await me.run(['prune', slug, '--before', before, '--yes'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Removed 1 entry, freed \d+ bytes\n$/),
    })
  })
})

describe('atrium projects ls, new, sample and open', () => {
  test('sample creates a project with a conversation, and prints how to continue it', async () => {
    const { code, stdout, stderr } = await me.run(['sample'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^sample-coffee-subscription\S* {2}Sample: Coffee subscription\n$/),
    ])
    expect(stderr).toMatch(/\/projects\/sample-coffee-subscription\S*\n.*atrium chat --session [0-9a-f-]{36}/)
  })

  test('ls prints projects as a table or JSON, with filters', async () => {
    const red = await me.client.projects.create({ name: 'Red plan', emoji: '🚀', visibility: 'private' })
    // A name that is older than the rule for display names.
    await app.sql`update projects set name = ${'Red\u001b[31m plan'} where id = ${red.id}`
    const { id } = await me.client.projects.create({ name: 'Old' })
    await me.client.projects.update({ id, status: 'archived', tags: ['past'] })
    const { code, stdout, stderr } = await me.run(['ls'])
    expect([code, stderr]).toEqual([0, ''])
    const [header, ...rows] = stdout.trimEnd().split('\n')
    expect(header).toMatch(/^SLUG +NAME +STATUS +ACTIVITY +TAGS$/)
    expect(rows[0]).toMatch(/^old +Old +archived +\d{4}-\d\d-\d\d \d\d:\d\dZ +past$/)
    expect(rows[1]).toMatch(/^\S+ +🚀 Red�\[31m plan +active, private +\S+ \S+$/)
    const query = ['ls', '--status', 'archived', '--tag', 'past', '--search', 'OL', '--workspace', 'General']
    expect((await me.runJson(query)).items).toMatchObject([{ id }])
    expect(await me.run(['ls', '--search', 'nothing'])).toMatchObject({ code: 0, stdout: '' })
    expect(await me.run(['ls', '--status', 'gone'])).toMatchObject({ code: 2 })
  })

  test('star and unstar change favorites; ls lists and sorts them', async () => {
    for (const name of ['Beta', 'alpha', 'Gamma']) await me.client.projects.create({ name })
    expect(await me.run(['star', 'Gamma'])).toMatchObject({
      code: 0,
      stderr: 'Added Gamma to your favorites\n',
    })
    await me.run(['star', 'alpha'])
    const names = async (...options: string[]) =>
      (await me.runJson(['list', ...options])).items.map(({ name }: { name: string }) => name)
    expect(await names('--favorites', '--sort', 'name')).toEqual(['alpha', 'Gamma'])
    expect(await names('--sort', 'name', '--order', 'desc')).toEqual(['Gamma', 'Beta', 'alpha'])
    await me.run(['unstar', 'alpha'])
    expect(await names('--favourites')).toEqual(['Gamma'])
    expect(await me.run(['ls', '--sort', 'size'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('use created, updated, name, opened'),
    })
  })

  test('create starts from a template or a canvas; templates lists, saves and deletes templates', async () => {
    const week = await me.runJson(['create', 'Week 12', '--template', 'weekly-report'])
    expect(week).toMatchObject({ name: 'Week 12', emoji: '📈' })
    const copy = await me.runJson(['new', '--from', 'Week 12'])
    expect((await me.client.canvas.list({ projectId: copy.id })).items).toHaveLength(6)
    expect((await me.run(['new', 'x', '--from', 'y', '--template', 'z'])).code).toBe(2)
    const saved = await me.client.templates.create({ projectId: week.id, name: 'Ours' })
    const other = await createCliUser(app, 'templates')
    const { code, stdout } = await other.run(['list'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ID +NAME +BLOCKS +FROM +DESCRIPTION\nweekly-report +📈 Weekly report +6 +Atrium/)
    expect(stdout).not.toContain(saved.id)
    const { id } = await other.client.projects.create({ name: 'Launch' })
    const template = await other.runJson(['save', 'Launch', '--description', 'How we launch'])
    expect(template).toMatchObject({ name: 'Launch', description: 'How we launch', blockCount: 0 })
    expect((await other.run(['rm', template.id])).code).toBe(2)
    expect(await other.run(['rm', template.id, '--yes'])).toMatchObject({ code: 0 })
    expect((await other.client.projects.get({ id })).name).toBe('Launch')
    await other.home.remove()
  })

  test('new creates a project, and open opens its canvas by name', async () => {
    const created = await me.runJson([
      'new',
      'Launch plan',
      '--emoji',
      '🚀',
      '--prompt',
      'Be brief.',
      '--private',
    ])
    expect(created).toMatchObject({
      slug: expect.stringMatching(/^launch-plan-\w{8}$/),
      emoji: '🚀',
      prompt: 'Be brief.',
      visibility: 'private',
    })
    const url = `${app.url}/projects/${created.slug}`
    expect(await me.start(['open', 'Launch plan']).done).toMatchObject({ code: 0, stdout: `${url}\n` })
    await expect.poll(me.home.openedUrl).toBe(url)
    const [unnamed, missing] = [await me.run(['new']), await me.run(['open', 'nowhere'])]
    expect([unnamed.code, missing.code]).toEqual([2, 1])
    expect(unnamed.stderr).toContain('--description')
    expect(missing.stderr).toContain('Project nowhere not found')
  })

  test('open exits 2 and lists the slugs when a name is ambiguous', async () => {
    for (const _ of [1, 2]) await me.client.projects.create({ name: 'Same!' })
    const { code, stderr } = await me.run(['open', 'Same!'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('same, same-2')])
  })
})

describe('atrium projects export', () => {
  test('writes the manifest, canvas and files, and skips unchanged files when repeated', async () => {
    const project = await me.client.projects.create({ name: 'Plan' })
    const { id } = await me.createFolder('Drafts', project.folderId!)
    for (const [content, name] of [
      ['one', 'a.txt'],
      ['two', 'a.txt'],
    ] as const)
      await me.uploadFile(content, name, id)
    await me.uploadFile('top', 'top.md', project.folderId!)
    const { files } = (await me.client.projectExport.export({ projectId: 'plan' })) as Manifest
    const block = manifestBlock({ type: 'file', fileId: files[0]!.id })
    await me.client.projectExport.restore({
      projectId: 'plan',
      ...createManifest({ files, blocks: [block] }),
    })

    const first = await me.runJson(['export', 'plan', 'out', '--canvas'])
    expect(first).toMatchObject({ code: 0, done: 3, failed: 0, folder: join(me.cwd, 'out', 'plan') })
    const folder = join(me.cwd, 'out', 'plan')
    const tree = await readTree(join(folder, 'files'))
    expect(Object.keys(tree).toSorted()).toEqual(['Drafts/a (2).txt', 'Drafts/a.txt', 'top.md'])
    expect(Object.values(tree).toSorted()).toEqual(['one', 'top', 'two'])
    expect((await readManifest(folder)).checksum.value).toBe(first.checksum)
    const canvas = JSON.parse(await readFile(join(folder, 'project.canvas'), 'utf8'))
    expect(canvas.nodes).toMatchObject([{ id: block.id, type: 'file', file: 'files/Drafts/a.txt' }])

    await writeFile(join(folder, 'files', 'top.md'), 'edited locally')
    const { code, items } = await me.runJson(['export', 'plan', 'out'])
    expect(code).toBe(1)
    expect(items.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'failed',
      'skipped',
      'skipped',
    ])
    expect((await me.run(['export', 'plan', 'out', '--force'])).code).toBe(0)
    expect(await readFile(join(folder, 'files', 'top.md'), 'utf8')).toBe('top')
  })

  test('writes only inside the target folder, whatever the remote names, and through no symbolic link', async () => {
    const project = await me.client.projects.create({ name: 'Hostile' })
    const up = await me.createFolder('..', project.folderId!)
    const { id } = await me.uploadFile('x', 'safe.txt', up.id)
    await me.files.update({ id, name: '../../escaped.txt' })
    await writeTree(me.cwd, { 'deep/down/.keep': '' })
    expect((await me.run(['export', 'hostile', 'deep/down'])).code).toBe(0)
    const tree = await readTree(me.cwd)
    expect(Object.keys(tree).toSorted()).toEqual([
      'deep/down/.keep',
      'deep/down/hostile/files/__/..∕..∕escaped.txt',
      'deep/down/hostile/project.json',
    ])
    await mkdir(join(me.cwd, 'linked', 'hostile', 'files'), { recursive: true })
    await mkdir(join(me.cwd, 'outside'))
    await symlink(join(me.cwd, 'outside'), join(me.cwd, 'linked', 'hostile', 'files', '__'))
    const { code, stderr } = await me.run(['export', 'hostile', 'linked'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('not a folder')])
    expect(await readTree(join(me.cwd, 'outside'))).toEqual({})
  })

  test("replaces a project.json that isn't a manifest only with --force", async () => {
    await me.client.projects.create({ name: 'Plan' })
    await writeTree(me.cwd, { 'plan/project.json': '{ "mine": true }' })
    const { code, stderr } = await me.run(['export', 'plan'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('--force')])
    expect(await readTree(me.cwd)).toEqual({ 'plan/project.json': '{ "mine": true }' })
  })
})

test('atrium projects restore rejects a modified, invalid or missing manifest, and unsafe paths', async () => {
  const writeManifest = async (folder: string, manifest: unknown) =>
    writeTree(me.cwd, { [`${folder}/project.json`]: JSON.stringify(manifest) })
  await writeManifest('changed', { ...createManifest(), project: manifestSettings({ name: 'Other' }) })
  await writeManifest('other', { hello: 1 })
  await writeManifest(
    'unsafe',
    createManifest({ files: [manifestFile('x', { path: '../../x', name: 'x' })] }),
  )
  for (const [folder, message] of [
    ['changed', 'was modified after its export'],
    ['other', 'isn’t a project manifest'],
    ['unsafe', 'contains an invalid path'],
    ['nowhere', 'project.json not found in'],
  ] as const) {
    const { code, stderr } = await me.run(['restore', folder])
    expect([code, stderr]).toEqual([folder === 'nowhere' ? 2 : 1, expect.stringContaining(message)])
  }
  expect((await me.client.projects.list({})).items).toEqual([])
})
