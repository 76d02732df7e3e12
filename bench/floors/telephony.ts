import type { IncomingMessage } from 'node:http'
import { openDatabase } from '../../server/database/database.ts'
import { insertCall } from '../../server/features/telephony/calls/queries.ts'
import { findCallbackNumberById } from '../../server/features/telephony/numbers/called-number.ts'
import { newToken } from '../../server/features/telephony/relay/relay-token.ts'
import { relayTwiml } from '../../server/features/telephony/relay/relay-twiml.ts'
import { matchRule } from '../../server/features/telephony/routing/match-rule.ts'
import type { AnsweringRule } from '../../server/features/telephony/routing/rule.ts'
import { rulesOfCalled } from '../../server/features/telephony/routing/rule-queries.ts'
import { newId } from '../../server/security/ids.ts'
import { createVault } from '../../server/security/vault.ts'
import { TWILIO } from '../../server/signatures/signature-schemes.ts'
import { verify } from '../../server/signatures/verify.ts'
import { SECRET } from '../secret.ts'
import { startFloor } from './server.ts'

/**
 * The smallest program that answers a call. The auth token is in memory, with ten connections. Routing, validation,
 * budgets, metrics and turns between organizations count as the subject's cost.
 */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const vault = createVault(SECRET)
const [connection] = await sql<{ id: string; sealed: string }[]>`
  select connection_id as id, sealed from connection_secrets limit 1`
const { credentials } = JSON.parse(vault.open(`connection_secrets:${connection!.id}`, connection!.sealed))
const secrets = [{ text: credentials.authToken as string, hash: Buffer.alloc(0) }]

async function respond(request: IncomingMessage) {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const headers = request.headers as Record<string, string>
  const origin = `http://${headers.host}`
  const { searchParams } = new URL(request.url!, origin)
  const rulesColumn = sql`, ${rulesOfCalled(sql)} as rules`
  const number = (await findCallbackNumberById<{ rules: AnsweringRule[] }>(
    sql,
    searchParams.get('number')!,
    rulesColumn,
  ))!
  const now = new Date()
  const { valid } = verify([TWILIO], { url: origin + request.url, headers, body }, secrets, now)
  if (!valid) return { status: 403, body: null }
  const { CallSid, From = '' } = Object.fromEntries(new URLSearchParams(body.toString()))
  const incoming = { channel: 'voice', numberId: number.id, from: From, text: null, at: now } as const
  const rule = matchRule(number.rules, incoming).rule!
  const id = newId()
  const { token, stored } = newToken({ vault, now: () => now }, id)
  await insertCall(sql, number.orgId, {
    ...{ id, direction: 'inbound', providerId: CallSid!, numberId: number.id, from: From, to: number.e164 },
    ...{ projectId: number.projectId, ownerId: rule.ownerId, ruleId: rule.id, action: rule.action },
    ...{ status: 'ringing', agentId: rule.action.agentId!, createdBy: null, keyId: null, relay: stored, now },
  })
  const ctx = {
    sql,
    vault,
    now: () => now,
    origin: { ip: '', userAgent: null, baseUrl: origin, flowSecret: null },
  }
  return {
    status: 200,
    body: await relayTwiml({ publicUrl: null }, ctx, { orgId: number.orgId, id }, number, { token }),
  }
}

startFloor(respond)
