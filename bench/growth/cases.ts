import { publishIn } from '../../server/events/publish.ts'
import { claimRuns } from '../../server/features/agents/runs/state/run-row.ts'
import { claimDeliveries } from '../../server/features/webhooks/deliver/claim.ts'
import { newId } from '../../server/security/ids.ts'
import type { Tenant } from './tenant.ts'

const DUE = 20
const DUE_RUNS = 8
const LEASE_MS = 30_000

type Case = readonly [string, (tenant: Tenant) => Promise<number>]

const get =
  (path: (tenant: Tenant) => string) =>
  (tenant: Tenant): Promise<number> =>
    tenant.send(path(tenant))

/** Durations in milliseconds. Pages are small enough for a small installation to fill. */
export const CASES: Case[] = [
  ['home', get(() => '/home')],
  ['inbox', get(() => '/notifications?limit=50')],
  ['projects, by last change', get(() => '/projects?limit=10&sort=updated')],
  ['projects, search', get(() => '/projects?limit=10&search=project')],
  ['a project', get(({ projectId }) => `/projects/${projectId}`)],
  ['files of the root folder', get(() => '/files?limit=50')],
  ['files of a project', get(({ folderId }) => `/files?limit=5&parentId=${folderId}`)],
  ['files, search', get(() => '/files?limit=10&search=invoice')],
  ['search, a frequent word', get(() => '/search?q=report')],
  ['search, two words', get(() => '/search?q=report+april')],
  ['search, no match', get(() => '/search?q=giraffe')],
  ['search, a typing error', get(() => '/search?q=reprot')],
  ['event log', get(() => '/webhooks/events?limit=50')],
  ['event log by type', get(() => '/webhooks/events?limit=50&type=order.paid')],
  ['event log by type prefix', get(() => '/webhooks/events?limit=50&type=project.*')],
  ['event log by status', get(() => '/webhooks/events?limit=50&status=failed')],
  ['event log by id of the sender', get(() => '/webhooks/events?limit=50&search=sent-30')],
  ['event log of a webhook', get(({ webhookId }) => `/webhooks/${webhookId}/events?limit=50`)],
  ['deliveries of a webhook', get(({ webhookId }) => `/webhooks/${webhookId}/deliveries?limit=50`)],
  ['webhooks', get(() => '/webhooks')],
  ['runs', get(() => '/runs?limit=8')],
  ['a run', get(({ runId }) => `/runs/${runId}`)],
  ['steps of a run', get(({ runId }) => `/runs/${runId}/steps`)],
  ['events of a run, as a stream', get(({ runId }) => `/runs/${runId}/stream`)],
  ['sessions', get(() => '/sessions?limit=2')],
  ['messages of a session', get(({ sessionId }) => `/sessions/${sessionId}/messages?limit=50`)],
  ['receive a webhook', receive],
  ['publish an event', publish],
  [`claim ${DUE} deliveries`, claimDueDeliveries],
  [`claim ${DUE_RUNS} runs`, claimDueRuns],
]

function receive({ receiver, send }: Tenant): Promise<number> {
  return send(`/webhooks/receive/${receiver.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${receiver.secret}`, 'content-type': 'application/json', cookie: '' },
    body: JSON.stringify({ id: newId(), type: 'order.paid' }),
  })
}

function publish({ sql, orgId }: Tenant): Promise<number> {
  return measureMs(() => publishIn(sql, orgId, new Date(), { type: 'key.created', data: { keyId: newId() } }))
}

async function claimDueDeliveries({ sql, orgId, webhookId }: Tenant): Promise<number> {
  const now = new Date()
  const due = await sql<{ id: string }[]>`
    update deliveries set status = 'pending', attempt = 0, next_attempt_at = ${now}
    where org_id = ${orgId} and id = any(array(
      select id from deliveries where org_id = ${orgId} and webhook_id = ${webhookId} and status = 'succeeded'
      order by id desc limit ${DUE}))
    returning id`
  const limits = { perWebhook: { working: DUE, failing: 2 }, perOrganization: 60, limit: 60 }
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const time = await measureMs(() => claimDeliveries(sql, { running: [], ...limits, now, leasedUntil }))
  await sql`
    update deliveries set status = 'succeeded', next_attempt_at = null
    where org_id = ${orgId} and id = any(${due.map(({ id }) => id)}::uuid[])`
  return time
}

async function claimDueRuns({ sql, orgId }: Tenant): Promise<number> {
  const now = new Date()
  const due = await sql<{ id: string }[]>`
    update runs set status = 'queued', due_at = ${now} where org_id = ${orgId} and id = any(array(
      select id from runs where org_id = ${orgId} and agent_id is not null order by id desc limit ${DUE_RUNS}))
    returning id`
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const limits = { running: [], perOrganization: DUE_RUNS, limit: DUE_RUNS }
  const time = await measureMs(() => claimRuns(sql, { ...limits, now, leasedUntil }))
  await sql`
    update runs set status = 'succeeded', due_at = null
    where org_id = ${orgId} and id = any(${due.map(({ id }) => id)}::uuid[])`
  return time
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
