import { readEvents } from '../../../client/event-stream.ts'
import { newId } from '../../security/ids.ts'
import type { Organization, Person } from '../factories/factories.ts'
import type { Headers, TestApp } from '../test-app.ts'

export interface TestProject {
  id: string
  org: Organization
  creator: Person
}

export async function createTestProject(app: TestApp): Promise<TestProject> {
  const org = await app.organization('Engines')
  const creator = await app.person(org, { role: 'owner', name: 'Ada' })
  const { id } = await app.project(creator, { name: 'Launch' })
  return { id, org, creator }
}

/** In one transaction, like `writeCanvas`. */
export async function recordChanges(
  app: TestApp,
  { id, org, creator }: TestProject,
  count = 1,
  content = 'c',
) {
  const now = app.clock.now()
  return app.sql.begin(async (sql) => {
    const [row] = await sql<{ seq: number }[]>`
      update projects set change_seq = change_seq + ${count}, changed_at = ${now}
      where org_id = ${org.id} and id = ${id} returning change_seq as seq`
    const last = row!.seq
    await sql`
      insert into canvas_changes (org_id, project_id, seq, entity, item_id, action, after, user_id, created_at)
      select ${org.id}, ${id}, seq, 'block', ${newId()}, 'updated', jsonb_build_object('content', ${content}::text),
        ${creator.id}, ${now}
      from generate_series(${last - count + 1}::bigint, ${last}) seq`
    await sql`select pg_notify('atrium_live', ${JSON.stringify({ orgId: org.id, projectId: id, kind: 'change' })})`
    return last
  })
}

interface ReceivedEvent {
  event: string
  id?: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: data of any shape, which the test asserts on
  data: any
}

export type CanvasStream = Awaited<ReturnType<typeof openCanvasStream>>

export const openCanvasStream = (
  app: Pick<TestApp, 'url'>,
  { id }: { id: string },
  { headers, query = '' }: { headers: Headers; query?: string },
) => openEventStream(app, `/api/v1/projects/${id}/live${query}`, headers)

export async function openEventStream({ url }: Pick<TestApp, 'url'>, path: string, headers: Headers) {
  const stop = new AbortController()
  const response = await fetch(url + path, { headers, signal: stop.signal })
  const events: ReceivedEvent[] = []
  let hasEnded = false
  const read = async () => {
    for await (const { name, data, id } of readEvents(response.body!))
      events.push({ event: name, id, data: JSON.parse(data) })
  }
  const ended = read()
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })
  return {
    status: response.status,
    headers: response.headers,
    events,
    hasEnded: () => hasEnded,
    seqs: () => events.filter(({ event }) => event === 'change').map(({ data }) => data.seq as number),
    of: (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data),
    async disconnect() {
      stop.abort()
      await ended
    },
  }
}
