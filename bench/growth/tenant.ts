import type { openBenchDatabase } from '../bench-database.ts'
import { insertBenchWebhook } from '../seeds/insert-bench-webhook.ts'

/** Callers take turns, so none reaches a rate limit. */
const CALLERS = 12

export type Tenant = Awaited<ReturnType<typeof createTenant>>

/** Its owners call the API. */
export async function createTenant(
  { sql, person, session }: Awaited<ReturnType<typeof openBenchDatabase>>,
  url: string,
  number: number,
) {
  const [ids] = await sql<TenantIds[]>`
    select o.org_id as "orgId", o.workspace_id as "workspaceId", o.webhook_id as "webhookId", p.id as "projectId",
      p.folder_id as "folderId", r.id as "runId", r.session_id as "sessionId"
    from growth_orgs o join growth_projects p on p.i = o.i and p.k = 1
    cross join lateral (select id, session_id from runs r where r.org_id = o.org_id order by r.id desc limit 1) r
    where o.i = ${number}`
  const org = { id: ids!.orgId, name: '', workspaceId: ids!.workspaceId }
  const owner = await person(org, { role: 'owner' })
  const cookies = [(await session(owner)).cookie]
  while (cookies.length < CALLERS) cookies.push((await session(await person(org, { role: 'owner' }))).cookie)
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
  return { ...ids!, sql, send, receiver: await insertBenchWebhook(sql, owner, null) }
}

interface TenantIds {
  orgId: string
  workspaceId: string
  webhookId: string
  projectId: string
  folderId: string
  runId: string
  sessionId: string
}
