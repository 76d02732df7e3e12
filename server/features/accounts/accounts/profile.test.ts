import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { newId } from '../../../security/ids.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }

describe('PATCH /auth/profile', () => {
  test('updates the name and the default project visibility independently', async () => {
    const person = await app.person(await app.organization(), { name: 'Ada' })
    const client = await app.withSession(person)
    const { email, id } = person
    expect(await client.security.updateProfile({ defaultProjectVisibility: 'private' })).toEqual({
      id,
      name: 'Ada',
      email,
      language: null,
      settings: { defaultProjectVisibility: 'private' },
    })
    await client.security.updateProfile({ name: '  Ada Lovelace ' })
    expect((await client.accounts.session()).user).toMatchObject({
      name: 'Ada Lovelace',
      settings: { defaultProjectVisibility: 'private' },
    })
  })

  test("changes the language of emails, and null takes the browser's", async () => {
    const session = cookie(await app.session(await app.person(await app.organization())))
    const update = async (body: object, headers = {}) => {
      const init = { headers: { ...session, ...headers }, body }
      return (await app.request('PATCH', '/api/v1/auth/profile', init)).body
    }
    expect(await update({ language: 'de' })).toMatchObject({ language: 'de' })
    expect(await update({ name: 'Ada' })).toMatchObject({ language: 'de' })
    expect((await app.as(session).accounts.session()).user.language).toBe('de')
    expect(await update({ language: null })).toMatchObject({ language: null })
    const browser = { 'accept-language': 'fr, de-CH;q=0.8, en;q=0.5' }
    expect(await update({ language: null }, browser)).toMatchObject({ language: 'de' })
    expect(await update({ language: 'fr' })).toMatchObject({ error: { code: 'BAD_REQUEST' } })
  })

  test('refuses an empty or unknown change with BAD_REQUEST', async () => {
    const client = await app.withSession(await app.person(await app.organization()))
    for (const body of [{}, { operator: true }, { name: '' }]) {
      await expect(client.security.updateProfile(body)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })
})

describe('POST /auth/session/switch', () => {
  async function createWorkspace(org: Organization, name: string): Promise<string> {
    const id = newId()
    const now = app.clock.now()
    await app.sql`
      insert into workspaces (org_id, id, name, created_at, updated_at) values (${org.id}, ${id}, ${name}, ${now}, ${now})`
    return id
  }
  const addToWorkspace = (person: Person, org: Organization, workspaceId: string) => app.sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    values (${org.id}, ${workspaceId}, ${person.id}, 'editor', now())`

  /** A user whose active organization is the first of two; the second has two workspaces. */
  async function createUserOfTwoOrganizations(role: Role) {
    const person = await app.person(await app.organization())
    const second = await app.organization('Second')
    const lab = await createWorkspace(second, 'Lab')
    await app.join(person, second, role)
    return { person, second, lab, client: await app.withSession(person) }
  }

  test('activates another organization with its default workspace', async () => {
    const { client, second } = await createUserOfTwoOrganizations('admin')
    const target = { organizationId: second.id, workspaceId: second.workspaceId }
    expect(await client.security.switch({ organizationId: second.id })).toEqual(target)
    expect(await client.accounts.session()).toMatchObject({
      organization: { id: second.id },
      workspace: { id: second.workspaceId },
      role: 'admin',
      stepUp: { active: true },
    })
  })

  test.each(['owner', 'admin'] as const)('allows an %s to activate any workspace', async (role) => {
    const { client, second, lab } = await createUserOfTwoOrganizations(role)
    await client.security.switch({ organizationId: second.id, workspaceId: lab })
    expect((await client.accounts.session()).workspace).toEqual({ id: lab, name: 'Lab' })
  })

  test('allows a member to activate only their own workspaces', async () => {
    const { person, client, second, lab } = await createUserOfTwoOrganizations('member')
    const toLab = { organizationId: second.id, workspaceId: lab }
    await expect(client.security.switch(toLab)).rejects.toMatchObject(NOT_FOUND)
    const switchToSecond = () => client.security.switch({ organizationId: second.id })
    expect(await switchToSecond()).toEqual({ ...toLab, workspaceId: second.workspaceId })
    await app.sql`delete from workspace_members where org_id = ${second.id} and user_id = ${person.id}`
    expect(await switchToSecond()).toEqual({ ...toLab, workspaceId: null })
    await addToWorkspace(person, second, lab)
    expect(await switchToSecond()).toEqual(toLab)
  })

  test("returns NOT_FOUND for others' organizations and workspaces, and changes nothing", async () => {
    const { person, client, second } = await createUserOfTwoOrganizations('owner')
    const foreignOrganization = await app.organization()
    for (const target of [
      { organizationId: foreignOrganization.id },
      { organizationId: foreignOrganization.id, workspaceId: foreignOrganization.workspaceId },
      { organizationId: second.id, workspaceId: foreignOrganization.workspaceId },
      { organizationId: newId() },
    ]) {
      await expect(client.security.switch(target)).rejects.toMatchObject(NOT_FOUND)
    }
    expect((await client.accounts.session()).organization.id).toBe(person.orgId)
  })

  test('returns NOT_FOUND for a deleted workspace', async () => {
    const { client, second, lab } = await createUserOfTwoOrganizations('owner')
    await app.sql`update workspaces set deleted_at = now() where id = ${lab}`
    await expect(
      client.security.switch({ organizationId: second.id, workspaceId: lab }),
    ).rejects.toMatchObject(NOT_FOUND)
  })
})
