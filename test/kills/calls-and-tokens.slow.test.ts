import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, createClient, toRoutes } from '../../client/client.ts'
import { type Contract, contract } from '../../contract/index.ts'
import { openDatabase, type Pool } from '../../server/database/database.ts'
import { connectBrowser } from '../../server/testing/clients/browser-call.ts'
import { cloneDatabase } from '../../server/testing/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { type AudioServer, startAudioServer } from '../../server/testing/fakes/audio-server.ts'
import { startOAuthService } from '../../server/testing/fakes/oauth-service.ts'
import { createFleet } from './server-processes.ts'

const WITHIN_MS = 60_000

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let folder: string
let audio: AudioServer
let service: Awaited<ReturnType<typeof startOAuthService>>
let fleet: ReturnType<typeof createFleet>
let live: Awaited<ReturnType<typeof fleet.start>>
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  folder = await mkdtemp(join(tmpdir(), 'atrium-kills-'))
  audio = await startAudioServer()
  service = await startOAuthService()
  fleet = createFleet({
    sql,
    connection: database.connection,
    folder,
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ATRIUM_CONNECTOR_GITHUB_URL: service.url,
      ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'client',
      ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET: 'client-secret-value',
    },
  })
  live = await fleet.start()
}, WITHIN_MS)
afterAll(async () => {
  await fleet.close()
  await Promise.all([audio.close(), service.close()])
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  audio.respond()
  service.behave({})
})

async function createOwner() {
  const { organization, person, session, project } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner' })
  const { id: projectId } = await project(owner)
  const { cookie } = await session(owner)
  const client = (): Client<Contract> =>
    createClient<Contract>(toRoutes(contract), { baseUrl: live.url, headers: () => ({ cookie }) })
  return { owner, projectId, cookie, client }
}

async function killAndRestart(): Promise<void> {
  await live.kill()
  live = await fleet.start()
}

const within = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 })

describe('a process killed during a call in the browser', () => {
  /** The member has spoken, and the provider is transcribing. */
  async function callAndSpeak() {
    const { owner, projectId, client } = await createOwner()
    await client().modelProviders.create({ kind: 'openai-compatible', name: 'Speaker', url: audio.url })
    const [transcription, speech] = ['speaker/whisper-1', 'speaker/tts-1']
    await client().modelSettings.put({
      ...{ models: [transcription, speech], pricing: { input: 10, output: 10 }, contextWindow: null },
    })
    await client().budgets.put({
      ...{ scope: 'org', id: owner.orgId, period: 'month', amount: '10', onReach: 'stop' },
    })
    await client().orgSettings.update({ voice: { transcription, speech } })
    const { id: agentId } = await client().agents.create({ name: 'Planner', model: 'test/script' })
    const started = await client().browserCalls.create({ agentId, projectId })
    const phone = await connectBrowser({ url: live.url }, started)
    await within(phone.state).toBe('listening')
    audio.respond(() => {})
    phone.utter()
    await within(() => audio.requests.length).toBe(1)
    const reservations = () => sql`select from reservations where org_id = ${owner.orgId}`
    expect(await reservations()).toHaveLength(1)
    await killAndRestart()
    await within(phone.closed).toMatchObject({ code: 1006 })
    return { owner, client, agentId, projectId, id: started.call.id, reservations }
  }

  test(
    'leaves a call that another process ends, with its reason, and no reservation',
    async () => {
      const { owner, client, agentId, projectId, id, reservations } = await callAndSpeak()
      // Its lease ends after 90 seconds, and a job looks every minute.
      await sql`update calls set due_at = now() where id = ${id}`
      await sql`select graphile_worker.add_job('telephony.end-lost-browser-calls', '{}')`
      await within(async () => (await client().calls.get({ id })).endReason).toBe('connection_lost')
      const call = await client().calls.get({ id })
      expect(call).toMatchObject({ status: 'completed', durationSeconds: expect.any(Number) })
      expect(call.timeline.map(({ type }) => type)).toContain('completed')
      const events = await sql`
        select from events where org_id = ${owner.orgId} and type = 'call.ended' and strpos(payload::text, ${id}) > 0`
      expect(events).toHaveLength(1)
      await sql`
        update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
        where t.id = j.task_id and t.identifier = 'voice.abandoned'`
      await within(reservations).toHaveLength(0)
      expect(await sql`select from usage where org_id = ${owner.orgId}`).toHaveLength(0)
      const next = await client().browserCalls.create({ agentId, projectId })
      expect(next.call.status).toBe('queued')
    },
    WITHIN_MS,
  )

  test(
    'leaves a call that the browser connects again, and that goes on',
    async () => {
      const { client, id } = await callAndSpeak()
      audio.respond()
      const phone = await connectBrowser({ url: live.url }, await client().browserCalls.connect({ id }))
      await within(phone.state).toBe('listening')
      phone.utter()
      await within(phone.heard).toHaveLength(1)
      expect(await client().calls.get({ id })).toMatchObject({ status: 'in_progress', endReason: null })
      phone.send({ type: 'hangup' })
      await within(phone.end).toBe('caller_hung_up')
    },
    WITHIN_MS,
  )
})

describe('a process killed while a provider renews a connection’s tokens', () => {
  /** The provider has used up the refresh token, and nobody received the new one. */
  async function connectAndKill() {
    const { owner, cookie, client } = await createOwner()
    const started = await fetch(`${live.url}/api/v1/connections`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ connectorSlug: 'github' }),
    })
    const { oauthUrl, connection } = await started.json()
    const flow = started.headers.getSetCookie()[0]!.split(';')[0]
    const { pathname, search } = service.approve(oauthUrl)
    const headers = { cookie: `${cookie}; ${flow}` }
    await fetch(live.url + pathname + search, { headers, redirect: 'manual' })
    const { id } = connection as { id: string }
    expect(await client().connections.get({ id })).toMatchObject({ status: 'active' })
    const gate = Promise.withResolvers<void>()
    service.behave({ gate: gate.promise })
    const before = service.refreshes()
    await sql`update connections set refresh_due_at = now() where org_id = ${owner.orgId} and id = ${id}`
    await sql`select pg_notify('atrium_connections', '')`
    await within(() => service.refreshes()).toBe(before + 1)
    await killAndRestart()
    gate.resolve()
    const state = async () => {
      const { status, statusReason } = await client().connections.get({ id })
      const [row] = await sql`select generation from connections where id = ${id}`
      return { status, statusReason, generation: row!.generation as number }
    }
    // Its lease ends after a minute.
    const endLease = () =>
      sql`update connections set refreshing_until = null, refresh_due_at = now() where id = ${id}`
    return { owner, client, id, state, endLease }
  }

  test(
    'loses nothing if the provider accepts the token again for a while',
    async () => {
      const { state, endLease } = await connectAndKill()
      service.behave({ reuses: 1 })
      await endLease()
      await within(state).toEqual({ status: 'active', statusReason: null, generation: 2 })
    },
    WITHIN_MS,
  )

  test(
    'says what to do if the provider accepts it once',
    async () => {
      const { owner, state, endLease } = await connectAndKill()
      await endLease()
      await within(state).toEqual({
        ...{ status: 'expired', generation: 1 },
        statusReason: 'GitHub no longer accepts the authorization: connect it again',
      })
      const events = await sql`
        select from events where org_id = ${owner.orgId} and type = 'connection.expired'`
      expect(events).toHaveLength(1)
    },
    WITHIN_MS,
  )
})
