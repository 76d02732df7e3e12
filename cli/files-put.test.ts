import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { type SignedIn, signedIn } from './testing/signed-in.ts'
import { plant } from './testing/tree.ts'

let app: TestApp
let me: SignedIn
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  me = await signedIn(app)
})
afterEach(() => me.home.remove())
afterAll(() => app.close())

describe('atrium files put', () => {
  test('sends a changed file, and moves its former version to the trash', async () => {
    await plant(me.here, { 'a.txt': 'one', 'b.txt': 'same' })
    const { items } = await me.dataOf(['put', 'a.txt', 'b.txt', '/'])
    await writeFile(join(me.here, 'a.txt'), 'two')
    const again = await me.dataOf(['put', 'a.txt', 'b.txt', '/'])
    expect([again.done, again.skipped]).toEqual([1, 1])
    expect(await me.names()).toEqual(['a.txt', 'b.txt'])
    const before = items.find(({ path }: { path: string }) => path === '/a.txt')
    await expect(me.files.get({ id: before.id })).rejects.toMatchObject({ status: 404 })
  })

  test('keeps the former version with --keep', async () => {
    await plant(me.here, { 'a.txt': 'one' })
    await me.run(['put', 'a.txt'])
    await writeFile(join(me.here, 'a.txt'), 'two')
    expect((await me.run(['put', 'a.txt', '--keep'])).code).toBe(0)
    expect(await me.names()).toEqual(['a.txt', 'a.txt'])
  })

  test('goes on when a file is refused, says why in the server’s words, and exits 1', async () => {
    await plant(me.here, {
      'in/a.txt': 'fine',
      'in/bad.pdf': 'not a pdf\0',
      'in/run.exe': 'MZ',
      'in/z.txt': 'fine too',
    })
    await truncate(join(me.here, 'in', 'z.txt'), 0)
    const { code, stderr } = await me.run(['put', 'in', '/'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/failed {2}\/in\/run\.exe {2}\(body\.file is an executable/)
    expect(stderr).toContain('failed  /in/bad.pdf')
    expect(stderr).toContain('2 uploaded')
    expect(stderr).toContain('2 could not be uploaded')
    const { code: again, failed, items } = await me.dataOf(['put', 'in', '/'])
    expect([again, failed]).toEqual([1, 2])
    expect(items).toContainEqual(expect.objectContaining({ path: '/in/run.exe', status: 'failed' }))
  })

  test('refuses what is too large before a byte is sent', async () => {
    await writeFile(join(me.here, 'big.txt'), '')
    await truncate(join(me.here, 'big.txt'), 104_857_601)
    expect(await me.dataOf(['put', 'big.txt'])).toMatchObject({
      code: 1,
      items: [{ status: 'failed', note: expect.stringContaining('105 MB') }],
    })
  })

  test('never holds a file in memory', async () => {
    for (const name of ['1.txt', '2.txt'])
      await writeFile(join(me.here, name), Buffer.alloc(100_000_000, 'a line\n'))
    const telling = join(me.home.folder, 'peak.mjs')
    await writeFile(
      telling,
      'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))',
    )
    const env = { ...me.env, NODE_OPTIONS: `--import ${telling}` }
    const peakOf = async (...args: string[]) => {
      const { code, stderr } = await me.home.run(['files', ...args], { env, cwd: me.here })
      expect(code).toBe(0)
      return Number(/peak (\d+)/.exec(stderr)![1]) / 1024
    }
    expect((await peakOf('put', '1.txt', '2.txt', '/')) - (await peakOf('ls'))).toBeLessThan(128)
  })

  test('leaves links out unless asked to follow them', async () => {
    await plant(me.here, { 'in/a.txt': 'a', 'out.txt': 'outside' })
    await symlink(join(me.here, 'out.txt'), join(me.here, 'in', 'link.txt'))
    expect(await me.dataOf(['put', 'in', '/'])).toMatchObject({ code: 0, done: 1, skipped: 1 })
    expect(await me.dataOf(['put', 'in', '/', '--follow'])).toMatchObject({ code: 0, done: 1, skipped: 1 })
    const [folder] = (await me.files.list({})).items
    expect(await me.names(folder!.id)).toEqual(['a.txt', 'link.txt'])
  })

  test('does not guess between folders of the same name', async () => {
    const twins = [await me.folder('in'), await me.folder('in')]
    await plant(me.here, { 'in/a.txt': 'a' })
    const { code, stderr } = await me.run(['put', 'in/a.txt', '/in'])
    expect(code).toBe(2)
    for (const { id } of twins) expect(stderr).toContain(`id:${id}`)
    expect((await me.run(['put', 'in/a.txt', `id:${twins[1]!.id}`])).code).toBe(0)
    expect(await me.names(twins[1]!.id)).toEqual(['a.txt'])
  })

  test.each([
    [['put', 'a.txt', 'b.txt'], 2, 'b.txt is not a remote folder'],
    [['put', 'a.txt', '/nowhere'], 1, 'No folder /nowhere'],
    [['put', 'a.txt', './a.txt', '/'], 2, 'Two arguments are named a.txt'],
    [['put', 'missing', '/'], 1, 'ENOENT'],
    [['put', 'a.txt', '--parallel', '17'], 2, 'from 1 to 16'],
  ])('%j exits %d', async (args, code, words) => {
    await plant(me.here, { 'a.txt': 'a', 'b.txt': 'b' })
    const outcome = await me.run(args)
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(words)])
    expect(await me.names()).toEqual([])
  })
})
