import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../../testing/clients/file-client.ts'
import { upload, uploadVersion } from '../../../../testing/factories/uploads.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { applyRetention } from './retention.ts'

const DAY_S = 86_400

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** A member with a file client, and an admin of the same organization. */
async function setup() {
  const client = await createFileClient(app)
  const { orgId } = client.person
  const [row] = await app.sql<{ id: string }[]>`select id from workspaces where org_id = ${orgId}`
  const org = { id: orgId, name: '', workspaceId: row!.id }
  const person = await app.person(org, { role: 'admin' })
  /** Sessions expire when the clock advances. */
  const signIn = async () => ({
    admin: await app.withSession(person),
    member: await app.withSession(client.person),
  })
  return { client, org, signIn, ...(await signIn()) }
}

const uploadText = async (client: FileClient, content: string, parentId?: string) =>
  (
    await upload(app, client.headers, content, {
      name: `${content}.txt`,
      type: 'text/plain',
      fields: parentId ? { parentId } : {},
    })
  ).body.data.id as string

async function countObjects(orgId: string): Promise<number> {
  const [row] = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from objects where org_id = ${orgId}`
  return row!.count
}

describe('emptying the trash', () => {
  test('says beforehand how much it deletes, deletes exactly that, and leaves files the member may not delete', async () => {
    const { client, admin, member, org } = await setup()
    const folder = await client.folder('Old')
    const inside = await uploadText(client, 'inside', folder.id)
    await uploadVersion(app, client.headers, inside, 'inside, longer', { type: 'text/plain' })
    const single = await uploadText(client, 'single')
    const shortcut = await client.link(single, folder.id)
    await uploadText(client, 'kept')
    const created = await admin.fileTexts.write({ name: 'theirs.txt', text: 'theirs' })
    for (const id of [folder.id, single, created.id]) await client.files.remove({ id })

    expect(shortcut.source).toBe('link')
    const bytes = 'inside'.length + 'inside, longer'.length + 'single'.length
    const before = await member.fileTrash.summary()
    expect(before).toMatchObject({ entries: 2, files: 3, bytes, others: 1, trashDays: null })
    expect(await admin.fileTrash.summary()).toMatchObject({
      entries: 3,
      files: 4,
      bytes: bytes + 6,
      others: 0,
    })
    app.clock.advance(60)
    const late = await uploadText(client, 'late')
    await client.files.remove({ id: late })

    await expect(app.as(client.headers).fileTrash.empty({ before: before.at })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await member.fileTrash.empty({ before: before.at })).toEqual({ deleted: 2, done: true })
    expect((await client.trash()).sort()).toEqual(['late.txt', 'theirs.txt'])
    expect(await client.names()).toEqual(['kept.txt'])
    expect(await countObjects(org.id)).toBe(3)
    expect(await member.fileTrash.empty({ before: before.at })).toEqual({ deleted: 0, done: true })
    const { items } = await admin.organization.audit({ action: 'file.purged' })
    expect(items.map(({ target }) => target).sort()).toEqual([folder.id, single].sort())
    const stranger = await setup()
    expect(await stranger.admin.fileTrash.summary()).toMatchObject({
      entries: 0,
      files: 0,
      bytes: 0,
      others: 0,
    })
  })
})

describe("an organization's retention", () => {
  test('counts the files it would delete, deletes exactly those, and none in other organizations', async () => {
    const { client, org, signIn } = await setup()
    const other = await setup()
    const file = await uploadText(client, 'first')
    await uploadVersion(app, client.headers, file, 'second', { type: 'text/plain' })
    const folder = await client.folder('Old')
    await uploadText(client, 'in a folder', folder.id)
    await client.files.remove({ id: folder.id })
    await other.client.files.remove({ id: await uploadText(other.client, 'of others') })
    app.clock.advance(20 * DAY_S)
    const recent = await uploadText(client, 'recent')
    await client.files.remove({ id: recent })
    app.clock.advance(11 * DAY_S)

    const { admin, member } = await signIn()
    expect(await member.fileRetention.get()).toMatchObject({ trashDays: null, versionDays: 180 })
    expect(await admin.fileRetention.effect({})).toMatchObject({
      trash: { entries: 0 },
      versions: { entries: 0 },
    })
    const effect = await admin.fileRetention.effect({ trashDays: 30, versionDays: 30 })
    expect(effect).toEqual({
      trash: { entries: 1, files: 1, bytes: 'in a folder'.length },
      versions: { entries: 1, files: 1, bytes: 'first'.length },
    })
    await expect(member.fileRetention.update({ trashDays: 30 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(admin.fileRetention.update({ trashDays: 0 })).rejects.toMatchObject({
      details: [{ path: 'body.trashDays', message: 'must be at least 1' }],
    })
    await expect(admin.fileRetention.update({})).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await admin.fileRetention.update({ trashDays: 30 })
    expect(await admin.fileRetention.update({ versionDays: 30 })).toMatchObject({
      trashDays: 30,
      versionDays: 30,
    })

    await applyRetention(app.app.system())
    await applyRetention(app.app.system())
    expect(await client.trash()).toEqual(['recent.txt'])
    expect(await other.client.trash()).toEqual(['of others.txt'])
    const listed = await app.as(client.headers).fileVersions.list({ id: file })
    expect(listed.items).toMatchObject([{ version: 2, current: true }])
    expect(await countObjects(org.id)).toBe(2)
    const { items } = await admin.organization.audit({ action: 'file.purged' })
    expect(items).toMatchObject([{ target: folder.id, via: 'system' }])

    await admin.fileRetention.update({ trashDays: null, versionDays: null })
    app.clock.advance(400 * DAY_S)
    await applyRetention(app.app.system())
    expect(await client.trash()).toEqual(['recent.txt'])
  })

  test("leaves a deleted project's trash, which is restored or purged with the project", async () => {
    const { client, admin } = await setup()
    const project = await app.as(client.headers).projects.create({ name: 'Deleted' })
    const { id } = await app
      .as(client.headers)
      .fileTexts.write({ name: 'draft.txt', text: 'x', projectId: project.id })
    await client.files.remove({ id })
    await admin.fileRetention.update({ trashDays: 1 })
    const browser = await app.withSession(client.person)
    await browser.projects.remove({ id: project.id })
    app.clock.advance(2 * DAY_S)
    await applyRetention(app.app.system())
    await browser.projects.undelete({ id: project.id })
    expect(await client.trash()).toEqual(['draft.txt'])
    await applyRetention(app.app.system())
    expect(await client.trash()).toEqual([])
  })
})
