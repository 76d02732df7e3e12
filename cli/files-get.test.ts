import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'
import { createProxy } from './testing/proxy.ts'
import { type SignedIn, signedIn } from './testing/signed-in.ts'
import { harvest, plant } from './testing/tree.ts'

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

describe('atrium files get', () => {
  test('replaces nothing without --force', async () => {
    await me.put('remote', 'a.txt')
    await plant(me.here, { 'a.txt': 'local' })
    const { code, stderr } = await me.run(['get', '/a.txt'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('--force')])
    expect(await harvest(me.here)).toEqual({ 'a.txt': 'local' })
    expect((await me.run(['get', '/a.txt', '--force'])).code).toBe(0)
    expect(await harvest(me.here)).toEqual({ 'a.txt': 'remote' })
  })

  test('goes into a folder that is there, and otherwise to the very path', async () => {
    await me.put('x', 'a.txt')
    await mkdir(join(me.here, 'into'))
    await me.run(['get', 'a.txt', 'into'])
    await me.run(['get', 'a.txt', 'renamed.txt'])
    expect(await harvest(me.here)).toEqual({ 'into/a.txt': 'x', 'renamed.txt': 'x' })
  })

  test('cannot be led out of its folder by any name', async () => {
    const { id } = await me.folder('..')
    const evil = await me.folder('..', id)
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
      const { id: file } = await me.put(name, 'safe.txt', evil.id)
      await me.files.update({ id: file, name })
    }
    await plant(me.here, { 'deep/down/.keep': '' })
    const { code, stderr } = await me.run(['get', `id:${id}`, 'deep/down'])
    expect([code, stderr.includes('\u001b')]).toEqual([0, false])
    expect(await harvest(me.here)).toEqual({
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

  test('does not write through a link in its folder', async () => {
    const { id } = await me.folder('in')
    const inner = await me.folder('sub', id)
    await me.put('x', 'a.txt', inner.id)
    await plant(me.here, { elsewhere: null, in: null })
    await symlink(join(me.here, 'elsewhere'), join(me.here, 'in', 'sub'))
    const { code, stderr } = await me.run(['get', '/in'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('not a folder')])
    expect(await readdir(join(me.here, 'elsewhere'))).toEqual([])
  })

  test('takes the bytes of a link, and tells of one whose target is gone', async () => {
    const [kept, gone] = [await me.put('kept', 'kept.txt'), await me.put('gone', 'gone.txt')]
    const { id } = await me.folder('links')
    for (const targetFileId of [kept.id, gone.id])
      await me.files.create({ source: 'link', targetFileId, parentId: id })
    await me.files.remove({ id: gone.id })
    const { code, items } = await me.dataOf(['get', '/links'])
    expect(code).toBe(1)
    expect(items).toContainEqual(expect.objectContaining({ path: '/links/gone.txt', status: 'failed' }))
    expect(await harvest(me.here)).toEqual({ 'links/kept.txt': 'kept' })
  })

  test('does not believe bytes that are not those of the record', async () => {
    await me.put('the truth', 'a.txt')
    const liar = await createProxy(app.url, ({ request, response, forward }) =>
      request.url!.includes('/objects/') ? response.end('the trash') : forward(),
    )
    const { code, stderr } = await me.run(['get', '/a.txt'], liar.url)
    await liar.close()
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not match its hash')])
    expect(await readdir(me.here)).toEqual([])
  })

  test('sends the key only to the server that was named', async () => {
    await me.put('x', 'a.txt')
    const seen: (string | undefined)[] = []
    const proxy = await createProxy(app.url, ({ request, forward }) => {
      if (request.url!.includes('/objects/')) seen.push(request.headers.authorization)
      forward()
    })
    expect((await me.run(['get', '/a.txt'], proxy.url)).code).toBe(0)
    await proxy.close()
    expect(seen).toEqual([undefined])
  })
})
