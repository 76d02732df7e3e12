import type { Pool } from '../../server/database/database.ts'
import { leaseEnd } from '../../server/features/agents/runs/state/lease.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import type { CheckedRun } from './check-run.ts'
import { MODEL, scriptOf } from './scripted-runs.ts'

export type StartedRun = Omit<CheckedRun, 'seen' | 'journal'> & { key: string }

export interface NewRun {
  name: string
  steps: number
  model?: typeof MODEL | 'test/script'
}

/** Starts a run over HTTP, in an organization of its own. */
export async function startRun(
  sql: Pool,
  url: string,
  { name, steps, model = MODEL }: NewRun,
): Promise<StartedRun> {
  const { organization, person, key, project } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner' })
  const secret = (await key(owner, ['models:read', 'files:write', 'agents:write'])).key
  const { id: projectId } = await project(owner)
  const send = createSender(url, secret)
  const agents = await send('GET', '/agents')
  await send('PATCH', `/agents/${agents.items[0].id}`, { model, maxSteps: 100 })
  const content = model === MODEL ? name : scriptOf(name, steps)
  const { id: sessionId, run } = await send('POST', '/sessions', { projectId, message: { content } })
  return { orgId: owner.orgId, id: run.id, sessionId, projectId, name, steps, key: secret }
}

/** Sends requests with an API key. */
export const createSender =
  (url: string, secret: string) => async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new RequestRefused(`${method} ${path} returned ${response.status}: ${text}`, response.status)
    return JSON.parse(text)
  }

/** The server answered, but not with success. */
export class RequestRefused extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** "Try again": what a server may answer while its database or bucket is away, and to many requests at once. */
export const isRepeatable = (status: number): boolean => status === 429 || status === 503

const LEASE_MS = leaseEnd(new Date(0)).getTime()

/** Ends leases that were not renewed for this time, so that no test waits for the whole lease; zero ends all of them. */
export async function expireLeases(sql: Pool, silentMs: number): Promise<number> {
  const now = Date.now()
  // A run that is locked has a live worker, or one that stopped in a transaction.
  const expired = await sql`
    update runs set due_at = ${new Date(now)}
    where (org_id, id) in (
      select org_id, id from runs
      where status = 'running' and agent_id is not null and due_at > ${new Date(now)}
        and due_at <= ${new Date(now + LEASE_MS - silentMs)}
      for update skip locked)
    returning 1`
  if (expired.count > 0) await sql`select pg_notify('atrium_steps', '')`
  return expired.count
}
