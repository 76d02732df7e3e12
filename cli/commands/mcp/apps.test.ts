import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectApp } from '../../../server/testing/clients/oauth-app.ts'
import { shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await shareTestApp()
  me = await createCliUser(app, 'mcp')
})
afterAll(() => me.home.remove())

test("atrium mcp apps lists the user's connected apps, and revoke disconnects one by name", async () => {
  await connectApp(app, me.person, { access: 'write' })
  expect((await me.run(['apps'])).stdout).toMatch(
    /Test app +127\.0\.0\.1 +write +\d{4}-\d\d-\d\d +never +-\n$/,
  )
  expect(await me.run(['apps', 'revoke', 'Other'])).toMatchObject({ code: 1 })
  expect((await me.run(['apps', 'revoke', 'Test app'])).stderr).toBe('Disconnected Test app\n')
  expect(JSON.parse((await me.run(['apps', '--json'])).stdout)).toEqual({ items: [] })
})
