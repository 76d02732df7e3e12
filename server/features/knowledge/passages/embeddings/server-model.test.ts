import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeStaticModel } from '../../../../testing/factories/static-model.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'words-'))
  await writeStaticModel(folder, {
    vectors: { car: [1, 0, 0, -1], automobile: [1, 0, 0, -1], wage: [-1, 1, 0, 0], salary: [-1, 1, 0, 0] },
  })
  app = await buildTestApp({ env: { ATRIUM_EMBEDDINGS: folder } })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the server’s model', () => {
  test('embeds for organizations that chose none, without cost', async () => {
    const { client, org, person } = await app.newUser()
    const { id: projectId } = await app.project(person)
    await app.app.startWorker()
    await client.memory.create({ projectId, key: 'fleet', content: 'Our car is blue.' })
    await client.memory.create({ projectId, key: 'pay', content: 'Our salary is high.' })
    await vi.waitFor(
      async () =>
        expect(await client.embeddings.get()).toMatchObject({
          ...{
            source: 'server',
            state: 'ready',
            model: expect.stringMatching(/^static\/words-\w+@[0-9a-f]{8}$/),
          },
          progress: { passages: 2, embedded: 2 },
        }),
      { timeout: 20_000, interval: 100 },
    )
    const { items } = await client.passages.search({ q: 'Whose automobile?', explain: 'true' })
    expect(items[0]).toMatchObject({
      source: { name: 'fleet' },
      fusion: { words: null, meaning: { rank: 1 } },
    })
    expect(await app.sql`select from usage where org_id = ${org.id}`).toHaveLength(0)
  })
})
