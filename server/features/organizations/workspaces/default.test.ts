import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { PASSWORD, type Person } from '../../../testing/factories/factories.ts'
import { waitForBlockedBackends } from '../../../testing/locks.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: 'Workspace not found' }

/** A member who belongs to General and Laboratory, and not to Attic. */
async function createLaboratory() {
  const org = await app.organization()
  const asAdmin = (await app.withSession(await app.person(org, { role: 'admin' }))).workspaces
  const member = await app.person(org, { password: PASSWORD })
  const { id } = await asAdmin.create({ name: 'Laboratory' })
  const attic = await asAdmin.create({ name: 'Attic' })
  await asAdmin.addMember({ id, userId: member.id })
  return { org, id, attic, member, asAdmin, client: await app.withSession(member) }
}

async function defaultOf(person: Person) {
  const { items } = await (await app.withSession(person)).workspaces.list()
  return items.filter(({ isDefault }) => isDefault).map(({ id }) => id)
}

describe('PATCH /workspaces/default', () => {
  test('applies to new sign-ins and keys, not to open sessions', async () => {
    const { org, id, member, client } = await createLaboratory()
    const key = await app.key(member)
    await client.security.switch({ organizationId: org.id, workspaceId: org.workspaceId })
    expect(await client.workspaces.chooseDefault({ workspaceId: id })).toMatchObject({ id, isDefault: true })
    expect(await defaultOf(member)).toEqual([id])
    expect((await client.accounts.session()).workspace?.id).toBe(org.workspaceId)
    const body = { email: member.email, password: PASSWORD }
    const signedIn = await app.request('POST', '/api/v1/auth/sign-in/email', { body })
    expect(signedIn.body.workspace).toEqual({ id, name: 'Laboratory' })
    const me = await app.request('GET', '/api/v1/me', { headers: bearer(key) })
    expect(me.body.workspace.id).toBe(id)
  })

  test('is idempotent', async () => {
    const { id, member, client } = await createLaboratory()
    for (const _ of [1, 2]) await client.workspaces.chooseDefault({ workspaceId: id })
    expect(await defaultOf(member)).toEqual([id])
  })

  test("does not affect other members or the user's other organizations", async () => {
    const { org, id, member, client } = await createLaboratory()
    const colleague = await app.person(org)
    const otherOrg = await app.organization()
    await app.join(member, otherOrg)
    await client.workspaces.chooseDefault({ workspaceId: id })
    expect(await defaultOf(colleague)).toEqual([org.workspaceId])
    expect(await defaultOf({ ...member, orgId: otherOrg.id })).toEqual([otherOrg.workspaceId])
  })

  test('returns NOT_FOUND for foreign, invisible, deleted and unknown workspaces and changes nothing', async () => {
    const { org, id, attic, member, asAdmin, client } = await createLaboratory()
    const otherOrg = await app.organization()
    await app.join(member, otherOrg)
    const outsider = await app.organization()
    await asAdmin.remove({ id })
    for (const workspaceId of [otherOrg.workspaceId, outsider.workspaceId, attic.id, id, newId()]) {
      await expect(client.workspaces.chooseDefault({ workspaceId })).rejects.toMatchObject(NOT_FOUND)
    }
    expect(await defaultOf(member)).toEqual([org.workspaceId])
  })

  test.each([
    [{}, 'body.workspaceId'],
    [{ workspaceId: 'default' }, 'body.workspaceId'],
    [{ workspaceId: newId(), name: 'X' }, 'body.name'],
  ])('refuses %j and names the field', async (body, path) => {
    const { member } = await createLaboratory()
    const headers = cookie(await app.session(member))
    const answer = await app.request('PATCH', '/api/v1/workspaces/default', { headers, body })
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path])
  })

  test("refuses API keys, because the default applies to all the user's keys", async () => {
    const { id, member } = await createLaboratory()
    const body = { workspaceId: id }
    const headers = bearer(await app.key(member, ['terminal']))
    const answer = await app.request('PATCH', '/api/v1/workspaces/default', { headers, body })
    expect([answer.status, answer.body.error.details]).toEqual([403, { reason: 'browser_session_required' }])
  })

  test('has no effect when the member is removed from the workspace concurrently', async () => {
    const { org, id, member, client } = await createLaboratory()
    const removal = await app.sql.reserve()
    await removal`begin`
    await removal`select from organizations where id = ${org.id} for no key update`
    const choosing = client.workspaces.chooseDefault({ workspaceId: id }).catch((error) => error)
    await waitForBlockedBackends(app.sql)
    await removal`delete from workspace_members where org_id = ${org.id} and user_id = ${member.id}
      and workspace_id = ${id}`
    await removal`commit`
    removal.release()
    expect(await choosing).toMatchObject(NOT_FOUND)
    expect(await defaultOf(member)).toEqual([org.workspaceId])
  })
})
