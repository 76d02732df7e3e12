import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectsOf, putBytes, storedFiles, upload } from '../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { findUpload } from '../queries.ts'
import { finalize, stagingKeyOf } from './presigned-upload.ts'
import { newObjectKey } from './store-upload.ts'
import { sweepUploads } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const DAY_S = 86_400

async function announced(size = 5, mimeType = 'text/plain') {
  const person = await app.person(await app.organization())
  const headers = bearer(await app.key(person, ['files:write']))
  const body = { name: 'note.txt', mimeType, size }
  const { file, uploadUrl } = (await app.request('POST', '/api/v1/files', { headers, body })).body.data
  const { orgId } = person
  const find = () => findUpload(app.sql, orgId, file.id)
  return { headers, orgId, id: file.id as string, uploadUrl: uploadUrl as string, find }
}

async function* bytes(text: string) {
  yield Buffer.from(text)
}

/** As if bytes went straight to the store, past this server. */
function direct() {
  const ctx = app.app.system()
  return { ...ctx, objects: { ...ctx.objects, passesThrough: false } }
}

describe('after a day', () => {
  test('an announcement without bytes is forgotten, not before', async () => {
    const { orgId, find } = await announced()
    app.clock.advance(DAY_S - 60)
    await sweepUploads(app.app.system())
    expect(await find()).toMatchObject({ status: 'pending' })
    app.clock.advance(120)
    await sweepUploads(app.app.system())
    expect(await find()).toBeNull()
    expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
  })

  test('what a crash left half-done is removed with its bytes', async () => {
    const { headers, orgId } = await announced()
    const key = newObjectKey(orgId)
    const ctx = app.app.system()
    await app.sql`insert into objects (org_id, key, created_at) values (${orgId}, ${key}, ${ctx.now()})`
    await ctx.objects.put(key, bytes('cut off'))
    await upload(app, headers, 'kept')
    expect(await storedFiles(app, orgId)).toBe(2)
    app.clock.advance(DAY_S + 60)
    await sweepUploads(app.app.system())
    expect(await storedFiles(app, orgId)).toBe(1)
    expect(await objectsOf(app, orgId)).toEqual({ known: 1, unfinished: 0 })
  })

  test('files that are whole stay', async () => {
    const { uploadUrl, find } = await announced()
    await putBytes(uploadUrl, 'hello')
    app.clock.advance(DAY_S + 60)
    await sweepUploads(app.app.system())
    expect(await find()).toMatchObject({ status: 'ready' })
  })

  test('bytes that came straight to the store become their file', async () => {
    const { orgId, id, find } = await announced()
    const ctx = direct()
    await ctx.objects.put(stagingKeyOf(orgId, id), bytes('hello'))
    app.clock.advance(DAY_S + 60)
    await sweepUploads(ctx)
    expect(await find()).toMatchObject({ status: 'ready', sha256: expect.stringMatching(/^2cf24dba/) })
    expect(await objectsOf(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })

  test('and go with their record if they are not what was announced', async () => {
    const { orgId, id, find } = await announced(5, 'image/png')
    const ctx = direct()
    await ctx.objects.put(stagingKeyOf(orgId, id), bytes('hello'))
    app.clock.advance(DAY_S + 60)
    await sweepUploads(ctx)
    expect(await find()).toBeNull()
    expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('one that cannot be removed does not keep the others', async () => {
    const [stuck, other] = [await announced(), await announced()]
    app.clock.advance(DAY_S + 60)
    const ctx = app.app.system()
    const remove = async (key: string) => {
      if (key.startsWith(stuck.orgId)) throw new Error('the disk says no')
      await ctx.objects.remove(key)
    }
    await expect(sweepUploads({ ...ctx, objects: { ...ctx.objects, remove } })).rejects.toThrow(
      '1 abandoned uploads',
    )
    expect(await objectsOf(app, other.orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await objectsOf(app, stuck.orgId)).toEqual({ known: 1, unfinished: 1 })
  })
})

describe('bytes that went straight to the store', () => {
  test('are checked by the first read, and a later write to the same address changes nothing', async () => {
    const { orgId, id, find } = await announced()
    const ctx = direct()
    expect(await finalize(ctx, (await find())!)).toMatchObject({ status: 'pending' })
    await ctx.objects.put(stagingKeyOf(orgId, id), bytes('hello'))
    const settled = await finalize(ctx, (await find())!)
    expect(settled).toMatchObject({ status: 'ready', sha256: expect.stringMatching(/^2cf24dba/) })
    await ctx.objects.put(stagingKeyOf(orgId, id), bytes('other'))
    const content = await ctx.objects.get(settled.objectKey!)
    expect(Buffer.concat(await content!.toArray()).toString()).toBe('hello')
    expect(await finalize(ctx, settled)).toBe(settled)
  })

  test.each([
    ['the size', 4, 'text/plain', 'must be exactly 4 bytes'],
    ['the type', 5, 'image/png', 'Not a valid PNG'],
  ])('are refused where %s is another, and may be sent again', async (_, size, type, message) => {
    const { orgId, id, find } = await announced(size, type)
    const ctx = direct()
    await ctx.objects.put(stagingKeyOf(orgId, id), bytes('hello'))
    await expect(finalize(ctx, (await find())!)).rejects.toThrow(message)
    expect(await finalize(ctx, (await find())!)).toMatchObject({ status: 'pending' })
    expect(await objectsOf(app, orgId)).toEqual({ known: 1, unfinished: 1 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('are one file when several read at once', async () => {
    const { orgId, id, find } = await announced()
    const ctx = direct()
    await ctx.objects.put(stagingKeyOf(orgId, id), bytes('hello'))
    const row = (await find())!
    const settled = await Promise.all([finalize(ctx, row), finalize(ctx, row), finalize(ctx, row)])
    expect(new Set(settled.map(({ objectKey }) => objectKey)).size).toBe(1)
    // The file, and what was sent: that goes with the sweep, once nothing can be written there any more.
    expect(await storedFiles(app, orgId)).toBe(2)
    app.clock.advance(DAY_S + 60)
    await sweepUploads(ctx)
    expect(await storedFiles(app, orgId)).toBe(1)
  })
})

test('an object is only let go while no record owns it', async () => {
  const { orgId, uploadUrl, find } = await announced()
  await putBytes(uploadUrl, 'hello')
  const { objectKey } = (await find())!
  await app.sql`update objects set stored_at = null where key = ${objectKey}`
  app.clock.advance(DAY_S + 60)
  await sweepUploads(app.app.system())
  expect(await storedFiles(app, orgId)).toBe(1)
})
