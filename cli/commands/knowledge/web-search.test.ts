import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'web-search')
})
afterAll(async () => {
  await me.home.remove()
})

test('atrium web-search shows the provider, and names the page that sets it', async () => {
  expect(await me.run(['show'])).toMatchObject({
    stdout: expect.stringMatching(/^PROVIDER +SOURCE +SEARCHES\/RUN +PAGES\/RUN\n– +– +50 +100\n/),
    stderr: expect.stringContaining('Settings → Web search'),
  })
  expect(JSON.parse((await me.run(['show', '--json'])).stdout)).toMatchObject({ provider: null })
  expect(await me.run(['set'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('/settings/organization/web-search'),
  })
  // Only admins can.
  expect((await me.run(['test'])).code).toBe(4)
})
