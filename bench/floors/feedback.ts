import type { IncomingMessage } from 'node:http'
import { openDatabase } from '../../server/database/database.ts'
import { takeToken } from '../../server/database/limits.ts'
import { findCallers } from '../../server/features/accounts/api-keys/queries.ts'
import { announceSubmission } from '../../server/features/feedback/notify.ts'
import { insertSubmission, listSubmissions } from '../../server/features/feedback/queries.ts'
import { addJob } from '../../server/jobs/job.ts'
import { sha256 } from '../../server/security/digest.ts'
import { newId } from '../../server/security/ids.ts'
import { startFloor } from './server.ts'

/** The same database statements, without the rest of the server. */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const callers = await sql<{ hash: string; orgId: string; userId: string }[]>`
  select encode(hash, 'hex') as hash, org_id as "orgId", user_id as "userId" from api_keys`
const preloadedCallers = new Map(callers.map((caller) => [caller.hash, caller]))
const LIMIT = { name: 'feedback', capacity: 10, perSeconds: 60 }

async function respond(request: IncomingMessage) {
  const hash = sha256(request.headers.authorization!.slice(7))
  // Skipping the lookup shows what it costs.
  const isPreloaded = request.url!.startsWith('/preloaded')
  const { orgId, userId } = isPreloaded
    ? preloadedCallers.get(hash.toString('hex'))!
    : (await findCallers(sql, [hash]))[0]!
  const isRead = request.method === 'GET'
  const body = isRead
    ? await listSubmissions(sql, orgId, userId, 21, 0)
    : await submit(orgId, userId, request)
  return { status: isRead ? 200 : 201, body }
}

async function submit(orgId: string, userId: string, request: IncomingMessage) {
  const { message, metadata } = JSON.parse(await textOf(request))
  await takeToken(sql, LIMIT, userId, new Date())
  const id = newId()
  const item = { id, message, metadata, idempotencyKey: null, now: new Date() }
  return insertSubmission(sql, orgId, userId, item, addJob(sql, announceSubmission, { orgId, id }))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

startFloor(respond)
