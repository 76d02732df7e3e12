import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createManifest,
  type Manifest,
  manifestBlock,
  manifestEdge,
  manifestSettings,
} from '../../../../server/testing/factories/manifests.ts'
import { shareTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'
import { hasPseudoTerminal } from '../../../testing/command.ts'
import { createProxy } from '../../../testing/proxy.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => {
  me = await createCliUser(app, 'projects')
})
afterEach(() => me.home.remove())

const readExport = async (user: CliUser, projectId: string) =>
  (await user.client.projectExport.export({ projectId })) as Manifest

/** Creates a project with files and file blocks, and exports it to `plan`. */
async function createExportedProject() {
  const { folderId } = await me.client.projects.create({ name: 'Plan' })
  const { id } = await me.createFolder('..', folderId!)
  const note = await me.uploadFile('# Plan', 'notes.md', id)
  await me.files.update({ id: note.id, name: 'a/b "quoted".txt' })
  await me.uploadFile('a,b', 'table.csv', folderId!)
  const { files } = await readExport(me, 'plan')
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
    folder: join(me.cwd, 'plan'),
    first: first!,
    second: second!,
    manifest: await readExport(me, 'plan'),
  }
}

describe('atrium projects restore', () => {
  test('creates a project in another organization, uploads the files and reproduces the checksum', async () => {
    const { folder, manifest } = await createExportedProject()
    const other = await createCliUser(app, 'projects')
    const dry = await other.run(['restore', folder, '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('+ block "File 0"')])
    expect(dry.stdout).toContain('3 to create, 0 to change, 0 to delete, 0 unchanged, 2 files to upload')
    expect((await other.client.projects.list({})).items).toEqual([])

    const { code, project, files, applied } = await other.runJson(['restore', folder, '--private'])
    const slug = expect.stringMatching(/^plan-\w{8}$/)
    expect([code, project, files.length, applied.missingFiles]).toEqual([0, slug, 2, []])
    const restored = await readExport(other, project)
    expect({ ...restored, exportedAt: manifest.exportedAt }).toEqual(manifest)
    expect(await other.client.projects.get({ id: project })).toMatchObject({ visibility: 'private' })
    const again = await other.run(['restore', folder, project])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to restore')])
    await other.home.remove()
  })

  test('prints the plan as a diff with --dry-run, and changes and uploads nothing', async () => {
    const { folder, first } = await createExportedProject()
    const added = manifestBlock({ title: 'Added\u001b[2J' })
    const moved = { ...first, x: 5, title: 'Moved' }
    await me.client.projectExport.restore({
      projectId: 'plan',
      mode: 'replace',
      ...createManifest({
        project: manifestSettings({ name: 'Plan' }),
        blocks: [{ ...moved, fileId: null }, added],
      }),
    })
    const { items } = await me.client.files.list({ search: 'table.csv' })
    await me.files.remove({ id: items[0]!.id })
    const before = await readExport(me, 'plan')

    const { code, stdout } = await me.run(['restore', folder, 'plan', '--dry-run', '--replace'])
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '+ file "table.csv"',
      '+ block "File 1"',
      '+ edge "File 0 → File 1"',
      '~ project "Plan" (prompt, tags)',
      '~ block "File 0" (x, title, fileId)',
      '- block "Added�[2J"',
      '3 to create, 2 to change, 1 to delete, 1 unchanged',
      '',
    ])
    expect((await readExport(me, 'plan')).checksum).toEqual(before.checksum)
  })

  test('plans and restores tables with their rows, unless they were left out of the export', async () => {
    const { id } = await me.client.projects.create({ name: 'Sales' })
    const table = await me.client.tables.create({ projectId: id, name: 'Orders', key: 'name' })
    await me.client.tables.upsert({
      id: table.id,
      rows: [{ values: { name: 'a' } }, { values: { name: 'b' } }],
    })
    await me.run(['export', 'sales'])
    const folder = join(me.cwd, 'sales')
    const fresh = await me.run(['restore', folder, '--dry-run'])
    expect(fresh.stdout).toContain('+ table "Orders" (2 rows created)')
    const { items } = await me.client.tables.rows({ id: table.id })
    await me.client.tables.removeRows({ id: table.id, ids: [items[0]!.id] })
    await me.client.tables.upsert({ id: table.id, rows: [{ values: { name: 'c' } }] })
    const planned = await me.run(['restore', folder, 'sales', '--dry-run', '--replace'])
    expect(planned.stdout).toContain('~ table "Orders" (1 row created, 1 row deleted)')
    expect((await me.run(['restore', folder, 'sales', '--replace', '--yes'])).code).toBe(0)
    expect((await me.client.tables.rows({ id: table.id })).items.map(({ values }) => values)).toEqual([
      ...[{ name: 'a' }, { name: 'b' }],
    ])
    await me.run(['export', 'sales', 'bare', '--no-tables'])
    const bare = await me.run(['restore', join(me.cwd, 'bare', 'sales'), 'sales', '--replace', '--dry-run'])
    expect(bare.stdout).toBe('0 to create, 0 to change, 0 to delete, 1 unchanged\n')
  })

  test('requires --yes before changing a project without a terminal', async () => {
    const { folder, manifest } = await createExportedProject()
    await me.client.projects.update({ id: 'plan', name: 'Renamed' })
    const refused = await me.run(['restore', folder, 'plan'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect(refused.stderr).toContain('0 to create, 1 to change')
    const done = await me.run(['restore', folder, 'plan', '--yes'])
    expect([done.code, done.stdout]).toEqual([0, `${app.url}/projects/plan\n`])
    expect((await readExport(me, 'plan')).checksum).toEqual(manifest.checksum)
  })

  test.runIf(hasPseudoTerminal)(
    'prints the plan in color in a terminal, and stops if the user declines',
    async () => {
      const { folder } = await createExportedProject()
      await me.client.projects.update({ id: 'plan', name: 'Renamed' })
      const inTerminal = { env: me.env, cwd: me.cwd, inTerminal: true }
      const running = me.home.start(['projects', 'restore', folder, 'plan'], inTerminal)
      await running.waitForOutput(/\[y\/N\]/)
      running.child.stdin!.write('n\n')
      const { code, stdout } = await running.done
      expect(code).toBe(130)
      expect(stdout).toContain('\u001b[33m~ project "Plan" (name)\u001b[39m')
      expect(stdout).toContain('Canceled')
      expect((await readExport(me, 'plan')).project.name).toBe('Renamed')
    },
  )

  test('restores blocks whose file is missing, and reports the file', async () => {
    const { folder } = await createExportedProject()
    await rm(join(folder, 'files', 'table.csv'))
    const other = await createCliUser(app, 'projects')
    const dry = await other.run(['restore', folder, '--dry-run'])
    expect(dry.stdout).toContain('! missing file "table.csv" (3 B; blocks are restored without it)')
    const { code, stderr } = await other.run(['restore', folder])
    expect([code, stderr]).toEqual([0, expect.stringContaining('missing  table.csv')])
    const { blocks } = await readExport(other, 'plan')
    expect(blocks.filter(({ fileId }) => fileId === null)).toHaveLength(1)
    await other.home.remove()
  })

  test('restores nothing when the project changes after the plan', async () => {
    const { folder } = await createExportedProject()
    await me.client.projects.update({ id: 'plan', name: 'Renamed' })
    let restoreCalls = 0
    const proxy = await createProxy(app.url, async ({ request, forward }) => {
      if (request.url!.includes('/restore') && ++restoreCalls === 2)
        await me.client.projects.update({ id: 'plan', emoji: '🚀' })
      forward()
    })
    const { code, stderr } = await me.run(['restore', folder, 'plan', '--yes'], proxy.url)
    await proxy.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining('changed since the plan was made')])
    expect((await readExport(me, 'plan')).project.name).toBe('Renamed')
  })
})
