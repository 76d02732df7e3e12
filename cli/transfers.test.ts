import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test as plainTest } from 'vitest'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { hasTerminal } from './testing/command.ts'
import { createProxy } from './testing/proxy.ts'
import { signedIn } from './testing/signed-in.ts'
import { harvest, plant, sixty } from './testing/tree.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** Side by side, each in a home and an organization of their own: some wait for what never comes. */
const test = plainTest.extend('me', async ({ onTestFinished }) => {
  const me = await signedIn(app)
  onTestFinished(me.home.remove)
  return me
})

describe.concurrent('sixty files', () => {
  test('go up and come down as they were, and the second time nothing is moved', async ({ me }) => {
    const tree = sixty()
    await plant(join(me.here, 'reports'), tree)
    const first = await me.run(['put', 'reports', '/'])
    expect([first.code, first.stdout]).toEqual([0, ''])
    expect(first.stderr).toContain('60 uploaded')
    expect(first.stderr).toContain('uploaded  /reports/data/3/file 10.md')
    expect(await me.dataOf(['put', 'reports', '/'])).toMatchObject({
      code: 0,
      done: 0,
      skipped: 60,
      failed: 0,
    })

    const down = await me.run(['get', '/reports', 'copy'])
    expect([down.code, down.stdout]).toEqual([0, ''])
    // The one name that could be a path elsewhere is told apart from it.
    const { 'Berichte/back\\slash #1?.txt': signs, ...others } = tree
    expect(await harvest(join(me.here, 'copy'))).toEqual({ ...others, 'Berichte/back_slash #1?.txt': signs })
    await mkdir(join(me.here, 'second'))
    await rename(join(me.here, 'copy'), join(me.here, 'second', 'reports'))
    expect(await me.dataOf(['get', '/reports', 'second'])).toMatchObject({ done: 0, skipped: 60, failed: 0 })
  })
})

describe.concurrent('a bad connection', () => {
  test('is borne: what was refused for a moment or lost is tried again, and nothing is doubled', async ({
    me,
  }) => {
    await plant(me.here, { 'in/a.txt': 'aaa', 'in/b.txt': 'bbb' })
    const fates = ['refused', 'lost', 'whole', 'whole', 'cut', 'whole', 'whole']
    const proxy = await createProxy(app.url, ({ request, response, forward }) => {
      const isBytes =
        /multipart/.test(request.headers['content-type'] ?? '') || request.url!.includes('/objects/')
      const fate = isBytes ? fates.shift() : 'whole'
      if (fate === 'refused') {
        request.resume()
        response.writeHead(503, { 'retry-after': '0' }).end()
      } else forward(fate as 'whole' | 'lost' | 'cut')
    })
    const up = await me.run(['put', 'in', '/', '--parallel', '1'], proxy.url)
    expect([up.code, up.stderr]).toEqual([0, expect.stringContaining('2 uploaded')])
    const [folder] = (await me.files.list({})).items
    expect(await me.names(folder!.id)).toEqual(['a.txt', 'b.txt'])
    const down = await me.run(['get', '/in', 'copy', '--parallel', '1'], proxy.url)
    await proxy.close()
    expect([down.code, down.stderr, fates]).toEqual([0, expect.stringContaining('2 downloaded'), []])
    expect(await harvest(join(me.here, 'copy'))).toEqual({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  })

  test('ends it with 5 when the server stays away', async ({ me }) => {
    await plant(me.here, { 'a.txt': 'a' })
    const proxy = await createProxy(app.url, ({ request, response, forward }) =>
      request.method === 'POST' ? response.destroy() : forward(),
    )
    const { code, stderr } = await me.run(['put', 'a.txt'], proxy.url)
    await proxy.close()
    expect([code, stderr]).toEqual([5, expect.stringContaining('cannot be reached')])
  })
})

describe.concurrent('Ctrl-C', () => {
  test('leaves nothing half-written, and exits 130', async ({ me }) => {
    await me.put('x'.repeat(100_000), 'big.txt')
    const proxy = await createProxy(app.url, ({ request, forward }) =>
      forward(request.url!.includes('/objects/') ? 'held' : 'whole'),
    )
    const { child, done } = me.start(['get', '/big.txt'], proxy.url)
    await expect.poll(() => readdir(me.here)).toEqual([expect.stringMatching(/^\.atrium-.*\.part$/)])
    child.kill('SIGINT')
    expect((await done).code).toBe(130)
    await proxy.close()
    expect(await readdir(me.here)).toEqual([])
  })

  test('stops an upload, of which nothing arrives', async ({ me }) => {
    await plant(me.here, { 'big.txt': 'x'.repeat(100_000) })
    let isMet = false
    const proxy = await createProxy(app.url, ({ request, forward }) => {
      if (request.method === 'POST') isMet = true
      else forward()
    })
    const { child, done } = me.start(['put', 'big.txt'], proxy.url)
    await expect.poll(() => isMet).toBe(true)
    child.kill('SIGINT')
    expect((await done).code).toBe(130)
    await proxy.close()
    expect(await me.names()).toEqual([])
  })
})

describe.skipIf(!hasTerminal).concurrent('in a terminal', () => {
  test('bars show what is under way, and are gone at the end', async ({ me }) => {
    await me.put('x'.repeat(100_000), 'big.txt')
    const shown = Promise.withResolvers<void>()
    const proxy = await createProxy(app.url, async ({ request, forward }) => {
      if (request.url!.includes('/objects/')) await shown.promise
      forward()
    })
    const env = { ...me.env, ATRIUM_SERVER: proxy.url }
    const { waitForOutput, done } = me.home.start(['files', 'get', '/big.txt'], {
      env,
      cwd: me.here,
      inTerminal: true,
    })
    await waitForOutput(/\/big\.txt +░{20} +0%/)
    await waitForOutput(/0 of 1 files {2}0 B of 100 kB/)
    shown.resolve()
    const { code, stdout } = await done
    await proxy.close()
    expect(code).toBe(0)
    expect(stdout).toMatch(/\[0J1 downloaded \(100 kB\), 0 skipped, 0 failed\s*$/)
    expect(await readdir(me.here)).toEqual(['big.txt'])
  })
})

test.concurrent('a key without the scope is told what it lacks, and nothing is tried twice', async ({
  me,
}) => {
  const person = await app.person(await app.organization())
  const { key } = await app.key(person, ['files:read'])
  await plant(me.here, { 'a.txt': 'a', 'b.txt': 'b' })
  const env = { ...me.env, ATRIUM_API_KEY: key }
  const { code, stderr } = await me.home.run(['files', 'put', 'a.txt', 'b.txt', '/'], { env, cwd: me.here })
  expect([code, stderr]).toEqual([4, expect.stringContaining('files:write')])
  expect(stderr).toContain('atrium login')
})
