import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '../../server/security/ids.ts'
import { script } from '../../server/testing/clients/agent-runs.ts'
import { SERVER_ACCOUNT, SERVER_ACCOUNT_ENV, signCallback } from '../../server/testing/clients/phone-app.ts'
import { connectRelay, eventually, type Relay, urlIn } from '../../server/testing/clients/relay-call.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { type AtriumProcess, openEmbedded, startAtrium } from './atrium-process.ts'
import { createInstallations } from './installations.ts'

const installation = createInstallations()
let parent: string
let dataFolder: string
let running: AtriumProcess[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'atrium-relay-'))
  dataFolder = join(parent, 'data')
  await installation.copyTo(dataFolder)
  running = []
})
afterEach(async () => {
  for (const atrium of running) await atrium.stop()
  await rm(parent, { recursive: true })
})

async function start() {
  const env = { ATRIUM_LOG_LEVEL: 'error', ATRIUM_TEST_MODELS: '1', ...SERVER_ACCOUNT_ENV }
  const atrium = await startAtrium({ dataFolder, env })
  running.push(atrium)
  return atrium
}

test('a call survives a killed server: the carrier reconnects, and the agent continues where it was', async () => {
  const first = await start()
  const call = await insertCall()
  const relay = await reconnect(first, call)
  relay.prompt(script('say The first sentence.', 'say The second one.', 'wait 3000', 'say The last one.'))
  await eventually(relay.spoken).toContain('The second one.')
  const sql = await openEmbedded(dataFolder)
  const position = async () =>
    (await sql<{ seq: number | null }[]>`select (relay #>> '{position,seq}')::int as seq from calls`)[0]!.seq
  await eventually(position).toBeGreaterThan(0)
  await sql.end()
  await first.kill()
  await eventually(relay.closed).toMatchObject({ code: 1006 })

  const second = await start()
  const secondRelay = await reconnect(second, call)
  await expect.poll(secondRelay.spoken, { timeout: 60_000 }).toContain('The last one.')
  const heard = `${relay.spoken()} ${secondRelay.spoken()}`.replace(/\s+/g, ' ').trim()
  expect(heard).toBe('The first sentence. The second one. The last one.')
})

type Call = Awaited<ReturnType<typeof insertCall>>

async function insertCall() {
  const sql = await openEmbedded(dataFolder)
  const { organization, person, project } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner', verified: true })
  const { orgId, id: ownerId } = owner
  const { id: projectId } = await project(owner)
  const [agent] = await sql<{ id: string }[]>`select id from agents where org_id = ${orgId}`
  const agentId = agent!.id
  await sql`
    update agent_versions set settings = settings || '{"model":"test/script"}' where org_id = ${orgId}`
  const [id, numberId] = [newId(), newId()]
  const providerId = `CA${id}`
  await sql`
    insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, capabilities, configures_urls,
      project_id, owner_id, created_at, updated_at)
    values (${orgId}, ${numberId}, '+4930123456', 'twilio', 'PN1', ${SERVER_ACCOUNT.accountSid},
      '{"voice":true,"sms":true,"mms":true}', false, ${projectId}, ${ownerId}, now(), now())`
  await sql`
    insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id,
      owner_id, agent_id, action, status, started_at)
    values (${orgId}, ${id}, 'inbound', 'twilio', ${providerId}, ${numberId}, '+4915112345678', '+4930123456',
      ${projectId}, ${ownerId}, ${agentId}, ${sql.json({ type: 'agent', agentId })}, 'ringing', now())`
  await sql.end()
  const number = {
    ...SERVER_ACCOUNT,
    orgId,
    id: numberId,
    e164: '+4930123456',
    projectId,
    connectionId: null,
  }
  return { id, providerId, from: '+4915112345678', number }
}

/** Connects again, as the carrier does after a lost connection. */
async function reconnect({ url }: AtriumProcess, call: Call): Promise<Relay> {
  const path = `/api/v1/telephony/webhooks/relay-ended?number=${call.number.id}&call=${call.id}`
  const fields = {
    AccountSid: SERVER_ACCOUNT.accountSid,
    CallSid: call.providerId,
    CallStatus: 'in-progress',
    SessionStatus: 'failed',
  }
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-twilio-signature': signCallback(SERVER_ACCOUNT.authToken, url + path, fields) },
    body: new URLSearchParams(fields),
  })
  const relay = await connectRelay(call, urlIn(await response.text()))
  relay.setUp()
  return relay
}
