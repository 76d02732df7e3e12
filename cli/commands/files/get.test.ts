import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'
import { createProxy } from '../../testing/proxy.ts'
import { readTree, writeTree } from '../../testing/tree.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => {
  me = await createCliUser(app)
})
afterEach(() => me.home.remove())

describe('atrium files get', () => {
  test('replaces a local file that differs only with --force', async () => {
    await me.uploadFile('remote', 'a.txt')
    await writeTree(me.cwd, { 'a.txt': 'local' })
    const { code, stderr } = await me.run(['get', '/a.txt'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('--force')])
    expect(await readTree(me.cwd)).toEqual({ 'a.txt': 'local' })
    expect((await me.run(['get', '/a.txt', '--force'])).code).toBe(0)
    expect(await readTree(me.cwd)).toEqual({ 'a.txt': 'remote' })
  })

  test('downloads into an existing folder, or to the given path', async () => {
    await me.uploadFile('x', 'a.txt')
    await mkdir(join(me.cwd, 'into'))
    await me.run(['get', 'a.txt', 'into'])
    await me.run(['get', 'a.txt', 'renamed.txt'])
    expect(await readTree(me.cwd)).toEqual({ 'into/a.txt': 'x', 'renamed.txt': 'x' })
  })

  test('downloads a folder to the same path when repeated, and resumes there', async () => {
    const { id } = await me.createFolder('Reports')
    const inner = await me.createFolder('2026', id)
    await me.uploadFile('one', 'a.txt', inner.id)
    const copy = { 'out/2026/a.txt': 'one' }
    expect((await me.run(['get', '/Reports', 'out'])).code).toBe(0)
    expect(await readTree(me.cwd)).toEqual(copy)
    await me.uploadFile('two', 'b.txt', inner.id)
    const { code, stderr } = await me.run(['get', '/Reports', 'out'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('skipped  /Reports/2026/a.txt')])
    expect(await readTree(me.cwd)).toEqual({ ...copy, 'out/2026/b.txt': 'two' })
  })

  test('downloads a folder by name into a path ending in a slash, and into the current folder', async () => {
    const { id } = await me.createFolder('Reports')
    await me.uploadFile('one', 'a.txt', id)
    for (const args of [['out/'], ['out/'], ['.'], []])
      expect((await me.run(['get', '/Reports', ...args])).code).toBe(0)
    expect(await readTree(me.cwd)).toEqual({ 'out/Reports/a.txt': 'one', 'Reports/a.txt': 'one' })
  })

  test('downloads a file and a folder named with a space', async () => {
    const { id } = await me.createFolder(' ')
    await me.uploadFile('one', ' ', id)
    expect((await me.run(['get', '/ ', 'out'])).code).toBe(0)
    expect((await me.run(['get', '/ / ', 'file.txt'])).code).toBe(0)
    expect(await readTree(me.cwd)).toEqual({ 'out/ ': 'one', 'file.txt': 'one' })
    const { stdout } = await me.run(['ls', '/'])
    expect(stdout).toContain('" "')
  })

  test('writes only inside the target folder, whatever the remote names', async () => {
    const { id } = await me.createFolder('..')
    const nested = await me.createFolder('..', id)
    const names = [
      '../../escaped.txt',
      '/tmp/absolute.txt',
      '..',
      'tab\tand\u001b[2J',
      'a/b.txt',
      'a\\b.txt',
      'same.txt',
      'same.txt',
    ]
    for (const name of names) {
      const { id: file } = await me.uploadFile(name, 'safe.txt', nested.id)
      await me.files.update({ id: file, name })
    }
    await writeTree(me.cwd, { 'deep/down/.keep': '' })
    const { code, stderr } = await me.run(['get', `id:${id}`, 'deep/down/'])
    expect([code, stderr.includes('\u001b')]).toEqual([0, false])
    expect(await readTree(me.cwd)).toEqual({
      'deep/down/.keep': '',
      'deep/down/__/__/.._.._escaped.txt': '../../escaped.txt',
      'deep/down/__/__/_tmp_absolute.txt': '/tmp/absolute.txt',
      'deep/down/__/__/__': '..',
      'deep/down/__/__/tab_and_[2J': 'tab\tand\u001b[2J',
      'deep/down/__/__/a_b.txt': expect.stringMatching(/^a.b\.txt$/),
      'deep/down/__/__/a_b (2).txt': expect.stringMatching(/^a.b\.txt$/),
      'deep/down/__/__/same.txt': 'same.txt',
      'deep/down/__/__/same (2).txt': 'same.txt',
    })
  })

  test("doesn't write through a symbolic link in the target folder", async () => {
    const { id } = await me.createFolder('in')
    const inner = await me.createFolder('sub', id)
    await me.uploadFile('x', 'a.txt', inner.id)
    await writeTree(me.cwd, { outside: null, in: null })
    await symlink(join(me.cwd, 'outside'), join(me.cwd, 'in', 'sub'))
    const { code, stderr } = await me.run(['get', '/in'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('not a folder')])
    expect(await readdir(join(me.cwd, 'outside'))).toEqual([])
  })

  test("downloads a link's target, and reports a link whose target is deleted", async () => {
    const present = await me.uploadFile('present', 'present.txt')
    const deleted = await me.uploadFile('deleted', 'deleted.txt')
    const { id } = await me.createFolder('links')
    for (const targetFileId of [present.id, deleted.id])
      await me.files.create({ source: 'link', targetFileId, parentId: id })
    await me.files.remove({ id: deleted.id })
    const { code, items } = await me.runJson(['get', '/links'])
    expect(code).toBe(1)
    expect(items).toContainEqual(expect.objectContaining({ path: '/links/deleted.txt', status: 'failed' }))
    expect(await readTree(me.cwd)).toEqual({ 'links/present.txt': 'present' })
  })

  test("rejects content that doesn't match the recorded hash", async () => {
    await me.uploadFile('original', 'a.txt')
    const tamperingProxy = await createProxy(app.url, ({ request, response, forward }) =>
      request.url!.includes('/objects/') ? response.end('tampered') : forward(),
    )
    const { code, stderr } = await me.run(['get', '/a.txt'], tamperingProxy.url)
    await tamperingProxy.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining('doesn’t match its hash')])
    expect(await readdir(me.cwd)).toEqual([])
  })

  test("doesn't send the key to the signed download URL", async () => {
    await me.uploadFile('x', 'a.txt')
    const authorizations: (string | undefined)[] = []
    const proxy = await createProxy(app.url, ({ request, forward }) => {
      if (request.url!.includes('/objects/')) authorizations.push(request.headers.authorization)
      forward()
    })
    expect((await me.run(['get', '/a.txt'], proxy.url)).code).toBe(0)
    await proxy.close()
    expect(authorizations).toEqual([undefined])
  })
})
