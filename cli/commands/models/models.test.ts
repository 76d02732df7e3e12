import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../../../server/testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
let server: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  const data = [{ id: 'sees', architecture: { input_modalities: ['text', 'image'] } }, { id: 'reads' }]
  server = await startReceiver((_, response) => response.end(JSON.stringify({ data })))
  app = await buildTestApp({ env: { ATRIUM_PROVIDER_ACME_URL: server.url } })
  me = await createCliUser(app, 'models')
})
afterAll(async () => {
  await me.home.remove()
  await app.close()
  await server.close()
})

test('atrium models ls shows which models accept images', async () => {
  const { code, stdout } = await me.run(['ls'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^MODEL +CONTEXT +IMAGES +INPUT\/1M/)
  expect(stdout).toMatch(/^acme\/sees +– +yes /m)
  expect(stdout).toMatch(/^acme\/reads +– +no /m)
})

test('atrium models price prints the page where admins set it', async () => {
  expect(await me.run(['price', 'acme/reads'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('/settings/organization/models?model=acme%2Freads'),
  })
})
