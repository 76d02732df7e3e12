import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOTIFICATION_LIMITS } from '../../../../contract/comments/notification-options.ts'
import { createSharedProject, guestHeaders } from '../../../testing/factories/sharing.ts'
import { mailsTo, waitForJobs } from '../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sendDigests } from './digest.ts'
import { notify } from './notify.ts'
import { deleteBeyond, deleteOld } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

async function team() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada', verified: true })
  const member = await app.person(org, { name: 'Bob', verified: true })
  const project = await app.project(owner)
  const ada = await app.withSession(owner)
  const block = await ada.canvas.create({ projectId: project.id, type: 'note', title: 'Plan' })
  return {
    ...{ org, owner, member, project, ada, block, target: `block:${block.id}` },
    bob: await app.withSession(member),
  }
}

describe('the inbox', () => {
  test('lists mentions and replies with current names, counts unread ones, and marks them as read', async () => {
    const { ada, bob, owner, member, target, project, block } = await team()
    const body = `- Please **read**, @[${member.id}]`
    const thread = await ada.comments.create({ target, body })
    await bob.comments.create({ target, parentId: thread.id, body: 'Done' })
    await app.sql`update users set name = 'Ada Lovelace' where id = ${owner.id}`
    const { items, unreadCount } = await bob.notifications.list({})
    expect(unreadCount).toBe(1)
    expect(items).toMatchObject([
      {
        ...{ kind: 'mention', title: 'Ada Lovelace mentioned you on “Plan”', excerpt: 'Please read, @Bob' },
        ...{ path: `/projects/${project.id}?block=${block.id}&comment=${thread.id}`, target, readAt: null },
      },
    ])
    expect((await ada.notifications.list({ kind: 'reply' })).items).toMatchObject([
      { kind: 'reply', title: 'Bob replied on “Plan”' },
    ])
    const ids = items.map(({ id }) => id)
    expect(await ada.notifications.read({ ids })).toEqual({ unreadCount: 1 })
    expect(await bob.notifications.read({ ids })).toEqual({ unreadCount: 0 })
    expect((await bob.notifications.list({ unread: 'true' })).items).toEqual([])
    expect(await bob.notifications.read({ ids, read: false })).toEqual({ unreadCount: 1 })
    expect(await bob.notifications.read({ all: true })).toEqual({ unreadCount: 0 })
    const [mail] = await mailsTo(app, member.email)
    expect(mail).toMatchObject({ subject: 'Ada mentioned you on “Plan”' })
    expect(mail!.text).toContain('- Please **read**, @Bob')
    expect(await mailsTo(app, owner.email)).toEqual([])
  })

  test('leaves out deleted records and those the member can no longer see', async () => {
    const { ada, bob, org, member, target, project, block } = await team()
    const { id } = await ada.comments.create({ target, body: `Hello @[${member.id}]` })
    const count = async () => (await bob.notifications.count()).unreadCount
    expect(await count()).toBe(1)
    await app.setWorkspaceRole(member, org.workspaceId, null)
    expect([await count(), (await bob.notifications.list({})).items]).toEqual([0, []])
    await app.setWorkspaceRole(member, org.workspaceId, 'viewer')
    expect(await count()).toBe(1)
    const { seq } = await ada.canvas.list({ projectId: project.id })
    await ada.canvas.remove({ projectId: project.id, blockId: block.id })
    expect(await count()).toBe(0)
    await ada.canvas.rewind({ projectId: project.id, seq: seq! })
    expect(await count()).toBe(1)
    await ada.comments.remove({ id })
    expect(await count()).toBe(0)
  })

  test("lists each notice once, for members with the required role who didn't turn it off", async () => {
    const { bob, org, owner, member, ada } = await team()
    await ada.notifications.updateSettings({ channels: { invitation: 'off' } })
    const people = [owner, member].map(({ id, email }) => ({ userId: id, email }))
    const stranger = await app.person(await app.organization())
    const everyone = [...people, { userId: stranger.id, email: stranger.email }]
    const notice = { key: 'k', path: '/usage' } as const
    const mail = () => ({ subject: 'Something happened', text: 'Something happened.' })
    const ctx = app.app.system()
    for (const _ of [1, 2]) await notify(ctx, org.id, everyone, { ...notice, kind: 'invitation' }, mail)
    await notify(ctx, org.id, everyone, { ...notice, key: 'b', kind: 'budget', role: 'admin' }, mail)
    const kindsOf = async (client: typeof bob) =>
      (await client.notifications.list({})).items.map(({ kind }) => kind)
    expect([await kindsOf(ada), await kindsOf(bob)]).toEqual([['budget'], ['invitation']])
    expect(await kindsOf(await app.withSession(stranger))).toEqual([])
  })

  test("notifies a thread's author about a guest reply, and leaves its text out of the mail", async () => {
    const { browser, project, token } = await createSharedProject(app, { access: 'comment' })
    await browser.notifications.updateSettings({ channels: { reply: 'mail' } })
    await app.sql`update users set email_verified_at = now() where id = ${project.creator.id}`
    const block = await browser.canvas.create({ projectId: project.id, type: 'note', title: 'Plan' })
    const target = `block:${block.id}`
    const { id: parentId } = await browser.comments.create({ target, body: 'Ideas?' })
    const guest = app.as(await guestHeaders(app, token))
    await guest.comments.create({ target, parentId, body: 'Click here', name: 'Grace' })
    const [item] = (await browser.notifications.list({})).items
    expect(item).toMatchObject({
      kind: 'reply',
      title: 'Grace (guest) replied on “Plan”',
      actor: { id: null },
    })
    const [mail] = await mailsTo(app, project.creator.email)
    expect([mail!.subject.includes('Grace'), mail!.text.includes('Click here')]).toEqual([true, false])
  })

  test('keeps notifications for ninety days, and at most a thousand per member', async () => {
    const { org, member, bob } = await team()
    await app.sql`
      insert into notifications (org_id, user_id, id, kind, key, title, path, created_at)
      select ${org.id}, ${member.id}, new_id(now()), 'budget', n::text, 'Old', '/usage',
        case when n <= 3 then now() - interval '91 days' else now() end from generate_series(1, 1010) n`
    await deleteOld(app.sql, app.clock.now(), 1000)
    await deleteBeyond(app.sql, new Date(app.clock.now().getTime() - 3_600_000))
    const [row] = await app.sql`select count(*)::int from notifications where user_id = ${member.id}`
    expect(row!.count).toBe(NOTIFICATION_LIMITS.perPerson)
    expect((await bob.notifications.count()).unreadCount).toBe(NOTIFICATION_LIMITS.counted)
  })
})

describe('the digest', () => {
  const digestsTo = async (email: string) =>
    (await mailsTo(app, email)).filter(({ text }) => text.includes('Open your inbox'))

  test('is one email in the local morning with unread, visible notifications, despite crashes and repeated jobs', async () => {
    const { ada, bob, member, target } = await team()
    const settings = await bob.notifications.updateSettings({
      channels: { mention: 'digest' },
      timeZone: 'Pacific/Auckland',
    })
    const hour = new Intl.DateTimeFormat('en', {
      timeZone: 'Pacific/Auckland',
      hour: 'numeric',
      hour12: false,
    })
    expect(hour.format(new Date(settings.nextDigestAt!))).toBe('08')
    const mention = (body: string) => ada.comments.create({ target, body: `${body} @[${member.id}]` })
    await mention('First')
    const { items } = await bob.notifications.list({})
    await bob.notifications.read({ ids: [items[0]!.id] })
    await mention('Second')
    const { id: deleted } = await mention('Third')
    await ada.comments.remove({ id: deleted })
    await sendDigests(app.app.system())
    expect(await digestsTo(member.email)).toEqual([])

    app.clock.advance((Date.parse(settings.nextDigestAt!) - app.clock.now().getTime()) / 1000 + 60)
    // A process that ends before its commit leaves the digest due.
    const crash = new Error('crash')
    const crashing = app.app.system()
    await expect(
      crashing.transaction(async (inside) => {
        await sendDigests({ ...inside, transaction: (work) => work(inside) as never })
        throw crash
      }),
    ).rejects.toThrow(crash)
    await Promise.all([sendDigests(app.app.system()), sendDigests(app.app.system())])
    const [mail, ...more] = await digestsTo(member.email)
    expect(more).toEqual([])
    expect(mail!.subject).toMatch(/^1 unread notification in/)
    expect(mail!.text.match(/mentioned you/g)).toHaveLength(1)
    app.clock.advance(86_400)
    await sendDigests(app.app.system())
    expect(await digestsTo(member.email)).toHaveLength(1)
  })

  test("is turned off only by a mail program's one-click request", async () => {
    const { ada, bob, member, target } = await team()
    const { nextDigestAt } = await bob.notifications.updateSettings({
      channels: { mention: 'digest', reply: 'digest', budget: 'off' },
    })
    await ada.comments.create({ target, body: `Hello @[${member.id}]` })
    app.clock.advance((Date.parse(nextDigestAt!) - app.clock.now().getTime()) / 1000 + 60)
    await sendDigests(app.app.system())
    const raw = await rawMailTo(member.email)
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    const url = new URL(
      /^List-Unsubscribe: <(.*)>$/m
        .exec(raw.replaceAll(/\n\s+/g, ' ').replaceAll('> ', '>\n'))?.[1]
        ?.replaceAll(' ', '') ?? '',
    )
    const path = url.pathname + url.search
    const channels = async () => (await bob.notifications.settings()).channels
    const opened = await fetch(app.url + path, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('/unsubscribe?token='),
    ])
    expect(await channels()).toMatchObject({ mention: 'digest', reply: 'digest' })
    const click = (to: string) =>
      fetch(app.url + to, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    expect((await click(path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(404)
    expect((await click(path)).status).toBe(200)
    expect(await (await click(path)).json()).toEqual({ unsubscribed: [] })
    expect(await channels()).toMatchObject({ mention: 'app', reply: 'app', budget: 'off' })
    expect((await bob.notifications.settings()).nextDigestAt).toBeNull()
  })

  async function rawMailTo(email: string): Promise<string> {
    await waitForJobs(app)
    const folder = join(app.dataFolder, 'outbox')
    const names = (await readdir(folder)).sort()
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
    return mails
      .map((mail) => mail.replaceAll('\r\n', '\n'))
      .find((mail) => mail.includes(`To: ${email}`) && mail.includes('List-Unsubscribe'))!
  }
})

test("neither mails nor digests are offered if mail isn't configured", async () => {
  const other = await buildTestApp()
  const { client, person } = await other.newUser()
  expect(await client.notifications.settings()).toMatchObject({
    mail: { available: false },
    nextDigestAt: null,
    channels: { mention: 'app', budget: 'app' },
  })
  await expect(
    client.notifications.updateSettings({ channels: { mention: 'digest' } }),
  ).rejects.toMatchObject({ details: [{ path: 'body.channels.mention' }] })
  expect(
    (await client.notifications.updateSettings({ channels: { mention: 'off' } })).channels,
  ).toMatchObject({
    mention: 'off',
  })
  await other.sql`
    update notification_settings set digest_due_at = now() - interval '1 day' where user_id = ${person.id}`
  await sendDigests(other.app.system())
  expect(await other.sql`select from notification_settings where digest_due_at < now()`).toHaveLength(1)
  await other.close()
})
