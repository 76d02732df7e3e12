import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Busy } from '../../../../errors.ts'
import { countObjects, putBytes, storedFiles, upload } from '../../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { newObjectKey } from '../objects.ts'
import { findUpload } from '../queries.ts'
import { finalize, toStagingKey } from './presigned-upload.ts'
import { sweepUploads } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const DAY_S = 86_400

async function createPendingUpload(size = 5, mimeType = 'text/plain') {
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

/** A context whose object store receives uploads directly from clients, as a bucket does. */
function directUploadContext() {
  const ctx = app.app.system()
  return { ...ctx, objects: { ...ctx.objects, uploadsPassThrough: false } }
}

describe('the upload sweep', () => {
  test('removes a pending upload without content after one day, not before', async () => {
    const { orgId, find } = await createPendingUpload()
    app.clock.advance(DAY_S - 60)
    await sweepUploads(app.app.system())
    expect(await find()).toMatchObject({ status: 'pending' })
    app.clock.advance(120)
    await sweepUploads(app.app.system())
    expect(await find()).toBeNull()
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
  })

  test("keeps a sent upload that couldn't be read because the server was busy", async () => {
    const { find } = await createPendingUpload()
    const pending = await find()
    const ctx = directUploadContext()
    await ctx.objects.put(pending!.objectKey!, bytes('hello'))
    app.clock.advance(DAY_S + 60)
    const refuse = () => Promise.reject(new Busy('UNAVAILABLE', 'Too many requests are running'))
    await expect(sweepUploads({ ...ctx, objects: { ...ctx.objects, size: refuse } })).rejects.toThrow(
      'could not be removed',
    )
    expect(await find()).toEqual(pending)
    await sweepUploads(ctx)
    expect(await find()).toMatchObject({ status: 'ready' })
  })

  test('removes an unfinished object left by a crash, along with its content', async () => {
    const { headers, orgId } = await createPendingUpload()
    const key = newObjectKey(orgId)
    const ctx = app.app.system()
    await app.sql`insert into objects (org_id, key, created_at) values (${orgId}, ${key}, ${ctx.now()})`
    await ctx.objects.put(key, bytes('cut off'))
    await upload(app, headers, 'complete')
    expect(await storedFiles(app, orgId)).toBe(2)
    app.clock.advance(DAY_S + 60)
    await sweepUploads(app.app.system())
    expect(await storedFiles(app, orgId)).toBe(1)
    expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 0 })
  })

  test('leaves complete files untouched', async () => {
    const { uploadUrl, find } = await createPendingUpload()
    await putBytes(uploadUrl, 'hello')
    app.clock.advance(DAY_S + 60)
    await sweepUploads(app.app.system())
    expect(await find()).toMatchObject({ status: 'ready' })
  })

  test('finalizes a direct upload that was never read', async () => {
    const { orgId, id, find } = await createPendingUpload()
    const ctx = directUploadContext()
    await ctx.objects.put(toStagingKey(orgId, id), bytes('hello'))
    app.clock.advance(DAY_S + 60)
    await sweepUploads(ctx)
    expect(await find()).toMatchObject({ status: 'ready', sha256: expect.stringMatching(/^2cf24dba/) })
    expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })

  test('removes a direct upload that contradicts its declaration, and its record', async () => {
    const { orgId, id, find } = await createPendingUpload(5, 'image/png')
    const ctx = directUploadContext()
    await ctx.objects.put(toStagingKey(orgId, id), bytes('hello'))
    app.clock.advance(DAY_S + 60)
    await sweepUploads(ctx)
    expect(await find()).toBeNull()
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test("continues when one upload can't be removed; a job removes it later", async () => {
    const [stuck, other] = [await createPendingUpload(), await createPendingUpload()]
    app.clock.advance(DAY_S + 60)
    const ctx = app.app.system()
    const remove = async (key: string) => {
      if (key.startsWith(stuck.orgId)) throw new Error('disk failure')
      await ctx.objects.remove(key)
    }
    await sweepUploads({ ...ctx, objects: { ...ctx.objects, remove } })
    for (const { orgId } of [other, stuck])
      expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    const [repetition] = await app.sql`
      select from graphile_worker._private_jobs where payload::text like ${`%${toStagingKey(stuck.orgId, stuck.id)}%`}`
    expect(repetition).toBeDefined()
  })
})

describe('a direct upload', () => {
  test('is finalized by the first read; later writes to the URL change nothing', async () => {
    const { orgId, id, find } = await createPendingUpload()
    const ctx = directUploadContext()
    expect(await finalize(ctx, (await find())!)).toMatchObject({ status: 'pending' })
    await ctx.objects.put(toStagingKey(orgId, id), bytes('hello'))
    const finalized = await finalize(ctx, (await find())!)
    expect(finalized).toMatchObject({ status: 'ready', sha256: expect.stringMatching(/^2cf24dba/) })
    await ctx.objects.put(toStagingKey(orgId, id), bytes('other'))
    const content = await ctx.objects.get(finalized.objectKey!)
    expect(Buffer.concat(await content!.toArray()).toString()).toBe('hello')
    expect(await finalize(ctx, finalized)).toBe(finalized)
  })

  test.each([
    ['size', 4, 'text/plain', 'must be exactly 4 bytes'],
    ['type', 5, 'image/png', 'Not a valid PNG'],
  ])(
    'is rejected when its %s contradicts the declaration, and can be sent again',
    async (_, size, type, message) => {
      const { orgId, id, find } = await createPendingUpload(size, type)
      const ctx = directUploadContext()
      await ctx.objects.put(toStagingKey(orgId, id), bytes('hello'))
      await expect(finalize(ctx, (await find())!)).rejects.toMatchObject({
        message: expect.stringContaining(message),
        details: [{ path: 'body' }],
      })
      expect(await finalize(ctx, (await find())!)).toMatchObject({ status: 'pending' })
      expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
      expect(await storedFiles(app, orgId)).toBe(0)
    },
  )

  test('becomes one object when several reads finalize it concurrently', async () => {
    const { orgId, id, find } = await createPendingUpload()
    const ctx = directUploadContext()
    await ctx.objects.put(toStagingKey(orgId, id), bytes('hello'))
    const row = (await find())!
    const finalized = await Promise.all([finalize(ctx, row), finalize(ctx, row), finalize(ctx, row)])
    expect(new Set(finalized.map(({ objectKey }) => objectKey)).size).toBe(1)
    // The object of the file, and the staging object, which the sweep removes after the URL has expired.
    expect(await storedFiles(app, orgId)).toBe(2)
    app.clock.advance(DAY_S + 60)
    await sweepUploads(ctx)
    expect(await storedFiles(app, orgId)).toBe(1)
  })
})

test('the sweep leaves an object that a file references', async () => {
  const { orgId, uploadUrl, find } = await createPendingUpload()
  await putBytes(uploadUrl, 'hello')
  const { objectKey } = (await find())!
  await app.sql`update objects set stored_at = null where key = ${objectKey}`
  app.clock.advance(DAY_S + 60)
  await sweepUploads(app.app.system())
  expect(await storedFiles(app, orgId)).toBe(1)
})
