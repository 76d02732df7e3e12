import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoredFile, recordOf } from '../../../testing/clients/file-client.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let org: Organization
let owner: Person
let member: Person
type Browser = Awaited<ReturnType<TestApp['inBrowser']>>
let ownerBrowser: Browser
let memberBrowser: Browser

beforeAll(async () => {
  app = await buildTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner' })
  member = await app.person(org)
  ownerBrowser = await app.inBrowser(owner)
  memberBrowser = await app.inBrowser(member)
})
afterAll(() => app.close())

async function trashed(creator: Person, parentId = org.id) {
  const { id } = await createStoredFile(app, creator, { parentId })
  await ownerBrowser.files.remove({ id })
  return id
}
const purge = (by: Browser, id: string) => by.files.remove({ id, permanent: 'true' })
const folderOf = async (by: Browser, parentId?: string) =>
  recordOf(await by.files.create({ source: 'folder', name: 'Mine', parentId })).id
const refusal = { code: 'FORBIDDEN', details: { reason: 'not_creator' } }

describe('a member', () => {
  test('purges their own file, and not the file of another user', async () => {
    const [own, other] = [await trashed(member), await trashed(owner)]
    expect(await purge(memberBrowser, own)).toMatchObject({ permanent: true })
    await expect(purge(memberBrowser, other)).rejects.toMatchObject(refusal)
    expect(await memberBrowser.files.restore({ id: other })).toMatchObject({ id: other, deletedAt: null })
  })

  test('cannot purge the file of another user by moving it into an own folder', async () => {
    const outer = await folderOf(memberBrowser)
    const inner = await folderOf(memberBrowser, outer)
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

  test('purges any file of a project of their own', async () => {
    const own = await app.project(member)
    const foreign = await app.project(owner)
    await expect(purge(memberBrowser, await trashed(owner, foreign.folderId))).rejects.toMatchObject(refusal)
    expect(await purge(memberBrowser, await trashed(owner, own.folderId))).toMatchObject({ permanent: true })
  })
})

test('admins and owners purge files of every user', async () => {
  const admin = await app.inBrowser(await app.person(org, { role: 'admin' }))
  for (const by of [admin, ownerBrowser]) {
    expect(await purge(by, await trashed(member))).toMatchObject({ permanent: true })
  }
})
