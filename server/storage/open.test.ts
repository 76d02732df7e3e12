import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createVault } from '../security/vault.ts'
import { startS3Server } from '../testing/fakes/s3-server.ts'
import { openObjects } from './open.ts'

const vault = createVault('a secret for tests, long enough to be one')
let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'atrium-objects-'))
})
afterEach(() => rm(dataFolder, { recursive: true }))

test('openObjects stores objects in the data folder by default, and passes uploads through this server', async () => {
  const store = await openObjects(readConfig({ ATRIUM_DATA: dataFolder }), vault)
  expect(store).toMatchObject({ uploadsPassThrough: true, description: join(dataFolder, 'objects') })
})

test('openObjects uses the configured bucket and describes it without its credentials', async () => {
  const server = await startS3Server()
  const store = await openObjects(readConfig({ ATRIUM_DATA: dataFolder, ...server.env }), vault)
  expect(store.uploadsPassThrough).toBe(false)
  expect(store.description).toMatch(/^bucket atrium-tests at 127\.0\.0\.1:\d+$/)
  await server.close()
})

test('openObjects fails the start when the bucket cannot be used', async () => {
  const env = { ATRIUM_OBJECTS: 's3://bucket?endpoint=http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'one' }
  const config = readConfig({ ATRIUM_DATA: dataFolder, ...env, AWS_SECRET_ACCESS_KEY: 'two' })
  await expect(openObjects(config, vault)).rejects.toThrow(/^ATRIUM_OBJECTS cannot be used/)
})
