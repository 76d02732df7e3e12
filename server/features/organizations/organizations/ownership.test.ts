import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { concurrently, waitForBlockedBackends, whileLocked } from '../../../testing/locks.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function team(...roles: Role[]) {
  const org = await app.organization()
  const people: Person[] = []
  for (const role of roles) people.push(await app.person(org, { role }))
  const browsers = await Promise.all(
    people.map(async (person) => (await app.withSession(person)).organization),
  )
  return { org, people, browsers }
}

const rolesIn = async (org: Organization) =>
  (
    await app.sql<{ role: string }[]>`select role from memberships where org_id = ${org.id} order by user_id`
  ).map(({ role }) => role)

const CONFLICT = { status: 'rejected', reason: { code: 'CONFLICT' } }
const FULFILLED = { status: 'fulfilled' }
const byStatus = (left: { status: string }, right: { status: string }) =>
  left.status.localeCompare(right.status)

describe('POST /org/leave', () => {
  test("moves the member's sessions to another organization with their step-up state", async () => {
    const { org, people } = await team('owner', 'member')
    const [, person] = people
    const other = await app.organization('The other one')
    const inOtherOrg = await app.join(person!, other, 'admin')
    const [laptop, phone] = [cookie(await app.session(person!)), cookie(await app.session(person!))]

    const answer = await app.request('POST', '/api/v1/org/leave', { headers: laptop })
    expect([answer.body, answer.headers.get('set-cookie')]).toEqual([{ left: true }, null])
    for (const headers of [laptop, phone]) {
      expect(await app.as(headers).accounts.session()).toMatchObject({
        organization: { id: other.id, name: 'The other one' },
        workspace: { id: other.workspaceId },
        role: 'admin',
        organizations: [{ id: inOtherOrg.orgId }],
        stepUp: { active: true },
      })
    }
    expect(await rolesIn(org)).toEqual(['owner'])
    expect(await app.sql`select user_id, action, details from audit where org_id = ${org.id}`).toEqual([
      { user_id: person!.id, action: 'member.left', details: { role: 'member' } },
    ])
  })

  test('ends sessions and keys if the member has no other organization', async () => {
    const { people } = await team('owner', 'admin')
    const headers = cookie(await app.session(people[1]!))
    const key = await app.key(people[1]!)
    const answer = await app.request('POST', '/api/v1/org/leave', { headers })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=;/)
    expect((await app.request('GET', '/api/v1/auth/session', { headers })).status).toBe(401)
    expect(await app.sql`select from api_keys where id = ${key.id}`).toHaveLength(0)
  })

  test('refuses the last owner and allows one of two', async () => {
    const { org, browsers } = await team('owner', 'owner', 'member')
    await browsers[0]!.leave()
    await expect(browsers[1]!.leave()).rejects.toMatchObject({
      status: 409,
      message: 'The last owner cannot leave: make another member an owner first',
    })
    expect(await rolesIn(org)).toEqual(['owner', 'member'])
  })

  test('keeps one of two owners who leave concurrently', async () => {
    const { org, browsers } = await team('owner', 'owner')
    const results = await concurrently(
      app.sql,
      'organizations',
      browsers.map((browser) => () => browser.leave()),
    )
    expect(results.sort(byStatus)).toMatchObject([FULFILLED, CONFLICT])
    expect(await rolesIn(org)).toEqual(['owner'])
  })

  test('signs out a member who leaves both organizations concurrently', async () => {
    const { people } = await team('owner', 'member')
    const other = await app.organization()
    await app.person(other, { role: 'owner' })
    const inOtherOrg = await app.join(people[1]!, other)
    const browsers = [await app.withSession(people[1]!), await app.withSession(inOtherOrg)]
    const results = await concurrently(
      app.sql,
      'organizations',
      browsers.map((browser) => () => browser.organization.leave()),
    )
    expect(results).toMatchObject([FULFILLED, FULFILLED])
    expect(await app.sql`select from memberships where user_id = ${inOtherOrg.id}`).toHaveLength(0)
    expect(await app.sql`select from sessions where user_id = ${inOtherOrg.id}`).toHaveLength(0)
  })
})

describe('the last owner', () => {
  test('remains when two owners demote each other concurrently', async () => {
    const { org, people, browsers } = await team('owner', 'owner')
    const results = await concurrently(app.sql, 'organizations', [
      () => browsers[0]!.changeRole({ userId: people[1]!.id, role: 'member' }),
      () => browsers[1]!.changeRole({ userId: people[0]!.id, role: 'member' }),
    ])
    expect(results.sort(byStatus)).toMatchObject([
      FULFILLED,
      { status: 'rejected', reason: { code: 'FORBIDDEN', details: { reason: 'role_required' } } },
    ])
    expect((await rolesIn(org)).sort()).toEqual(['member', 'owner'])
  })

  test('remains when two owners remove each other concurrently', async () => {
    const { org, people, browsers } = await team('owner', 'owner')
    const results = await concurrently(app.sql, 'organizations', [
      () => browsers[0]!.removeMember({ userId: people[1]!.id }),
      () => browsers[1]!.removeMember({ userId: people[0]!.id }),
    ])
    expect(results.sort(byStatus)).toMatchObject([
      FULFILLED,
      { status: 'rejected', reason: { code: 'NOT_FOUND' } },
    ])
    expect(await rolesIn(org)).toEqual(['owner'])
  })

  test('remains when one owner is demoted while the other leaves', async () => {
    const { org, people, browsers } = await team('owner', 'owner')
    const results = await concurrently<unknown>(app.sql, 'organizations', [
      () => browsers[0]!.changeRole({ userId: people[0]!.id, role: 'admin' }),
      () => browsers[1]!.leave(),
    ])
    expect(results.sort(byStatus)).toMatchObject([FULFILLED, CONFLICT])
    expect(await rolesIn(org)).toContain('owner')
  })
})

test('an owner who is demoted during a request cannot complete it', async () => {
  const { org, people, browsers } = await team('owner', 'owner', 'member')
  const { pending } = await whileLocked(app.sql, 'organizations', async () => {
    const removal = browsers[1]!.removeMember({ userId: people[0]!.id }).catch((error: unknown) => error)
    await waitForBlockedBackends(app.sql)
    await app.sql`update memberships set role = 'admin' where user_id = ${people[1]!.id}`
    return { pending: removal }
  })
  expect(await pending).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'role_required' } })
  expect(await rolesIn(org)).toEqual(['owner', 'admin', 'member'])
})

describe('POST /org/transfer', () => {
  test('makes the target an owner and the caller an admin', async () => {
    const { org, people, browsers } = await team('owner', 'member')
    expect(await browsers[0]!.transfer({ userId: people[1]!.id })).toEqual({ ownerId: people[1]!.id })
    expect(await rolesIn(org)).toEqual(['admin', 'owner'])
    await expect(browsers[0]!.transfer({ userId: people[1]!.id })).rejects.toMatchObject({
      details: { reason: 'role_required', required: 'owner' },
    })
    const { id: target, name, email } = people[1]!
    expect(await app.sql`select action, target, details from audit where org_id = ${org.id}`).toEqual([
      { action: 'ownership.transferred', target, details: { name, email } },
    ])
  })

  test('allows owners only', async () => {
    const { people, browsers } = await team('owner', 'admin', 'member')
    for (const browser of browsers.slice(1)) {
      await expect(browser.transfer({ userId: people[1]!.id })).rejects.toMatchObject({
        details: { reason: 'role_required', required: 'owner' },
      })
    }
  })

  test('refuses the caller as target, ignoring id case', async () => {
    const { org, people, browsers } = await team('owner')
    for (const userId of [people[0]!.id, people[0]!.id.toUpperCase()]) {
      await expect(browsers[0]!.transfer({ userId })).rejects.toMatchObject({
        message: 'body.userId must be another member',
      })
    }
    expect(await rolesIn(org)).toEqual(['owner'])
  })

  test('returns NOT_FOUND for foreign and unknown users', async () => {
    const { org, browsers } = await team('owner')
    const outsider = (await team('member')).people[0]!
    for (const userId of [outsider.id, '01890000-0000-7000-8000-000000000000']) {
      await expect(browsers[0]!.transfer({ userId })).rejects.toMatchObject({
        status: 404,
        message: 'Member not found',
      })
    }
    expect(await rolesIn(org)).toEqual(['owner'])
  })

  test('makes one owner from two concurrent transfers', async () => {
    const { org, people, browsers } = await team('owner', 'member', 'member')
    const results = await concurrently(app.sql, 'organizations', [
      () => browsers[0]!.transfer({ userId: people[1]!.id }),
      () => browsers[0]!.transfer({ userId: people[2]!.id }),
    ])
    expect(results.sort(byStatus)).toMatchObject([
      FULFILLED,
      { status: 'rejected', reason: { code: 'FORBIDDEN' } },
    ])
    expect((await rolesIn(org)).sort()).toEqual(['admin', 'member', 'owner'])
  })
})
