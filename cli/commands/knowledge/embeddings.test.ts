import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'embeddings')
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium embeddings shows the model, and names the page that sets it', async () => {
  expect(await me.run(['show'])).toMatchObject({
    stdout: expect.stringMatching(/^MODEL +STATE +SERVING +EMBEDDED\n– +off +– +–\n/),
  })
  expect(JSON.parse((await me.run(['show', '--json'])).stdout)).toMatchObject({ model: null, state: 'off' })
  expect(await me.run(['set'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('/settings/organization/models'),
  })
  // Only admins can.
  expect((await me.run(['test'])).code).toBe(4)
})
