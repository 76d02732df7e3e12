import type { Readable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../../context.ts'
import { type SentStatement, statementChannel } from '../../../database/client.ts'
import { openDatabase, type Pool } from '../../../database/database.ts'
import type { Reply } from '../../../endpoint/route.ts'
import { publishIn } from '../../../events/publish.ts'
import { createStreams, type Streams } from '../../../streams/streams.ts'
import { CALLER_DEFAULTS } from '../../../testing/factories/caller.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { createEventStream, followEvents } from './follow.ts'

const FOLLOWERS = 30

let app: TestApp
let pool: Pool
let streams: Streams
/** The statements of the pool since the last reset. */
let statements: string[]
const onStatement = (message: unknown) => {
  const { session, text } = message as SentStatement
  if (session === 'shared reads test') statements.push(text)
}
beforeAll(async () => {
  app = await buildTestApp()
  statements = []
  pool = openDatabase(app.connection, 'shared reads test')
  statementChannel.subscribe(onStatement)
  streams = createStreams(pool, pino({ level: 'silent' }), {
    quotas: { openStream: async () => () => {} },
    suspensions: app.app.system().suspensions,
  })
})
afterAll(async () => {
  statementChannel.unsubscribe(onStatement)
  streams.close()
  await pool.end({ timeout: 1 })
  await app.close()
})

/** How many events a stream has sent. */
function countEvents(content: Readable): () => number {
  let text = ''
  content.on('data', (chunk: Buffer) => {
    text += chunk
  })
  return () => text.split('event: event\n').length - 1
}

test('an event costs the same statements for thirty log followers as for one', async () => {
  const { org, person } = await app.newUser({ role: 'owner' })
  const { id: credentialId } = await app.key(person)
  const identity = {
    via: 'key' as const,
    credentialId,
    userId: person.id,
    orgId: org.id,
    role: 'owner' as const,
  }
  const ctx = createContext({ ...app.app.system(), sql: pool, caller: { ...CALLER_DEFAULTS, ...identity } })
  const stream = createEventStream(streams)
  const follow = async () => {
    const reply = (await followEvents(stream, ctx, { byteRequest: { headOnly: false } })) as Reply<null>
    return countEvents(reply.options.bytes!.content!)
  }
  const counts: (() => number)[] = []
  for (let n = 0; n < FOLLOWERS; n++) counts.push(await follow())
  const publish = () =>
    publishIn(app.sql, org.id, app.clock.now(), { type: 'feedback.created', data: { feedbackId: org.id } })
  const untilReceived = (count: number) =>
    expect.poll(() => counts.filter((countOf) => countOf() === count)).toHaveLength(FOLLOWERS)

  const countMatching = (pattern: RegExp) => statements.filter((statement) => pattern.test(statement)).length
  let published = 0
  const costOfNext = async () => {
    statements = []
    await publish()
    await untilReceived(++published)
    return {
      snapshots: countMatching(/pg_current_snapshot/),
      reads: countMatching(/from events e/),
      checks: countMatching(/left join memberships m/),
      all: statements.length,
    }
  }
  // Streams that opened at different positions read the first events separately, until they have the same position.
  await expect.poll(costOfNext).toEqual({ snapshots: 1, reads: 1, checks: 1, all: 3 })
})
