import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GUEST_WRITES_PER_MINUTE } from '../../../../contract/quotas.ts'
import { createSharedProject, guestHeaders } from '../../../testing/factories/sharing.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.close())
// All guests open their links from one IP address.
beforeEach(async () => void (await app.sql`delete from rate_limits`))

async function createSharedNote() {
  const { project, browser, token } = await createSharedProject(app, { access: 'edit' })
  const headers = await guestHeaders(app, token)
  const note = await app.as(headers).canvas.create({ projectId: project.id, type: 'note' })
  const update = (content: string, ip = '203.0.113.7') =>
    app.request('PATCH', `/api/v1/projects/${project.id}/blocks/${note.id}`, {
      headers: { ...headers, 'x-forwarded-for': ip },
      body: { content },
    })
  return { project, browser, headers, update }
}

describe('guest changes', () => {
  test.each([
    ['guest-write-address', GUEST_WRITES_PER_MINUTE.address, 'your IP address'],
    ['guest-write-link', GUEST_WRITES_PER_MINUTE.link, 'this share link’s guests'],
  ])('are limited by %s, and the refusal says how long to wait', async (bucket, capacity, who) => {
    const { update, browser, project } = await createSharedNote()
    await app.sql`delete from rate_limits`
    await update('first')
    const [row] = await app.sql`select tokens from rate_limits where key like ${`${bucket}:%`}`
    expect(row!.tokens).toBe(capacity - 1)
    // A bucket that was emptied in the future refills only then.
    const later = new Date(app.clock.now().getTime() + 60_000)
    await app.sql`update rate_limits set tokens = 0, updated_at = ${later} where key like ${`${bucket}:%`}`
    const { status, headers, body } = await update('more')
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      expect.stringMatching(/^\d+$/),
    ])
    expect(body.error.message).toContain(`Too many changes by ${who}`)
    await browser.canvas.create({ projectId: project.id, type: 'note' })
  })

  test('are limited to 2 MB per minute and IP address', async () => {
    const { update } = await createSharedNote()
    await app.sql`delete from rate_limits`
    const content = 'x'.repeat(60_000)
    app.clock.freeze()
    for (let n = 0; n < 34; n++) expect((await update(content)).status).toBe(200)
    const { status, headers, body } = await update(content)
    expect([status, body.error.message]).toEqual([
      429,
      expect.stringContaining('Too many changes by your IP address'),
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await update(content, '198.51.100.1')).status).toBe(200)
    app.clock.advance(60)
    expect((await update(content)).status).toBe(200)
  })

  test('count an IPv6 network as one IP address', async () => {
    const { update } = await createSharedNote()
    await app.sql`delete from rate_limits`
    for (const ip of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1']) {
      expect((await update(ip, ip)).status).toBe(200)
    }
    const rows =
      await app.sql`select key from rate_limits where key like 'guest-write-address:%' order by key`
    expect(rows.map(({ key }) => key)).toEqual([
      'guest-write-address:2001:db8:1:2::/64',
      'guest-write-address:2001:db8:1:3::/64',
    ])
  })

  test('leave one history entry for rapid updates to one block, with a bounded size', async () => {
    const { update, project, browser } = await createSharedNote()
    // Updates are combined for ten seconds, which may be too short on a slow machine.
    app.clock.freeze()
    const content = 'x'.repeat(50_000)
    for (let n = 0; n < 40; n++) expect((await update(`${n} ${content}`)).status).toBe(200)
    const { items } = await browser.canvas.history({ projectId: project.id })
    expect(items.map(({ seq, action }) => [seq, action])).toEqual([
      [41, 'updated'],
      [1, 'created'],
    ])
    expect(items[0]!.before).toEqual({ content: null })
    expect(items[0]!.after).toEqual({ content: `39 ${content}` })
    const { items: quotas } = await browser.quotas.list()
    expect(quotas.find(({ name }) => name === 'history')!.used).toBeLessThan(60_000)
  })

  test("are refused when the organization's event quota is used up, while members' changes are accepted", async () => {
    const { update, project, browser } = await createSharedNote()
    const operator = await app.operator()
    const { events } = Object.fromEntries(
      (await browser.quotas.list()).items.map((quota) => [quota.name, quota]),
    )
    await operator.client.quotas.update({ id: project.org.id, events: events!.used })
    const { status, body } = await update('more')
    expect([status, body.error.details]).toEqual([
      403,
      { reason: 'quota_exceeded', quota: 'events', used: events!.used, allowed: events!.used },
    ])
    await browser.canvas.create({ projectId: project.id, type: 'note' })
  })
})

describe('a guest', () => {
  test('cannot open a table by showing it on the canvas', async () => {
    const { project, browser, headers } = await createSharedNote()
    const projectId = project.id
    const hidden = await browser.tables.create({ projectId, name: 'Salaries' })
    const visible = await browser.tables.create({ projectId, name: 'Tasks' })
    const metadata = { tableId: hidden.id }
    const shown = await browser.canvas.create({
      projectId,
      type: 'table',
      metadata: { tableId: visible.id },
    })
    const guest = app.as(headers)
    const note = await guest.canvas.create({ projectId, type: 'note', metadata })
    const attempts = [
      () => guest.canvas.create({ projectId, type: 'table', metadata }),
      () => guest.canvas.update({ projectId, blockId: shown.id, metadata }),
      () => guest.canvas.update({ projectId, blockId: note.id, type: 'table' }),
      () => guest.canvas.change({ projectId, create: { blocks: [{ type: 'table', metadata }] } }),
      () =>
        guest.canvas.change({ projectId, update: { blocks: [{ id: note.id, type: 'table', metadata }] } }),
    ]
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('must be a table that the canvas shows'),
      })
    const path = `/api/v1/tables/${hidden.id}/rows`
    expect((await app.request('GET', path, { headers })).status).toBe(404)
    await guest.canvas.create({ projectId, type: 'table', metadata: { tableId: visible.id } })
    await guest.canvas.update({ projectId, blockId: shown.id, x: 5, metadata: { tableId: visible.id } })
  })
})
