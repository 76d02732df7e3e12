import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD } from '../../../testing/factories/factories.ts'
import { createOutsider, randomEmail } from '../../../testing/factories/invitations.ts'
import {
  acceptProjectInvite as accept,
  createProjectInvite,
  readProjectInvite,
  roleIn,
} from '../../../testing/factories/project-invites.ts'
import { linkTo, mailsTo } from '../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true, env: { ATRIUM_PUBLIC_URL: 'http://atrium.example' } })
  await app.app.startWorker()
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => app.close())

const requestToJoin = (token: string, email: string) =>
  app.request('POST', '/api/v1/auth/project-invite/request', { body: { token, name: 'Nell', email } })
const confirm = (token: string) =>
  app.request('POST', '/api/v1/auth/project-invite/confirm', { body: { token, password: PASSWORD } })

test('a reusable invite link creates an account only after the email address is confirmed', async () => {
  const { project, token } = await createProjectInvite(app)
  expect((await readProjectInvite(app, token)).body.confirmsEmail).toBe(true)
  const email = randomEmail()
  const refused = await accept(app, { token, name: 'Nell', email, password: PASSWORD })
  expect([refused.status, refused.body.error.details.reason]).toEqual([403, 'email_confirmation_required'])

  expect((await requestToJoin(token, email)).body).toEqual({ sent: true })
  expect(await app.sql`select from users where email = ${email}`).toEqual([])
  const link = await linkTo(app, email)
  expect(link.url).toBe(`http://atrium.example/join/confirm#${link.token}`)
  const { status, body } = await confirm(link.token)
  expect([status, body.projectId]).toEqual([201, project.id])
  expect(body.session).toMatchObject({
    user: { name: 'Nell', email, emailVerified: true },
    organizations: [{ id: project.org.id }],
  })
  expect(await roleIn(app, project.org.workspaceId, body.session.user.id)).toBe('editor')
  expect((await confirm(link.token)).status).toBe(401)
})

test('a join request gets the same response for every address, and only its owner sees the difference', async () => {
  const { project, token } = await createProjectInvite(app)
  const known = await createOutsider(app, { password: PASSWORD })
  const answers = [await requestToJoin(token, known.email), await requestToJoin(token, randomEmail())]
  const [first, second] = answers.map(({ status, body, headers }) => ({
    status,
    body,
    keys: [...headers.keys()],
  }))
  expect(first).toEqual(second)
  const [mail] = await mailsTo(app, known.email)
  expect(mail!.text).toContain('You already have an Atrium account')
  expect(mail!.text).not.toContain('#')
  expect(await roleIn(app, project.org.workspaceId, known.id)).toBeUndefined()
})

test('a join request is refused after its invite link is revoked', async () => {
  const { project, browser, invite, token } = await createProjectInvite(app)
  const email = randomEmail()
  await requestToJoin(token, email)
  const link = await linkTo(app, email)
  await browser.sharing.revokeInvite({ projectId: project.id, inviteId: invite.id })
  expect((await confirm(link.token)).status).toBe(404)
  expect((await requestToJoin(token, email)).status).toBe(404)
})

test('a recipient gets at most five confirmations in ten minutes', async () => {
  const { token } = await createProjectInvite(app)
  const email = randomEmail()
  for (let n = 0; n < 7; n++) await requestToJoin(token, email)
  expect(await mailsTo(app, email)).toHaveLength(5)
})
