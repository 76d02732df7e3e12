import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutsider, randomEmail, statusesOf } from '../../testing/factories/invitations.ts'
import {
  acceptProjectInvite as accept,
  createProjectInvite,
  roleIn,
} from '../../testing/factories/project-invites.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../testing/test-app.ts'

const PASSWORD = 'correct horse battery'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})
afterAll(() => app.close())

const newcomer = (email = randomEmail()) => ({ name: 'Nell', email, password: PASSWORD })
const userOf = async (email: string) => {
  const [row] = await app.sql`select id, email_verified_at as verified from users where email = ${email}`
  return row as { id: string; verified: string | null } | undefined
}

describe('joining by an invite link, signed in', () => {
  test('makes one a member of the organization and of that workspace alone, and moves there', async () => {
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
    // The oldest workspace, where others begin, was not what they were invited to.
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
  ] as const)('a %s invited as %s is then %s', async (before, invited, after) => {
    const { project, token } = await createProjectInvite(app, { role: invited })
    const person = await app.person(project.org)
    await app.sql`update workspace_members set role = ${before} where user_id = ${person.id}`
    const session = cookie(await app.session(person))
    expect((await accept(app, { token }, session)).status).toBe(201)
    expect(await roleIn(app, project.org.workspaceId, person.id)).toBe(after)
  })

  test('keeps an owner an owner', async () => {
    const { project, token } = await createProjectInvite(app)
    const session = cookie(await app.session(project.creator))
    const { body } = await accept(app, { token }, session)
    expect(body.session.role).toBe('owner')
  })

  test('again uses nothing up', async () => {
    const { invite, token } = await createProjectInvite(app, { role: 'editor', maxUses: 2 })
    const session = cookie(await app.session(await createOutsider(app)))
    for (let times = 0; times < 4; times++) expect((await accept(app, { token }, session)).status).toBe(201)
    const [row] = await app.sql`select uses from project_invites where id = ${invite.id}`
    expect(row!.uses).toBe(1)
  })

  test('is refused to a key, which could turn itself into a session', async () => {
    const { token } = await createProjectInvite(app)
    const { status, body } = await accept(app, { token }, bearer(await app.key(await createOutsider(app))))
    expect([status, body.error.details.reason]).toEqual([403, 'browser_session_required'])
  })

  test('is refused to somebody else than the one it is for', async () => {
    const invited = await createOutsider(app)
    const { token } = await createProjectInvite(app, { role: 'editor', email: invited.email })
    const other = cookie(await app.session(await createOutsider(app)))
    const refused = await accept(app, { token }, other)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining(invited.email),
    ])
    expect((await accept(app, { token }, cookie(await app.session(invited)))).status).toBe(201)
    // It worked, once; a copy of the mail is worth nothing any more.
    expect((await accept(app, { token }, other)).status).toBe(404)
  })
})

describe('joining by an invite link, as a newcomer', () => {
  test('makes an account, whose address is still to be confirmed', async () => {
    const { project, token } = await createProjectInvite(app)
    const person = newcomer()
    const answer = await accept(app, { token, ...person })
    expect([answer.status, answer.body.projectId]).toEqual([201, project.id])
    expect(answer.body.session.user).toMatchObject({
      name: 'Nell',
      email: person.email,
      emailVerified: false,
    })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=\S+; .*HttpOnly/)
    const user = (await userOf(person.email))!
    expect(await roleIn(app, project.org.workspaceId, user.id)).toBe('editor')
  })

  test('with a mailed link confirms the address, and is for that address only', async () => {
    const email = randomEmail()
    const { token } = await createProjectInvite(app, { role: 'viewer', email })
    const other = await accept(app, { token, ...newcomer() })
    expect([other.status, other.body.error.details[0].path]).toEqual([400, 'body.email'])
    const { status } = await accept(app, { token, name: 'Nell', password: PASSWORD })
    expect([status, (await userOf(email))!.verified]).toEqual([201, expect.any(String)])
  })

  test('with the address of an account is CONFLICT: sign in first', async () => {
    const { project, token } = await createProjectInvite(app)
    const { id, email } = await createOutsider(app, { password: PASSWORD })
    const { status, body } = await accept(app, { token, ...newcomer(email.toUpperCase()) })
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('sign in first')])
    expect(await roleIn(app, project.org.workspaceId, id)).toBeUndefined()
  })

  test.each(['name', 'email', 'password'] as const)('needs a %s', async (field) => {
    const { token } = await createProjectInvite(app)
    const { status, body } = await accept(app, { token, ...newcomer(), [field]: undefined })
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`])
  })

  test('twenty at once by a link for three: three join, and the others have no account either', async () => {
    const { project, token } = await createProjectInvite(app, { role: 'editor', maxUses: 3 })
    const people = Array.from({ length: 20 }, () => newcomer())
    const answers = await Promise.all(people.map((person) => accept(app, { token, ...person })))
    expect(statusesOf(answers)).toEqual([...Array(3).fill(201), ...Array(17).fill(404)])
    const users = await Promise.all(people.map(({ email }) => userOf(email)))
    expect(users.filter((user) => user !== undefined)).toHaveLength(3)
    const [row] = await app.sql`select count(*) from memberships where org_id = ${project.org.id}`
    expect(row!.count).toBe(4)
  })

  test('the same address twice at once makes one account', async () => {
    const { token } = await createProjectInvite(app)
    const person = newcomer()
    const answers = await Promise.all([1, 2, 3].map(() => accept(app, { token, ...person })))
    expect(statusesOf(answers)).toEqual([201, 409, 409])
  })

  test('guessing at links is limited to thirty a minute', async () => {
    const answers = []
    for (let tries = 0; tries < 31; tries++) answers.push(await accept(app, { token: `guess-${tries}` }))
    expect(answers[29]!.status).toBe(404)
    expect(answers[30]!.status).toBe(429)
  })

  test('is written down with who invited', async () => {
    const { project, token } = await createProjectInvite(app)
    const person = newcomer()
    await accept(app, { token, ...person })
    const { id } = (await userOf(person.email))!
    const acts = await app.sql`select action, details from audit where user_id = ${id} order by id`
    expect(acts.map(({ action }) => action)).toEqual(['member.joined', 'sign-in'])
    expect(acts[0]!.details).toEqual({ role: 'member', invitedBy: project.creator.id })
  })
})
