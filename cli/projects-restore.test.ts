import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createManifest,
  type Manifest,
  manifestBlock,
  manifestEdge,
  manifestSettings,
} from '../server/testing/factories/manifests.ts'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { hasTerminal } from './testing/command.ts'
import { createProxy } from './testing/proxy.ts'
import { type SignedIn, signedIn } from './testing/signed-in.ts'

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

const exportOf = async (who: SignedIn, projectId: string) =>
  (await who.client.projectExport.export({ projectId })) as Manifest

/** A project with files and blocks that show them, and its export in `plan`. */
async function exported() {
  const { folderId } = await me.client.projects.create({ name: 'Plan' })
  const { id } = await me.folder('..', folderId!)
  const note = await me.put('# Plan', 'notes.md', id)
  await me.files.update({ id: note.id, name: 'a/b "quoted".txt' })
  await me.put('a,b', 'table.csv', folderId!)
  const { files } = await exportOf(me, 'plan')
  const [first, second] = files.map(({ id: fileId }, index) =>
    manifestBlock({ type: 'file', title: `File ${index}`, fileId }),
  )
  const project = manifestSettings({ name: 'Plan', tags: ['x'], prompt: 'Be brief.' })
  const canvas = { blocks: [first!, second!], edges: [manifestEdge(first!, second!)] }
  await me.client.projectExport.restore({
    projectId: 'plan',
    ...createManifest({ project, files, ...canvas }),
  })
  expect((await me.run(['export', 'plan'])).code).toBe(0)
  return {
    folder: join(me.here, 'plan'),
    first: first!,
    second: second!,
    manifest: await exportOf(me, 'plan'),
  }
}

describe('atrium projects restore', () => {
  test('makes a new project in another organization, its files uploaded, with the same checksum', async () => {
    const { folder, manifest } = await exported()
    const other = await signedIn(app, 'projects')
    const dry = await other.run(['restore', folder, '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('+ block "File 0"')])
    expect(dry.stdout).toContain('3 to create, 0 to change, 0 to delete, 0 unchanged, 2 files to upload')
    expect((await other.client.projects.list({})).items).toEqual([])

    const { code, project, files, applied } = await other.dataOf(['restore', folder, '--private'])
    expect([code, project, files.length, applied.missingFiles]).toEqual([0, 'plan', 2, []])
    const restored = await exportOf(other, 'plan')
    expect({ ...restored, exportedAt: manifest.exportedAt }).toEqual(manifest)
    expect(await other.client.projects.get({ id: 'plan' })).toMatchObject({ visibility: 'private' })
    const again = await other.run(['restore', folder, 'plan'])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to restore')])
    await other.home.remove()
  })

  test('--dry-run prints the plan as a diff, and changes and uploads nothing', async () => {
    const { folder, first } = await exported()
    const later = manifestBlock({ title: 'Later\u001b[2J' })
    const moved = { ...first, x: 5, title: 'Moved' }
    await me.client.projectExport.restore({
      projectId: 'plan',
      mode: 'replace',
      ...createManifest({
        project: manifestSettings({ name: 'Plan' }),
        blocks: [{ ...moved, fileId: null }, later],
      }),
    })
    const { items } = await me.client.files.list({ search: 'table.csv' })
    await me.files.remove({ id: items[0]!.id })
    const before = await exportOf(me, 'plan')

    const { code, stdout } = await me.run(['restore', folder, 'plan', '--dry-run', '--replace'])
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '+ file "table.csv"',
      '+ block "File 1"',
      '+ edge "File 0 → File 1"',
      '~ project "Plan" (prompt, tags)',
      '~ block "File 0" (x, title, fileId)',
      '- block "Later�[2J"',
      '3 to create, 2 to change, 1 to delete, 1 unchanged',
      '',
    ])
    expect((await exportOf(me, 'plan')).checksum).toEqual(before.checksum)
  })

  test('asks before it changes a project, and where nobody can answer wants --yes', async () => {
    const { folder, manifest } = await exported()
    await me.client.projects.update({ id: 'plan', name: 'Renamed' })
    const refused = await me.run(['restore', folder, 'plan'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect(refused.stderr).toContain('0 to create, 1 to change')
    const done = await me.run(['restore', folder, 'plan', '--yes'])
    expect([done.code, done.stdout]).toEqual([0, `${app.url}/projects/plan\n`])
    expect((await exportOf(me, 'plan')).checksum).toEqual(manifest.checksum)
  })

  test.runIf(hasTerminal)('in a terminal shows the plan in colours, and takes no for an answer', async () => {
    const { folder } = await exported()
    await me.client.projects.update({ id: 'plan', name: 'Renamed' })
    const inTerminal = { env: me.env, cwd: me.here, inTerminal: true }
    const running = me.home.start(['projects', 'restore', folder, 'plan'], inTerminal)
    await running.waitForOutput(/\[y\/N\]/)
    running.child.stdin!.write('n\n')
    const { code, stdout } = await running.done
    expect(code).toBe(130)
    expect(stdout).toContain('\u001b[33m~ project "Plan" (name)\u001b[39m')
    expect(stdout).toContain('Canceled')
    expect((await exportOf(me, 'plan')).project.name).toBe('Renamed')
  })

  test('without a file that is nowhere, its blocks are restored without it, and it is said', async () => {
    const { folder } = await exported()
    await rm(join(folder, 'files', 'table.csv'))
    const other = await signedIn(app, 'projects')
    const dry = await other.run(['restore', folder, '--dry-run'])
    expect(dry.stdout).toContain('! missing file "table.csv" (3 B; blocks are restored without it)')
    const { code, stderr } = await other.run(['restore', folder])
    expect([code, stderr]).toEqual([0, expect.stringContaining('missing  table.csv')])
    const { blocks } = await exportOf(other, 'plan')
    expect(blocks.filter(({ fileId }) => fileId === null)).toHaveLength(1)
    await other.home.remove()
  })

  test('restores nothing when somebody changed the project meanwhile', async () => {
    const { folder } = await exported()
    await me.client.projects.update({ id: 'plan', name: 'Renamed' })
    let calls = 0
    const proxy = await createProxy(app.url, async ({ request, forward }) => {
      if (request.url!.includes('/restore') && ++calls === 2)
        await me.client.projects.update({ id: 'plan', emoji: '🚀' })
      forward()
    })
    const { code, stderr } = await me.run(['restore', folder, 'plan', '--yes'], proxy.url)
    await proxy.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining('changed since the plan was made')])
    expect((await exportOf(me, 'plan')).project.name).toBe('Renamed')
  })
})
