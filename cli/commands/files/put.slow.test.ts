import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'
import { writeTree } from '../../testing/tree.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  me = await createCliUser(app)
})
afterEach(() => me.home.remove())
afterAll(() => app.close())

describe('atrium files put', () => {
  test('uploads a changed file as a new version, which versions lists and restore reverts', async () => {
    await writeTree(me.cwd, { 'a.txt': 'one', 'b.txt': 'same' })
    const { items } = await me.runJson(['put', 'a.txt', 'b.txt', '/'])
    await writeFile(join(me.cwd, 'a.txt'), 'two')
    const again = await me.runJson(['put', 'a.txt', 'b.txt', '/'])
    expect([again.done, again.skipped]).toEqual([1, 1])
    expect(await me.listNames()).toEqual(['a.txt', 'b.txt'])
    const { id } = items.find(({ path }: { path: string }) => path === '/a.txt')
    expect(again.items.find(({ path }: { path: string }) => path === '/a.txt')).toMatchObject({
      id,
      note: 'new version',
    })
    expect((await me.runJson(['versions', '/a.txt'])).items).toMatchObject([
      { version: 2, current: true, size: 3 },
      { version: 1, current: false },
    ])
    expect((await me.run(['versions', '/a.txt'])).stdout).toMatch(/^VERSION .*\n2 .* current *\n1 /)
    const restored = await me.run(['restore', '/a.txt', '--version', '1'])
    expect([restored.code, restored.stdout]).toEqual([0, `${id}  /a.txt\n`])
    expect((await me.runJson(['versions', '/a.txt'])).items).toHaveLength(3)
    expect((await me.run(['restore', '/a.txt', '--version', 'x'])).code).toBe(2)
  })

  test('creates a second file with the same name with --keep', async () => {
    await writeTree(me.cwd, { 'a.txt': 'one' })
    await me.run(['put', 'a.txt'])
    await writeFile(join(me.cwd, 'a.txt'), 'two')
    expect((await me.run(['put', 'a.txt', '--keep'])).code).toBe(0)
    expect(await me.listNames()).toEqual(['a.txt', 'a.txt'])
  })

  test("continues after a rejected file, prints the server's error and exits 1", async () => {
    await writeTree(me.cwd, {
      'in/a.txt': 'accepted',
      'in/bad.pdf': 'not a pdf\0',
      'in/run.exe': 'MZ',
      'in/z.txt': 'accepted too',
    })
    await truncate(join(me.cwd, 'in', 'z.txt'), 0)
    const { code, stderr } = await me.run(['put', 'in', '/'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/failed {2}\/in\/run\.exe {2}\(body\.file is an executable/)
    expect(stderr).toContain('failed  /in/bad.pdf')
    expect(stderr).toContain('2 uploaded')
    expect(stderr).toContain('2 could not be uploaded')
    const { code: again, failed, items } = await me.runJson(['put', 'in', '/'])
    expect([again, failed]).toEqual([1, 2])
    expect(items).toContainEqual(expect.objectContaining({ path: '/in/run.exe', status: 'failed' }))
  })

  test('rejects a file over the size limit', async () => {
    await writeFile(join(me.cwd, 'big.txt'), '')
    await truncate(join(me.cwd, 'big.txt'), 104_857_601)
    expect(await me.runJson(['put', 'big.txt'])).toMatchObject({
      code: 1,
      items: [{ status: 'failed', note: expect.stringContaining('105 MB') }],
    })
  })

  test('streams files without buffering them in memory', async () => {
    for (const name of ['1.txt', '2.txt'])
      await writeFile(join(me.cwd, name), Buffer.alloc(100_000_000, 'a line\n'))
    const reporter = join(me.home.folder, 'peak.mjs')
    await writeFile(
      reporter,
      'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))',
    )
    const env = { ...me.env, NODE_OPTIONS: `--import ${reporter}` }
    const peakOf = async (...args: string[]) => {
      const { code, stderr } = await me.home.start(['files', ...args], { env, cwd: me.cwd }).done
      expect(code).toBe(0)
      return Number(/peak (\d+)/.exec(stderr)![1]) / 1024
    }
    expect((await peakOf('put', '1.txt', '2.txt', '/')) - (await peakOf('ls'))).toBeLessThan(128)
  })

  test('skips symbolic links unless --follow is set', async () => {
    await writeTree(me.cwd, { 'in/a.txt': 'a', 'out.txt': 'outside' })
    await symlink(join(me.cwd, 'out.txt'), join(me.cwd, 'in', 'link.txt'))
    expect(await me.runJson(['put', 'in', '/'])).toMatchObject({ code: 0, done: 1, skipped: 1 })
    expect(await me.runJson(['put', 'in', '/', '--follow'])).toMatchObject({ code: 0, done: 1, skipped: 1 })
    const [folder] = (await me.files.list({})).items
    expect(await me.listNames(folder!.id)).toEqual(['a.txt', 'link.txt'])
  })

  test('exits 2 and lists the ids when a folder name is ambiguous', async () => {
    const duplicates = [await me.createFolder('in'), await me.createFolder('in')]
    await writeTree(me.cwd, { 'in/a.txt': 'a' })
    const { code, stderr } = await me.run(['put', 'in/a.txt', '/in'])
    expect(code).toBe(2)
    for (const { id } of duplicates) expect(stderr).toContain(`id:${id}`)
    expect((await me.run(['put', 'in/a.txt', `id:${duplicates[1]!.id}`])).code).toBe(0)
    expect(await me.listNames(duplicates[1]!.id)).toEqual(['a.txt'])
  })

  test.each([
    [['put', 'a.txt', 'b.txt'], 2, 'b.txt is not a remote folder'],
    [['put', 'a.txt', '/nowhere'], 1, 'Folder /nowhere not found'],
    [['put', 'a.txt', './a.txt', '/'], 2, 'Two arguments are named a.txt'],
    [['put', 'missing', '/'], 1, 'ENOENT'],
    [['put', 'a.txt', '--parallel', '17'], 2, 'from 1 to 16'],
  ])('%j exits %d and uploads nothing', async (args, code, message) => {
    await writeTree(me.cwd, { 'a.txt': 'a', 'b.txt': 'b' })
    const outcome = await me.run(args)
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(message)])
    expect(await me.listNames()).toEqual([])
  })
})

describe('atrium files link, links, unlink and empty-trash', () => {
  test('create, list and revoke a public link that anyone can open', async () => {
    await me.uploadFile('hello', 'a.txt')
    const { code, stdout, stderr } = await me.run(['link', '/a.txt', '--days', '3'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('Anyone with this URL')])
    const token = stdout.trim().split('/f/')[1]!
    const visitor = app.as({}).publicLinks
    expect((await visitor.open({ token })).entry).toMatchObject({ name: 'a.txt' })
    const { items } = await me.runJson(['links', '/a.txt'])
    expect(items).toMatchObject([{ fileName: 'a.txt', active: true, hasPassword: false }])
    expect((await me.run(['links', '/a.txt'])).stdout).toContain(items[0].id)
    expect((await me.run(['links'])).code).not.toBe(0)
    expect((await me.run(['link', '/a.txt', '--days', 'soon'])).code).toBe(2)
    expect((await me.run(['unlink', '/a.txt'])).stderr).toContain('Revoked 1 public link')
    await expect(visitor.open({ token })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('print how many files are in the trash, and open the page that deletes them', async () => {
    expect((await me.run(['empty-trash'])).stderr).toContain('nothing you can delete')
    await me.uploadFile('hello', 'a.txt')
    await me.run(['rm', '/a.txt'])
    const { code, stdout, stderr } = await me.run(['empty-trash', '--no-browser', '--no-wait'])
    expect([code, stdout]).toEqual([0, `${app.url}/files/trash?empty=1\n`])
    expect(stderr).toContain('1 item with 1 file, 5 B')
    expect(await me.runJson(['empty-trash', '--no-browser', '--no-wait'])).toMatchObject({
      entries: 1,
      bytes: 5,
    })
  })
})
