import type { Pool } from '../../server/database/database.ts'
import { insertWebhook } from '../../server/features/webhooks/queries.ts'
import { makeSecret, sealSecret } from '../../server/features/webhooks/secrets.ts'
import { newId } from '../../server/security/ids.ts'
import { createVault } from '../../server/security/vault.ts'
import type { openBenchDatabase } from '../bench-database.ts'
import { SECRET } from '../secret.ts'

/** Callers take turns, so that none reaches a rate limit. */
const CALLERS = 12

export type Tenant = Awaited<ReturnType<typeof createTenant>>

/** An organization of `growth_orgs`, with owners who call the API, and with ids of what they read. */
export async function createTenant(
  { sql, person, session }: Awaited<ReturnType<typeof openBenchDatabase>>,
  url: string,
  number: number,
) {
  const [found] = await sql<Found[]>`
    select o.org_id as "orgId", o.workspace_id as "workspaceId", o.webhook_id as "webhookId", p.id as "projectId",
      p.folder_id as "folderId", r.id as "runId", r.session_id as "sessionId"
    from growth_orgs o join growth_projects p on p.i = o.i and p.k = 1
    cross join lateral (select id, session_id from runs r where r.org_id = o.org_id order by r.id desc limit 1) r
    where o.i = ${number}`
  const org = { id: found!.orgId, name: '', workspaceId: found!.workspaceId }
  const cookies: string[] = []
  for (let n = 0; n < CALLERS; n++) cookies.push((await session(await person(org, { role: 'owner' }))).cookie)
  let turn = 0
  const send = async (path: string, init: RequestInit = {}): Promise<number> => {
    const headers = { cookie: cookies[turn++ % CALLERS]!, ...init.headers }
    const start = performance.now()
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers })
    const text = await response.text()
    const time = performance.now() - start
    if (!response.ok) throw new Error(`${path}: ${text}`)
    return time
  }
  return { ...found!, sql, send, receiver: await createReceiver(sql, found!.orgId) }
}

interface Found {
  orgId: string
  workspaceId: string
  webhookId: string
  projectId: string
  folderId: string
  runId: string
  sessionId: string
}

async function createReceiver(sql: Pool, orgId: string) {
  const [id, secret] = [newId(), makeSecret()]
  const { sealed, hash } = sealSecret(createVault(SECRET), id, secret)
  const [owner] = await sql<{ id: string }[]>`
    select user_id as id from memberships where org_id = ${orgId} and role = 'owner' limit 1`
  const settings = {
    name: 'Received',
    url: null,
    source: 'custom',
    scheme: 'auto' as const,
    description: null,
  }
  const secrets = { secretSealed: sealed, secretHash: hash }
  await insertWebhook(sql, orgId, {
    id,
    ...settings,
    ...secrets,
    events: [],
    createdBy: owner!.id,
    now: new Date(),
  })
  return { id, secret }
}
