import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../server/testing/clients/file-client.ts'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { createHome } from '../../testing/command.ts'

let app: TestApp
let home: Awaited<ReturnType<typeof createHome>>
let me: FileClient
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => {
  home = await createHome()
  me = await createFileClient(app)
})
afterEach(() => home.remove())

const run = (...args: string[]) => {
  const key = me.headers.authorization!.slice('Bearer '.length)
  return home.run(['files', ...args], { env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key } })
}
const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

describe('atrium files ls', () => {
  test('lists folders first with size, time and kind, and shows ids with -l', async () => {
    const { id } = await me.folder('Zebra')
    await me.upload('ape.txt')
    const { code, stdout, stderr } = await run('ls')
    expect([code, stderr]).toEqual([0, ''])
    const [header, first, second] = stdout.split('\n')
    expect(header).toMatch(/^NAME +SIZE +MODIFIED +KIND$/)
    expect(first).toMatch(/^Zebra\/ +\d{4}-\d\d-\d\d \d\d:\d\dZ +folder$/)
    expect(second).toMatch(/^ape\.txt +5 B +\S+ \S+ +text\/plain$/)
    expect((await run('ls', '-l')).stdout).toContain(`${id}  Zebra/`)
  })

  test('lists every page of a large folder as JSON', async () => {
    const { id } = await me.folder('many')
    const names = Array.from({ length: 230 }, (_, index) => `file ${index}.txt`)
    for (const name of names) await me.upload(name, id)
    const { items } = await runJson('ls', '/many')
    expect(items.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test('aligns columns and replaces control characters in any name', async () => {
    for (const name of ['日本語.txt', 'plain.txt', 'red\u001b[31m.txt', '\u202etxt.exe'])
      await me.upload(name)
    const { stdout } = await run('ls')
    for (const control of ['\u001b', '\u202e']) expect(stdout).not.toContain(control)
    expect(stdout).toContain('red�[31m.txt')
    const columns = stdout.split('\n').map((line) => line.replaceAll(/[日本語]/g, '..').indexOf('5 B'))
    expect(new Set(columns.filter((column) => column > 0)).size).toBe(1)
  })

  test('resolves a path by exact names or by id', async () => {
    const folder = await me.folder('Reports')
    const { id } = await me.upload('q1.pdf', folder.id)
    const { items } = await runJson('ls', '/Reports/q1.pdf')
    expect(items).toMatchObject([{ id }])
    for (const path of [id, `id:${id}`, `id:${folder.id}/q1.pdf`])
      expect((await runJson('ls', path)).items).toMatchObject([{ id }])
    for (const path of ['/reports', '/Report', '/Reports/q1', '/Reports/../Reports']) {
      const { code, stderr } = await run('ls', path)
      expect([code, stderr]).toEqual([1, expect.stringContaining(' not found')])
    }
  })

  test('exits 2 and lists the ids when a name is ambiguous', async () => {
    const duplicates = [await me.upload('a.txt'), await me.upload('a.txt')]
    const { code, stdout, stderr } = await run('ls', '/a.txt')
    expect([code, stdout]).toEqual([2, ''])
    for (const { id } of duplicates) expect(stderr).toContain(`id:${id}`)
  })

  test('exits 4 and names the missing scope', async () => {
    const { key } = await app.key(me.person, ['models:read'])
    const env = { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key }
    const { code, stderr } = await home.run(['files', 'ls'], { env })
    expect([code, stderr]).toEqual([4, expect.stringContaining('files:read')])
    expect(stderr).toContain('atrium login')
  })

  test('exits 5 when the server is unreachable', async () => {
    const env = { ATRIUM_SERVER: 'http://127.0.0.1:1', ATRIUM_API_KEY: 'any' }
    expect((await home.run(['files', 'ls'], { env })).code).toBe(5)
  })
})

describe('atrium files mkdir', () => {
  test('creates one folder, or missing parent folders too with -p', async () => {
    expect((await run('mkdir', '/a/b/c')).code).toBe(1)
    const { items } = await runJson('mkdir', '-p', '/a/b/c', '/a/b/d')
    expect(items).toMatchObject([{ name: 'c', path: '/a/b/c' }, { name: 'd' }])
    expect((await runJson('mkdir', '-p', '/a/b/c')).items).toMatchObject([{ id: items[0].id }])
    expect(await me.names()).toEqual(['a'])
    const { code, stderr } = await run('mkdir', '/a')
    expect([code, stderr]).toEqual([1, expect.stringContaining('/a already exists and is a folder')])
  })
})

describe('atrium files mv', () => {
  test('renames an item, moves it into a folder, or does both at once', async () => {
    const { id } = await me.upload('a.txt')
    await me.folder('in')
    expect((await run('mv', '/a.txt', '/b.txt')).stdout).toBe(`${id}  /b.txt\n`)
    expect(await runJson('mv', '/b.txt', '/in')).toMatchObject({ id, name: 'b.txt', path: '/in/b.txt' })
    expect((await run('mv', '/in/b.txt', '/c.txt')).stdout).toBe(`${id}  /c.txt\n`)
    expect((await run('mv', `id:${id}`, '/in/')).stdout).toBe(`${id}  /in/c.txt\n`)
  })

  test('replaces no existing item, and requires an existing destination folder', async () => {
    await me.upload('a.txt')
    await me.upload('b.txt')
    expect((await run('mv', '/a.txt', '/b.txt')).stderr).toContain('/b.txt already exists and is a file')
    expect((await run('mv', '/a.txt', '/nowhere/')).code).toBe(1)
    expect(await me.names()).toEqual(['a.txt', 'b.txt'])
  })

  test("prints the server's error when a folder would move into itself", async () => {
    const { id } = await me.folder('a')
    await me.folder('b', id)
    const { code, stderr } = await run('mv', '/a', '/a/b')
    expect([code, stderr]).toEqual([1, expect.stringContaining('parentId')])
  })
})

describe('atrium files rm, trash and restore', () => {
  test('rm moves a file to the trash, trash lists it, and restore accepts its id', async () => {
    const { id } = await me.upload('a.txt')
    const removed = await run('rm', '/a.txt')
    expect([removed.code, removed.stdout]).toEqual([0, ''])
    expect(removed.stderr).toContain(`atrium files restore ${id}`)
    expect((await run('trash')).stdout).toContain(`${id}  a.txt`)
    expect((await run('restore', id)).stdout).toBe(`${id}  /a.txt\n`)
    expect(await me.names()).toEqual(['a.txt'])
  })

  test('rm requires -r for a folder and removes nothing when one path is invalid', async () => {
    await me.folder('in')
    await me.upload('a.txt')
    expect((await run('rm', '/a.txt', '/in')).code).toBe(2)
    expect((await run('rm', '/a.txt', '/nowhere')).code).toBe(1)
    expect(await me.names()).toEqual(['in', 'a.txt'])
    const { items } = await runJson('rm', '-r', '/a.txt', '/in')
    expect(items).toMatchObject([
      { path: '/a.txt', deleted: true },
      { path: '/in', deleted: true },
    ])
    expect(await me.names()).toEqual([])
  })

  test('restore accepts a former path or a unique name', async () => {
    const [left, right] = [await me.folder('left'), await me.folder('right')]
    const first = await me.upload('a.txt', left.id)
    const second = await me.upload('a.txt', right.id)
    await run('rm', '/left/a.txt', '/right/a.txt')
    const { code, stderr } = await run('restore', 'a.txt')
    expect([code, stderr]).toEqual([2, expect.stringContaining(`id:${first.id}`)])
    expect(await runJson('restore', '/right/a.txt')).toMatchObject({ id: second.id, path: '/right/a.txt' })
    expect(await runJson('restore', 'a.txt', '--to', '/')).toMatchObject({ id: first.id, path: '/a.txt' })
    expect((await run('restore', 'a.txt')).stderr).toContain('is not in the trash')
  })

  test('rm continues after a failure and exits 1', async () => {
    await app.as(me.headers).projects.create({ name: 'guarded' })
    await me.upload('a.txt')
    const { code, stderr } = await run('rm', '-r', '/guarded', '/a.txt')
    expect([code, stderr]).toEqual([1, expect.stringContaining('failed  /guarded')])
    expect(await me.names()).toEqual(['guarded'])
  })
})

test('atrium files search matches partial names below a folder, and tag sets the tags that ls -l shows', async () => {
  const { id } = await me.folder('Reports')
  const file = await me.upload('Quarter 1.txt', id)
  await me.upload('Quarter 2.txt')
  expect((await runJson('search', 'quarter', '/Reports')).items).toMatchObject([{ id: file.id }])
  expect(await runJson('tag', '/Reports/Quarter 1.txt', 'finance', 'draft')).toMatchObject({
    tags: ['finance', 'draft'],
  })
  expect((await run('ls', '-l', '/Reports')).stdout).toMatch(/finance, draft/)
  expect(await runJson('tag', '/Reports/Quarter 1.txt')).toMatchObject({ tags: [] })
})

test('atrium files --help explains paths, and invalid usage exits 2', async () => {
  const { code, stdout } = await run('--help')
  expect(code).toBe(0)
  for (const text of ['id:', 'put', 'restore', 'by name, from the root']) expect(stdout).toContain(text)
  expect((await run('mv', '/a')).code).toBe(2)
})
