import { sealSecrets } from '../server/features/connections/connections/target.ts'
import { newId } from '../server/security/ids.ts'
import { randomHex } from '../server/security/random.ts'
import { createVault } from '../server/security/vault.ts'
import { signCallback } from '../server/testing/clients/phone-app.ts'
import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare } from './compare.ts'
import { startProgram } from './program.ts'
import { reportFloor } from './report.ts'
import { SECRET } from './secret.ts'

const NUMBERS = 64
/** More than a connection can send in one round: each request needs a new call. */
const CALLS_PER_NUMBER = 400
const RULES = 10

const database = await openBenchDatabase()
const { folder, sql, organization, person, project } = database
const vault = createVault(SECRET)

const account = { accountSid: `AC${randomHex(16)}`, authToken: randomHex(16) }
const owner = await person(await organization(), { role: 'owner' })
const { orgId } = owner
const { id: projectId } = await project(owner)
const [agent] = await sql<{ id: string }[]>`select id from agents where org_id = ${orgId} limit 1`
const connectionId = newId()
await sql`
  insert into connections (org_id, id, user_id, connector_slug, status, created_at, updated_at)
  values (${orgId}, ${connectionId}, ${owner.id}, 'twilio', 'active', now(), now())`
await sql`
  insert into connection_secrets (org_id, connection_id, sealed)
  values (${orgId}, ${connectionId}, ${sealSecrets(vault, connectionId, { credentials: account, refreshToken: null })})`
for (let n = 1; n <= RULES; n++) await insertRule(n)
const numbers = await Promise.all(Array.from({ length: NUMBERS }, (_, n) => insertNumber(n)))

const floor = await startProgram('floors/telephony.ts', database.connection, folder)
const subject = await startProgram('subject.ts', database.connection, folder)
try {
  const entry: Case = {
    name: 'POST /telephony/webhooks/voice',
    callers: NUMBERS,
    request: (n) => Array.from({ length: CALLS_PER_NUMBER }, () => callTo(numbers[n]!)),
  }
  const truncate = async () => {
    await sql`truncate calls, events, deliveries, delivery_attempts cascade`
  }
  const keys = numbers.map(({ id }) => id)
  const compared = await compare(entry, { floor, subject }, keys, truncate)
  const { ratio, floorPerSecond, subjectPerSecond, p99, cpu } = compared
  reportFloor({
    name: entry.name,
    ratio,
    ours: `${subjectPerSecond.toFixed(0)}/s`,
    floor: `${floorPerSecond.toFixed(0)}/s`,
    note: `p99 ${p99} ms, ${cpu}`,
  })
} finally {
  await Promise.all([floor.stop(), subject.stop()])
  await database.close()
}

/** Only the last rule matches, so every rule is checked. */
async function insertRule(n: number) {
  const match = n === RULES ? { channel: 'both' } : { channel: 'voice', callerPrefix: `+${n}00` }
  const action = { type: 'agent', agentId: agent!.id }
  await sql`
    insert into routing_rules (org_id, id, name, priority, enabled, match, action, fallback, owner_id, created_at, updated_at)
    values (${orgId}, ${newId()}, 'Bench', ${n}, true, ${sql.json(match)}, ${sql.json(action)}, '{"type":"reject"}',
      ${owner.id}, now(), now())`
}

async function insertNumber(n: number) {
  const [id, e164] = [newId(), `+493012${String(n).padStart(5, '0')}`]
  await sql`
    insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, connection_id, capabilities,
      configures_urls, project_id, owner_id, created_at, updated_at)
    values (${orgId}, ${id}, ${e164}, 'twilio', ${`PN${randomHex(16)}`}, ${account.accountSid}, ${connectionId},
      '{"voice":true,"sms":true,"mms":true}', true, ${projectId}, ${owner.id}, now(), now())`
  return { id, e164 }
}

/** Verification accepts the URL without its port. */
function callTo({ id, e164 }: (typeof numbers)[number]) {
  const path = `/api/v1/telephony/webhooks/voice?number=${id}`
  const fields: Record<string, string> = {
    AccountSid: account.accountSid,
    CallSid: `CA${randomHex(16)}`,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From: '+4915112345678',
    To: e164,
  }
  const signature = signCallback(account.authToken, `http://127.0.0.1${path}`, fields)
  return {
    method: 'POST' as const,
    path,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
  }
}
