import { beforeAll, describe, expect, test } from 'vitest'
import { createdRecord, createStoredFile } from '../../../../testing/clients/file-client.ts'
import type { Organization, Person } from '../../../../testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let org: Organization
let owner: Person
let member: Person
type Browser = Awaited<ReturnType<TestApp['withSession']>>
let ownerBrowser: Browser
let memberBrowser: Browser

beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner' })
  member = await app.person(org)
  ownerBrowser = await app.withSession(owner)
  memberBrowser = await app.withSession(member)
})

async function createTrashed(creator: Person, parentId = org.id) {
  const { id } = await createStoredFile(app, creator, { parentId })
  await ownerBrowser.files.remove({ id })
  return id
}
const purge = (by: Browser, id: string) => by.files.remove({ id, permanent: 'true' })
const createFolder = async (by: Browser, parentId?: string) =>
  createdRecord(await by.files.create({ source: 'folder', name: 'Mine', parentId })).id
const refusal = { code: 'FORBIDDEN', details: { reason: 'not_creator' } }

/** Returns the permissions that the trash states for these files, and verifies that calls succeed accordingly. */
async function verifyPermissions(by: Browser, ids: string[]) {
  const { items } = await by.files.list({ trashed: 'true' })
  for (const id of ids) {
    const { canPurge, canRestore } = items.find((item) => item.id === id)!
    if (!canPurge) await expect(purge(by, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    if (!canRestore) await expect(by.files.restore({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    if (canPurge) expect(await purge(by, id)).toMatchObject({ permanent: true })
    else if (canRestore) expect(await by.files.restore({ id })).toMatchObject({ id })
  }
  return ids
    .map((id) => items.find((item) => item.id === id)!)
    .map((item) => [item.canRestore, item.canPurge])
}

describe('the trash', () => {
  test('says for each file whether the caller can restore and purge it', async () => {
    const [outer, inner] = [await createFolder(memberBrowser), await createFolder(memberBrowser)]
    await createStoredFile(app, owner, { parentId: outer })
    await createStoredFile(app, member, { parentId: inner })
    for (const id of [outer, inner]) await memberBrowser.files.remove({ id })
    const own = await app.project(member)
    const foreign = await app.project(owner)
    const ids = [
      await createTrashed(member),
      await createTrashed(owner),
      await createTrashed(owner, own.folderId),
      await createTrashed(owner, foreign.folderId),
      outer,
      inner,
    ]
    const [BOTH, RESTORE_ONLY] = [
      [true, true],
      [true, false],
    ]
    expect(await verifyPermissions(memberBrowser, ids)).toEqual([
      BOTH,
      RESTORE_ONLY,
      BOTH,
      RESTORE_ONLY,
      RESTORE_ONLY,
      BOTH,
    ])
  })

  test('offers a workspace viewer nothing, and an admin everything', async () => {
    const viewer = await app.person(org)
    await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    const project = await app.project(owner)
    const ids = [
      await createTrashed(owner),
      await createTrashed(viewer),
      await createTrashed(owner, project.folderId),
    ]
    expect(await verifyPermissions(await app.withSession(viewer), ids)).toEqual(Array(3).fill([false, false]))
    expect(await verifyPermissions(ownerBrowser, ids)).toEqual(Array(3).fill([true, true]))
  })

  test('is the only list with canRestore and canPurge', async () => {
    await createStoredFile(app, member)
    const { items } = await memberBrowser.files.list({ search: 'notes' })
    expect(items[0]).toBeDefined()
    expect(items.some((item) => 'canPurge' in item || 'canRestore' in item)).toBe(false)
  })
})

describe('a member', () => {
  test("purges their own file, but not another user's", async () => {
    const [own, other] = [await createTrashed(member), await createTrashed(owner)]
    expect(await purge(memberBrowser, own)).toMatchObject({ permanent: true })
    await expect(purge(memberBrowser, other)).rejects.toMatchObject(refusal)
    expect(await memberBrowser.files.restore({ id: other })).toMatchObject({ id: other, deletedAt: null })
  })

  test("can't purge another user's file by moving it into their own folder", async () => {
    const outer = await createFolder(memberBrowser)
    const inner = await createFolder(memberBrowser, outer)
    const { id } = await createStoredFile(app, owner, { parentId: org.id })
    await memberBrowser.files.update({ id, parentId: inner })
    await memberBrowser.files.remove({ id: outer })
    await expect(purge(memberBrowser, outer)).rejects.toMatchObject(refusal)
    await ownerBrowser.files.restore({ id: outer })
    expect(await ownerBrowser.files.get({ id })).toMatchObject({ parentId: inner, deletedAt: null })
    await ownerBrowser.files.update({ id, parentId: null })
    await memberBrowser.files.remove({ id: outer })
    expect(await purge(memberBrowser, outer)).toMatchObject({ permanent: true })
  })

  test('purges any file in their own project', async () => {
    const own = await app.project(member)
    const foreign = await app.project(owner)
    await expect(purge(memberBrowser, await createTrashed(owner, foreign.folderId))).rejects.toMatchObject(
      refusal,
    )
    expect(await purge(memberBrowser, await createTrashed(owner, own.folderId))).toMatchObject({
      permanent: true,
    })
  })
})

test("admins and owners purge every user's files", async () => {
  const admin = await app.withSession(await app.person(org, { role: 'admin' }))
  for (const by of [admin, ownerBrowser]) {
    expect(await purge(by, await createTrashed(member))).toMatchObject({ permanent: true })
  }
})
