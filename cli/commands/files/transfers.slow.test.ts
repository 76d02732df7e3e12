import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test as plainTest } from 'vitest'
import { buildTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { createCliUser } from '../../testing/cli-user.ts'
import { hasPseudoTerminal } from '../../testing/command.ts'
import { createProxy } from '../../testing/proxy.ts'
import { readTree, sixtyFiles, writeTree } from '../../testing/tree.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** The tests run concurrently, since some wait for timeouts; each has its own home folder and organization. */
const test = plainTest.extend('me', async ({ onTestFinished }) => {
  const me = await createCliUser(app)
  onTestFinished(me.home.remove)
  return me
})

describe.concurrent('atrium files put and get', () => {
  test('transfer sixty files unchanged both ways, and skip them all when repeated', async ({ me }) => {
    const tree = sixtyFiles()
    await writeTree(join(me.cwd, 'reports'), tree)
    const first = await me.run(['put', 'reports', '/'])
    expect([first.code, first.stdout]).toEqual([0, ''])
    expect(first.stderr).toContain('60 uploaded')
    expect(first.stderr).toContain('uploaded  /reports/data/3/file 10.md')
    expect(await me.runJson(['put', 'reports', '/'])).toMatchObject({
      code: 0,
      done: 0,
      skipped: 60,
      failed: 0,
    })

    const downloaded = await me.run(['get', '/reports', 'copy'])
    expect([downloaded.code, downloaded.stdout]).toEqual([0, ''])
    // A backslash separates paths on Windows, so it is replaced in local names.
    const { 'Berichte/back\\slash #1?.txt': renamed, ...others } = tree
    expect(await readTree(join(me.cwd, 'copy'))).toEqual({
      ...others,
      'Berichte/back_slash #1?.txt': renamed,
    })
    await mkdir(join(me.cwd, 'second'))
    await rename(join(me.cwd, 'copy'), join(me.cwd, 'second', 'reports'))
    expect(await me.runJson(['get', '/reports', 'second/'])).toMatchObject({
      done: 0,
      skipped: 60,
      failed: 0,
    })
  })
})

describe.concurrent('a transfer over an unreliable connection', () => {
  test('retries rejected and interrupted requests without creating duplicates', async ({ me }) => {
    await writeTree(me.cwd, { 'in/a.txt': 'aaa', 'in/b.txt': 'bbb' })
    const outcomes = ['refused', 'dropped', 'complete', 'complete', 'truncated', 'complete', 'complete']
    const proxy = await createProxy(app.url, ({ request, response, forward }) => {
      const isTransfer =
        /multipart/.test(request.headers['content-type'] ?? '') || request.url!.includes('/objects/')
      const outcome = isTransfer ? outcomes.shift() : 'complete'
      if (outcome === 'refused') {
        request.resume()
        response.writeHead(503, { 'retry-after': '0' }).end()
      } else forward(outcome as 'complete' | 'dropped' | 'truncated')
    })
    const uploaded = await me.run(['put', 'in', '/', '--parallel', '1'], proxy.url)
    expect([uploaded.code, uploaded.stderr]).toEqual([0, expect.stringContaining('2 uploaded')])
    const [folder] = (await me.files.list({})).items
    expect(await me.listNames(folder!.id)).toEqual(['a.txt', 'b.txt'])
    const downloaded = await me.run(['get', '/in', 'copy', '--parallel', '1'], proxy.url)
    await proxy.close()
    expect([downloaded.code, downloaded.stderr, outcomes]).toEqual([
      0,
      expect.stringContaining('2 downloaded'),
      [],
    ])
    expect(await readTree(join(me.cwd, 'copy'))).toEqual({ 'a.txt': 'aaa', 'b.txt': 'bbb' })
  })

  test('exits 5 when the server stays unreachable', async ({ me }) => {
    await writeTree(me.cwd, { 'a.txt': 'a' })
    const proxy = await createProxy(app.url, ({ request, response, forward }) =>
      request.method === 'POST' ? response.destroy() : forward(),
    )
    const { code, stderr } = await me.run(['put', 'a.txt'], proxy.url)
    await proxy.close()
    expect([code, stderr]).toEqual([5, expect.stringContaining('cannot be reached')])
  })
})

describe.concurrent('Ctrl+C', () => {
  test("removes a download's partial file and exits 130", async ({ me, expect }) => {
    await me.uploadFile('x'.repeat(100_000), 'big.txt')
    const proxy = await createProxy(app.url, ({ request, forward }) =>
      forward(request.url!.includes('/objects/') ? 'stalled' : 'complete'),
    )
    const { child, done } = me.start(['get', '/big.txt'], proxy.url)
    await expect.poll(() => readdir(me.cwd)).toEqual([expect.stringMatching(/^\.atrium-.*\.part$/)])
    child.kill('SIGINT')
    expect((await done).code).toBe(130)
    await proxy.close()
    expect(await readdir(me.cwd)).toEqual([])
  })

  test('stops an upload without storing a file, and exits 130', async ({ me, expect }) => {
    await writeTree(me.cwd, { 'big.txt': 'x'.repeat(100_000) })
    let hasUploadStarted = false
    const proxy = await createProxy(app.url, ({ request, forward }) => {
      if (request.method === 'POST') hasUploadStarted = true
      else forward()
    })
    const { child, done } = me.start(['put', 'big.txt'], proxy.url)
    await expect.poll(() => hasUploadStarted).toBe(true)
    child.kill('SIGINT')
    expect((await done).code).toBe(130)
    await proxy.close()
    expect(await me.listNames()).toEqual([])
  })
})

describe.skipIf(!hasPseudoTerminal).concurrent('the progress display in a terminal', () => {
  test('shows bars during the transfer and clears them at the end', async ({ me }) => {
    await me.uploadFile('x'.repeat(100_000), 'big.txt')
    const barsShown = Promise.withResolvers<void>()
    const proxy = await createProxy(app.url, async ({ request, forward }) => {
      if (request.url!.includes('/objects/')) await barsShown.promise
      forward()
    })
    const env = { ...me.env, ATRIUM_SERVER: proxy.url }
    const { waitForOutput, done } = me.home.start(['files', 'get', '/big.txt'], {
      env,
      cwd: me.cwd,
      inTerminal: true,
    })
    await waitForOutput(/\/big\.txt +░{20} +0%/)
    await waitForOutput(/0 of 1 files {2}0 B of 100 kB/)
    barsShown.resolve()
    const { code, stdout } = await done
    await proxy.close()
    expect(code).toBe(0)
    expect(stdout).toMatch(/\[0J1 downloaded \(100 kB\), 0 skipped, 0 failed\s*$/)
    expect(await readdir(me.cwd)).toEqual(['big.txt'])
  })
})

test.concurrent('atrium files put exits 4 and names the missing scope', async ({ me }) => {
  const person = await app.person(await app.organization())
  const { key } = await app.key(person, ['files:read'])
  await writeTree(me.cwd, { 'a.txt': 'a', 'b.txt': 'b' })
  const env = { ...me.env, ATRIUM_API_KEY: key }
  const { code, stderr } = await me.home.run(['files', 'put', 'a.txt', 'b.txt', '/'], { env, cwd: me.cwd })
  expect([code, stderr]).toEqual([4, expect.stringContaining('files:write')])
  expect(stderr).toContain('atrium login')
})
