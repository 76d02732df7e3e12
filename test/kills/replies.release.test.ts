import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../server/security/ids.ts'
import {
  buildEndpointApp,
  type EndpointApp,
  insertTenant,
  insertTestEndpoint,
} from '../../server/testing/clients/endpoint-app.ts'
import { listOpenBackends, listStoppedBackends } from './backends.ts'
import { createFleet } from './server-processes.ts'

const LOCK = 4444

let app: EndpointApp
let fleet: ReturnType<typeof createFleet>
beforeAll(async () => {
  app = await buildEndpointApp()
  const connection = app.connection as Exclude<EndpointApp['connection'], string>
  fleet = createFleet({ sql: app.sql, connection, folder: app.dataFolder, env: app.env })
})
afterAll(async () => {
  await fleet.close()
  await app.close()
})

/** Blocks the commit of a statement that changes a reply; the reply’s text says at which point. */
const STOPS = `
  create function stop_reply() returns trigger language plpgsql as $$
    begin
      if new.text = tg_argv[0] then perform pg_advisory_xact_lock_shared(${LOCK}); end if;
      return null;
    end $$;
  create constraint trigger reply_sending after update on connector_replies deferrable initially deferred
    for each row when (old.sending_part is null and new.sending_part is not null)
    execute function stop_reply('before the request');
  create constraint trigger reply_part_sent after update on connector_replies deferrable initially deferred
    for each row when (new.parts_sent > old.parts_sent) execute function stop_reply('after the response');`

const DURING_REQUEST = 'during the request'

/** Where the process is killed while it sends a reply, the later status of the reply, and how often it was received. */
const POINTS: [slug: string, point: string, status: string, requests: number][] = [
  ['slack', 'before the request', 'unknown', 0],
  ['slack', DURING_REQUEST, 'unknown', 1],
  ['slack', 'after the response', 'sent', 1],
  ['gmail', DURING_REQUEST, 'unknown', 1],
  // Resend recognizes a repetition by its key.
  ['resend', 'before the request', 'sent', 1],
  ['resend', DURING_REQUEST, 'sent', 2],
  ['resend', 'after the response', 'sent', 1],
]

const REPLY_TO = {
  slack: { channel: 'C1', thread_ts: '1.1' },
  gmail: { to: 'ada@example.com', subject: 'Re: Order', messageId: '<m>', references: '', threadId: 't' },
  resend: { from: 'desk@example.com', to: 'ada@example.com', subject: 'Order' },
} as Record<string, object>
const PATHS = ['/chat.postMessage', '/messages/send', '/emails']

const listStoppedPids = async () => (await listStoppedBackends(app.sql, LOCK)).map(({ pid }) => pid)

/** A reply that is due. */
async function insertReply(endpoint: { orgId: string; id: string }, slug: string, text: string) {
  const { sql } = app
  const [eventId, id] = [newId(), newId()]
  const record = { eventKey: `${slug}.message`, replyTo: REPLY_TO[slug]! }
  await sql`
    insert into connector_events (org_id, endpoint_id, id, event_key, external_id, status, record, received_at)
    values (${endpoint.orgId}, ${endpoint.id}, ${eventId}, 'x', ${id}, 'succeeded', ${sql.json(record as never)}, now())`
  await sql`
    insert into connector_replies (org_id, id, endpoint_id, event_id, run_id, status, text, due_at, created_at)
    values (${endpoint.orgId}, ${id}, ${endpoint.id}, ${eventId}, ${newId()}, 'pending', ${text}, now(), now())`
  return id
}

/** Extracts the reply’s text from a request to any of the providers. */
function textOf(body: string): string {
  const raw = /"raw":"([\w-]+)"/.exec(body)?.[1]
  if (!raw) return new URLSearchParams(body).get('markdown_text') ?? body
  const [, content = ''] = Buffer.from(raw, 'base64url').toString().split('\r\n\r\n')
  return Buffer.from(content, 'base64').toString()
}
const providerRequests = () => app.sentTo('/').filter(({ path }) => PATHS.some((part) => path.endsWith(part)))

test('a reply whose process dies at any point is sent once, recognized as repeated, or awaits a member', async () => {
  await app.sql.unsafe(STOPS)
  const holder = await app.sql.reserve()
  await holder`select pg_advisory_lock(${LOCK})`
  let hanging = 0
  let isHanging = true
  app.answerWith((_path, body) => {
    if (!isHanging || !textOf(body).includes(DURING_REQUEST)) return { json: { ok: true, id: 'sent' } }
    hanging++
    return new Promise<never>(() => {})
  })
  const replies: { slug: string; point: string; id: string }[] = []
  for (const slug of Object.keys(REPLY_TO)) {
    const endpoint = await insertTestEndpoint(app, await insertTenant(app), slug, 'secret')
    for (const [, point] of POINTS.filter(([other]) => other === slug))
      replies.push({ slug, point, id: await insertReply(endpoint, slug, point) })
  }
  const first = await fleet.start()
  const reached = async () => [hanging, (await listStoppedPids()).length]
  // No more than four: a process has few connections to the database.
  await expect.poll(reached).toEqual([3, 4])
  await first.kill()
  isHanging = false
  const backends = await listStoppedPids()
  await holder`select pg_advisory_unlock(${LOCK})`
  holder.release()
  await expect.poll(() => listOpenBackends(app.sql, backends)).toHaveLength(0)

  await app.app.startWorker()
  await app.sql`update connector_replies set due_at = now() where status = 'pending'`
  const statusOf = async (id: string) =>
    (await app.sql<{ status: string }[]>`select status from connector_replies where id = ${id}`)[0]!.status
  const countPending = async () =>
    (await app.sql`select from connector_replies where status = 'pending'`).length
  await expect.poll(countPending, { timeout: 60_000 }).toBe(0)
  const found: typeof POINTS = []
  for (const { slug, point, id } of replies) {
    const path = { slack: PATHS[0]!, gmail: PATHS[1]!, resend: PATHS[2]! }[slug]!
    const requests = providerRequests().filter(
      (each) => each.path.endsWith(path) && textOf(each.body).includes(point),
    )
    found.push([slug, point, await statusOf(id), requests.length])
    if (slug === 'resend')
      expect(new Set(requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([`${id}-0`]))
  }
  expect(found).toEqual(POINTS)
  expect(fleet.output()).not.toContain('"level":50')
})
