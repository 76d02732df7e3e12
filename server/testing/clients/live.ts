import { newId } from '../../security/ids.ts'
import type { Organization, Person } from '../factories/factories.ts'
import type { Headers, TestApp } from '../test-app.ts'

export interface TestProject {
  id: string
  org: Organization
  creator: Person
}

/** A project of the team, with an empty canvas, by the owner of its organization. */
export async function createTestProject(app: TestApp): Promise<TestProject> {
  const org = await app.organization('Engines')
  const creator = await app.person(org, { role: 'owner', name: 'Ada' })
  const { id } = await app.project(creator, { name: 'Launch' })
  return { id, org, creator }
}

/** So many changes of its canvas, made in one transaction as every writer does it. */
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
  id?: string
  // biome-ignore lint/suspicious/noExplicitAny: an event of any shape, which the test then asserts on
  data: any
}

export type CanvasStream = Awaited<ReturnType<typeof openCanvasStream>>

/** An open stream of a canvas, and what it has told so far. */
export const openCanvasStream = (
  app: Pick<TestApp, 'url'>,
  { id }: { id: string },
  { headers, query = '' }: { headers: Headers; query?: string },
) => openEventStream(app, `/api/v1/projects/${id}/live${query}`, headers)

/** An open stream of events, and what it has told so far. */
export async function openEventStream({ url }: Pick<TestApp, 'url'>, path: string, headers: Headers) {
  const stop = new AbortController()
  const response = await fetch(url + path, { headers, signal: stop.signal })
  const events: ReceivedEvent[] = []
  const frames: string[] = []
  const state = { hasEnded: false }
  const read = async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body!) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        frames.push(part)
        const event = eventIn(part)
        if (event) events.push(event)
      }
    }
  }
  const over = read()
    .catch(() => {})
    .finally(() => {
      state.hasEnded = true
    })
  return {
    status: response.status,
    headers: response.headers,
    events,
    /** As they arrived. */
    frames,
    hasEnded: () => state.hasEnded,
    /** The numbers of the changes, in the order in which they came. */
    seqs: () => events.filter(({ event }) => event === 'change').map(({ data }) => data.seq as number),
    of: (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data),
    async disconnect() {
      stop.abort()
      await over
    },
  }
}

function eventIn(part: string): ReceivedEvent | null {
  const fields = new Map(
    part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const event = fields.get('event')
  return event ? { event, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') } : null
}
