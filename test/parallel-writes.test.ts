import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { POOLS } from '../server/database/database.ts'
import { newId } from '../server/security/ids.ts'
import { type Actor, createActor } from '../server/testing/clients/actor.ts'
import { buildWebhookApp, type WebhookApp } from '../server/testing/clients/webhook-app.ts'
import { cookie, type Headers } from '../server/testing/test-app.ts'
import { bodyOf, createResources, type Ids, pathOf, RESOURCES } from './resources.ts'

/** Sends every change twice as often in parallel as there are connections, from one organization. */

const CALLS = 2 * POOLS.requests.connections
const READS = 3
/** A refusal, and the failure of another server. */
const EXPECTED = ['UNAVAILABLE', 'PROVIDER_ERROR']

let app: WebhookApp
let owner: Actor
let other: Actor
let ids: Ids
/** Refuses every request, as a server that does not know the caller. */
const outside = createServer((_request, response) => response.writeHead(404).end('{}'))

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  app = await buildWebhookApp()
  owner = await createActor(app)
  other = await createActor(app)
  await other.project()
  ids = (await createResources(app, owner)).ids
})
afterAll(async () => {
  await app.close()
  outside.close()
})

/** Records are removed last, and their parts before them. */
const rank = ({ method, path }: Endpoint) =>
  (method === 'DELETE' ? 100 : 0) +
  (/organization|account|erasure|members/.test(path) ? 50 : 0) -
  path.split('/').length

const writes = endpoints
  .filter(({ method }) => method !== 'GET')
  .toSorted((one, two) => rank(one) - rank(two))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

/** No request leaves this machine. */
const withLocalUrls = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null).replaceAll(/"https?:\/\/[^"]*"/g, JSON.stringify(outsideUrl())))

const outsideUrl = () => `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`

function targetOf(endpoint: Endpoint): string {
  if (!endpoint.path.includes(':')) return endpoint.path
  const idName = RESOURCES.findLast(([pattern]) => pattern.test(endpoint.path))?.[1]
  const [first] = endpoint.path.match(/:\w+/)!
  return pathOf(endpoint, ids, ids[idName ?? first.slice(1)] ?? newId())
}

async function change(endpoint: Endpoint, headers: Headers, n: number) {
  const key: Headers = endpoint.idempotent && n % 2 === 0 ? { 'idempotency-key': newId() } : {}
  const body = withLocalUrls(bodyOf(endpoint))
  const { status, body: answer } = await app.request(endpoint.method, targetOf(endpoint), {
    headers: { ...headers, ...key },
    body: endpoint.raw ? 'bytes' : body,
  })
  return { status, error: answer?.error }
}

describe(`${CALLS} concurrent calls`, () => {
  test.each(writes)('are all answered for %s and delay no other organization', async (_, endpoint) => {
    await app.sql`delete from rate_limits`
    const headers = cookie(await app.session(owner.person))
    const changes = Promise.all(Array.from({ length: CALLS }, (_, n) => change(endpoint, headers, n)))
    for (let n = 0; n < READS; n++) expect((await other.client.projects.list({})).items).toHaveLength(1)
    const answers = await changes
    const failed = answers.filter(({ status, error }) => status >= 500 && !EXPECTED.includes(error?.code))
    expect(failed).toEqual([])
  })
})
