import { sealSecrets } from '../server/features/connections/endpoints/secrets.ts'
import { newId } from '../server/security/ids.ts'
import { createVault } from '../server/security/vault.ts'
import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare, compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { reportFloor, reportGrowth } from './report.ts'
import { SECRET } from './secret.ts'

const ENDPOINTS = 320
const FEW = 1000
const MANY = 1_000_000
const ROUNDS = 300
const TOKEN_HEADER = 'x-telegram-bot-api-secret-token'

const database = await openBenchDatabase()
const { folder, sql, organization, person, key, project } = database
const vault = createVault(SECRET)

async function createTenant() {
  const owner = await person(await organization(), { role: 'owner' })
  const { id: projectId } = await project(owner)
  const { orgId } = owner
  const [agent] = await sql<{ id: string }[]>`select id from agents where org_id = ${orgId} limit 1`
  const [agentId, connectionId] = [agent!.id, newId()]
  await sql`
    insert into connections (org_id, id, user_id, connector_slug, status, created_at, updated_at)
    values (${orgId}, ${connectionId}, ${owner.id}, 'telegram', 'active', now(), now())`
  return { owner, orgId, projectId, agentId, connectionId, key: (await key(owner, ['connections:read'])).key }
}
type Tenant = Awaited<ReturnType<typeof createTenant>>

async function createEndpoint({ owner, orgId, projectId, agentId, connectionId }: Tenant) {
  const [id, secret] = [newId(), newId()]
  const sealed = sealSecrets(vault, id, { generated: secret, proof: null })
  await sql`
    insert into connector_endpoints (org_id, id, connection_id, connector_slug, name, project_id, agent_id, owner_id,
      session_key, reply, secret_sealed, has_proof_secret, registration, created_at, updated_at)
    values (${orgId}, ${id}, ${connectionId}, 'telegram', 'Bench', ${projectId}, ${agentId}, ${owner.id},
      'telegram:{thread}', 'off', ${sealed}, true, 'registered', now(), now())`
  await sql`insert into connector_counts (org_id, endpoint_id) values (${orgId}, ${id})`
  return { id, secret }
}

const receivingTenant = await createTenant()
const endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, () => createEndpoint(receivingTenant)))
const pathOf = (id: string) => `/api/v1/connectors/webhooks/telegram/${id}`
const bodyOf = (id: string) =>
  JSON.stringify({
    update_id: id,
    message: {
      message_id: id,
      from: { id: 42, is_bot: false, first_name: 'Ada' },
      chat: { id: 5, type: 'private' },
      text: 'Where is my order? I ordered three lamps a week ago.',
    },
  })

const floor = await startProgram('floors/provider-events.ts', database.connection, folder)
const subject = await startProgram('subject.ts', database.connection, folder)
try {
  await measureReceiving()
  await floor.stop()
  await measureGrowth()
} finally {
  await Promise.all([floor.stop(), subject.stop()])
  await database.close()
}

async function measureReceiving() {
  const entry: Case = {
    name: 'POST /connectors/webhooks/:provider/:id',
    callers: ENDPOINTS,
    hasUniqueBodies: true,
    request: (sender) => {
      const { id, secret } = endpoints[sender]!
      return [{ method: 'POST', path: pathOf(id), body: bodyOf('#'), headers: { [TOKEN_HEADER]: secret } }]
    },
  }
  const truncate = async () => {
    await sql`truncate connector_seen, connector_events, connector_threads`
  }
  const keys = endpoints.map(({ secret }) => secret)
  const { ratio, floorPerSecond, subjectPerSecond, p99, cpu } = await compare(
    entry,
    { floor, subject },
    keys,
    truncate,
  )
  reportFloor({
    name: entry.name,
    ratio,
    ours: `${subjectPerSecond.toFixed(0)}/s`,
    floor: `${floorPerSecond.toFixed(0)}/s`,
    note: `p99 ${p99} ms, ${cpu}`,
  })
  await truncate()
}

async function createTenantWithEvents(count: number) {
  const tenant = await createTenant()
  const endpoint = await createEndpoint(tenant)
  const { orgId } = tenant
  await sql`
    insert into connector_events (org_id, endpoint_id, id, event_key, external_id, status, thread, record, session_id,
      message_id, run_id, received_at, started_at, finished_at)
    select ${orgId}, ${endpoint.id}, lpad(to_hex(n), 32, '0')::uuid, 'telegram.message', 'message:5:' || n,
      case n % 1000 when 0 then 'failed' when 1 then 'ignored' else 'succeeded' end, 'telegram:' || n % 10000,
      '{"eventKey": "telegram.message", "change": "created", "targetId": null, "actor": {"id": "1", "name": "A", "isBot": false}, "text": "hello", "thread": "5", "resource": null, "replyTo": {}}',
      null, null, null, now(), now(), now()
    from generate_series(1, ${count}::int) n`
  await sql`
    insert into connector_seen (org_id, endpoint_id, external_id, event_id, seen_at)
    select org_id, endpoint_id, external_id, id, now() from connector_events where org_id = ${orgId}`
  await sql`
    insert into connector_threads (org_id, endpoint_id, thread, changed_at)
    select distinct org_id, endpoint_id, thread, now() from connector_events where org_id = ${orgId}`
  return { ...tenant, endpoint }
}

async function measureGrowth() {
  const smallTenant = await createTenantWithEvents(FEW)
  const largeTenant = await createTenantWithEvents(MANY)
  await sql`vacuum analyze connector_events, connector_seen, connector_threads`
  type SeededTenant = typeof smallTenant
  const receive = ({ endpoint }: SeededTenant) =>
    request(pathOf(endpoint.id), { [TOKEN_HEADER]: endpoint.secret }, bodyOf(newId()))
  const read = (path: (tenant: SeededTenant) => string) => (tenant: SeededTenant) =>
    request(`/api/v1${path(tenant)}`, { authorization: `Bearer ${tenant.key}` })
  const cases: [string, (tenant: SeededTenant) => Promise<unknown>][] = [
    ['receive', receive],
    ['events of an endpoint', read(({ endpoint }) => `/connectors/endpoints/${endpoint.id}/events`)],
    [
      'failed events',
      read(({ endpoint }) => `/connectors/endpoints/${endpoint.id}/events?status=failed&limit=1`),
    ],
    ['endpoint list with counts', read(() => '/connectors/endpoints')],
  ]
  for (const [name, run] of cases) {
    await Promise.all([smallTenant, largeTenant].map(run))
    const times = await compareTimes(
      () => run(smallTenant),
      () => run(largeTenant),
      ROUNDS,
    )
    reportGrowth(`${name}, ${MANY} and ${FEW} events`, times)
  }
}

async function request(path: string, headers: Record<string, string>, body?: string): Promise<string> {
  const response = await fetch(subject.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
