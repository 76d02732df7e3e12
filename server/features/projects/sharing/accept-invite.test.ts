import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutsider, randomEmail, sortedStatuses } from '../../../testing/factories/invitations.ts'
import {
  acceptProjectInvite as accept,
  createProjectInvite,
  roleIn,
} from '../../../testing/factories/project-invites.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

const PASSWORD = 'correct horse battery'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})

const newUser = (email = randomEmail()) => ({ name: 'Nell', email, password: PASSWORD })
const userOf = async (email: string) => {
  const [row] = await app.sql`select id, email_verified_at as verified from users where email = ${email}`
  return row as { id: string; verified: string | null } | undefined
}

describe('accepting an invite with a session', () => {
  test("adds the user to the organization and only the project's workspace, and switches the session to it", async () => {
    const { project, token } = await createProjectInvite(app, { role: 'viewer' })
    const second = await app.workspace(project.org)
    await app.sql`update projects set workspace_id = ${second} where id = ${project.id}`
    await app.sql`update project_workspaces set workspace_id = ${second} where project_id = ${project.id}`
    const person = await createOutsider(app)
    const session = cookie(await app.session(person))
    const { status, body } = await accept(app, { token }, session)
    expect([status, body.projectId]).toEqual([201, project.id])
    expect(body.session).toMatchObject({
      organization: { id: project.org.id },
      workspace: { id: second },
      role: 'member',
    })
    expect(await roleIn(app, second, person.id)).toBe('viewer')
    // Other new members join the oldest workspace; this invite is for another one.
    expect(await roleIn(app, project.org.workspaceId, person.id)).toBeUndefined()
    const canvas = `/api/v1/projects/${project.id}/blocks`
    expect((await app.request('GET', canvas, { headers: session })).status).toBe(200)
    const write = await app.request('POST', canvas, { headers: session, body: { type: 'note' } })
    expect(write.body.error.details.reason).toBe('view_only')
  })

  test.each([
    ['viewer', 'editor', 'editor'],
    ['editor', 'viewer', 'editor'],
    ['admin', 'editor', 'admin'],
  ] as const)('gives a workspace %s who is invited as %s the role %s', async (before, invited, after) => {
    const { project, token } = await createProjectInvite(app, { role: invited })
    const person = await app.person(project.org)
    await app.sql`update workspace_members set role = ${before} where user_id = ${person.id}`
    const session = cookie(await app.session(person))
    expect((await accept(app, { token }, session)).status).toBe(201)
    expect(await roleIn(app, project.org.workspaceId, person.id)).toBe(after)
  })

  test("does not lower an owner's role", async () => {
    const { project, token } = await createProjectInvite(app)
    const session = cookie(await app.session(project.creator))
    const { body } = await accept(app, { token }, session)
    expect(body.session.role).toBe('owner')
  })

  test('does not count as another use when repeated', async () => {
    const { invite, token } = await createProjectInvite(app, { role: 'editor', maxUses: 2 })
    const session = cookie(await app.session(await createOutsider(app)))
    for (let times = 0; times < 4; times++) expect((await accept(app, { token }, session)).status).toBe(201)
    const [row] = await app.sql`select uses from project_invites where id = ${invite.id}`
    expect(row!.uses).toBe(1)
  })

  test('is FORBIDDEN with an API key, which would otherwise obtain a session', async () => {
    const { token } = await createProjectInvite(app)
    const { status, body } = await accept(app, { token }, bearer(await app.key(await createOutsider(app))))
    expect([status, body.error.details.reason]).toEqual([403, 'browser_session_required'])
  })

  test("is CONFLICT if the user's email address is not the invited one", async () => {
    const invited = await createOutsider(app)
    const { token } = await createProjectInvite(app, { role: 'editor', email: invited.email })
    const other = cookie(await app.session(await createOutsider(app)))
    const refused = await accept(app, { token }, other)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining(invited.email),
    ])
    expect((await accept(app, { token }, cookie(await app.session(invited)))).status).toBe(201)
    // An emailed invite is valid for one use, so that a copy of the mail is worthless afterwards.
    expect((await accept(app, { token }, other)).status).toBe(404)
  })
})

describe('accepting an invite without a session', () => {
  test('creates an account with an unverified email address', async () => {
    const { project, token } = await createProjectInvite(app)
    const person = newUser()
    const response = await accept(app, { token, ...person })
    expect([response.status, response.body.projectId]).toEqual([201, project.id])
    expect(response.body.session.user).toMatchObject({
      name: 'Nell',
      email: person.email,
      emailVerified: false,
    })
    expect(response.headers.get('set-cookie')).toMatch(/^atrium_session=\S+; .*HttpOnly/)
    const user = (await userOf(person.email))!
    expect(await roleIn(app, project.org.workspaceId, user.id)).toBe('editor')
  })

  test('is BAD_REQUEST with another address, and leaves the invited one unverified, as links can be copied', async () => {
    const email = randomEmail()
    const { invite, token } = await createProjectInvite(app, { role: 'viewer', email })
    expect(invite.url).toContain(`/join#${token}`)
    const other = await accept(app, { token, ...newUser() })
    expect([other.status, other.body.error.details[0].path]).toEqual([400, 'body.email'])
    const { status } = await accept(app, { token, name: 'Nell', password: PASSWORD })
    expect([status, (await userOf(email))!.verified]).toEqual([201, null])
  })

  test('joins with the account matching the email address and password', async () => {
    const { project, token } = await createProjectInvite(app)
    const { id, email } = await createOutsider(app, { password: PASSWORD })
    const { status, body } = await accept(app, { token, ...newUser(email.toUpperCase()) })
    expect([status, body.session.user.id]).toEqual([201, id])
    expect(await roleIn(app, project.org.workspaceId, id)).toBe('editor')
  })

  test('creates a separate account for a known address with another password, responding as for a new one', async () => {
    const { project, token } = await createProjectInvite(app)
    const known = await createOutsider(app, { password: 'another password' })
    const answers = [
      await accept(app, { token, ...newUser(known.email) }),
      await accept(app, { token, ...newUser() }),
    ]
    const [first, second] = answers.map(({ status, headers, body }) => ({
      status,
      headers: [...headers.keys()],
      user: { ...body.session.user, id: '', email: '' },
    }))
    expect(first).toEqual({ ...second, status: 201, user: expect.objectContaining({ emailVerified: false }) })
    expect(await roleIn(app, project.org.workspaceId, known.id)).toBeUndefined()
    const signIn = (password: string) => app.as({}).accounts.signIn({ email: known.email, password })
    expect((await signIn('another password')).user.id).toBe(known.id)
    expect((await signIn(PASSWORD)).user.id).toBe(answers[0]!.body.session.user.id)
  })

  test.each(['name', 'email', 'password'] as const)('is BAD_REQUEST without a %s', async (field) => {
    const { token } = await createProjectInvite(app)
    const { status, body } = await accept(app, { token, ...newUser(), [field]: undefined })
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`])
  })

  test('creates exactly three accounts for twenty concurrent requests if three uses are allowed', async () => {
    const { project, token } = await createProjectInvite(app, { role: 'editor', maxUses: 3 })
    const people = Array.from({ length: 20 }, () => newUser())
    const responses = await Promise.all(people.map((person) => accept(app, { token, ...person })))
    expect(sortedStatuses(responses)).toEqual([...Array(3).fill(201), ...Array(17).fill(404)])
    const users = await Promise.all(people.map(({ email }) => userOf(email)))
    expect(users.filter((user) => user !== undefined)).toHaveLength(3)
    const [row] = await app.sql`select count(*) from memberships where org_id = ${project.org.id}`
    expect(row!.count).toBe(4)
  })

  test('is RATE_LIMITED after thirty invalid tokens a minute', async () => {
    const guesses = Array.from({ length: 31 }, (_, n) => accept(app, { token: `guess-${n}` }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(30).fill(404), 429])
  })

  test('is recorded in the audit log with the inviting user', async () => {
    const { project, token } = await createProjectInvite(app)
    const person = newUser()
    await accept(app, { token, ...person })
    const { id } = (await userOf(person.email))!
    const entries = await app.sql`select action, details from audit where user_id = ${id} order by id`
    expect(entries.map(({ action }) => action)).toEqual(['member.joined', 'sign-in'])
    expect(entries[0]!.details).toEqual({ role: 'member', invitedBy: project.creator.id })
  })
})
