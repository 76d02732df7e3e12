import type { Pool } from '../../server/database/database.ts'
import type { ScriptedCarrier } from '../../server/testing/carrier/carrier.ts'
import type { ReceivedRequest } from '../../server/testing/fakes/receiver.ts'
import { problemUnless } from '../problem-unless.ts'
import type { AcknowledgedChange, Kind } from './load.ts'
import { sha256, type World } from './world.ts'

interface Evidence {
  sql: Pool
  url: string
  world: World
  acknowledged: Record<Kind, AcknowledgedChange[]>
  carrier: ScriptedCarrier
  received: readonly ReceivedRequest[]
}

/** Checks every guarantee about acknowledged changes, and returns the violations. */
export async function findViolations(evidence: Evidence): Promise<string[]> {
  const lists = await Promise.all([
    checkFiles(evidence),
    checkBlocks(evidence),
    checkSequence(evidence),
    checkEvents(evidence),
    checkMessages(evidence),
  ])
  return lists.flat()
}

/** The number of repeated deliveries, which have the same event id. */
export function repeatedDeliveries(received: readonly ReceivedRequest[]): number {
  const ids = received.map(({ headers }) => headers['webhook-id'])
  return ids.length - new Set(ids).size
}

/** The id of the event that a delivery contains. */
const eventIdOf = ({ body }: ReceivedRequest): string => (JSON.parse(body) as { id: string }).id

async function checkFiles({ sql, url, world, acknowledged }: Evidence): Promise<string[]> {
  const rows = await sql<{ name: string; count: number }[]>`
    select name, count(*)::int from files where org_id = ${world.orgId} and source = 'upload' group by name`
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  const problems: string[] = []
  for (const { name, id, sha256: expected } of acknowledged.upload) {
    const response = await fetch(`${url}/api/v1/files/${id}?download=true`, {
      headers: { authorization: `Bearer ${world.secret}` },
    })
    const actual = response.ok ? sha256(Buffer.from(await response.arrayBuffer())) : response.status
    problems.push(
      ...problemUnless(actual === expected, `${name}: the content of the file differs: ${actual}`),
      ...problemUnless(counts.get(`${name}.txt`) === 1, `${name}: ${counts.get(`${name}.txt`) ?? 0} files`),
    )
  }
  return problems
}

async function checkBlocks({ sql, world, acknowledged }: Evidence): Promise<string[]> {
  const rows = await sql<{ id: string; title: string }[]>`
    select id, title from blocks where org_id = ${world.orgId} and project_id = ${world.projectId}`
  return checkOnce(
    acknowledged.block,
    rows.map(({ id, title }) => ({ id, name: title })),
    'blocks',
  )
}

/** Each acknowledged change exists once, under the id that was acknowledged. */
function checkOnce(
  acknowledged: AcknowledgedChange[],
  stored: { id: string; name: string }[],
  label: string,
): string[] {
  const byName = Map.groupBy(stored, ({ name }) => name)
  return acknowledged.flatMap(({ name, id }) => {
    const found = byName.get(name) ?? []
    return [
      ...problemUnless(found.length === 1, `${name}: ${found.length} ${label}`),
      ...problemUnless(
        found.length === 0 || found.some((row) => row.id === id),
        `${name}: the id differs from the acknowledged one`,
      ),
    ]
  })
}

async function checkSequence({ sql, world }: Evidence): Promise<string[]> {
  const [row] = await sql<{ count: number; first: number; last: number }[]>`
    select count(*)::int, min(seq)::int as first, max(seq)::int as last from canvas_changes
    where org_id = ${world.orgId} and project_id = ${world.projectId}`
  const { count, first, last } = row!
  return problemUnless(last - first + 1 === count, `the canvas has ${count} changes from ${first} to ${last}`)
}

async function checkEvents({ sql, world, acknowledged, received }: Evidence): Promise<string[]> {
  const rows = await sql<{ id: string; name: string; status: string }[]>`
    select id, external_id as name, status from events
    where org_id = ${world.orgId} and webhook_id = ${world.webhookId} and direction = 'inbound'`
  const delivered = new Set(received.map(eventIdOf))
  const ids = new Set(acknowledged.event.map(({ id }) => id))
  return [
    ...checkOnce(acknowledged.event, rows, 'events'),
    ...acknowledged.event.flatMap(({ name, id }) =>
      problemUnless(delivered.has(id), `${name}: acknowledged, but not delivered`),
    ),
    ...[...delivered].flatMap((id) => problemUnless(ids.has(id), `${id}: delivered, but not acknowledged`)),
    ...rows.flatMap(({ name, status }) =>
      problemUnless(status === 'delivered', `${name}: the event is ${status}`),
    ),
  ]
}

async function checkMessages({ sql, world, acknowledged, carrier }: Evidence): Promise<string[]> {
  const rows = await sql<{ id: string; name: string; status: string; details: object }[]>`
    select id, body as name, status,
      jsonb_build_object('error', error_message, 'attempts', attempts, 'attemptedAt', attempted_at, 'dueAt', due_at) as details
    from sms_messages where org_id = ${world.orgId} and direction = 'outbound'`
  const sentByBody = Map.groupBy(carrier.messages, ({ resource }) => resource.body ?? '')
  return [
    ...checkOnce(acknowledged.sms, rows, 'messages'),
    ...acknowledged.sms.flatMap(({ name }) => {
      const times = sentByBody.get(name)?.length ?? 0
      return problemUnless(times === 1, `${name}: sent ${times} times`)
    }),
    ...rows.flatMap(({ name, status, details }) =>
      problemUnless(status === 'sent', `${name}: the message is ${status}, ${JSON.stringify(details)}`),
    ),
  ]
}
