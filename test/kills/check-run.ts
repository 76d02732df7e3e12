import { isDeepStrictEqual } from 'node:util'
import type { Pool } from '../../server/database/database.ts'
import { problemUnless } from '../problem-unless.ts'
import type { SeenEvent } from './follow-run.ts'
import { partsOf, usageOf } from './scripted-runs.ts'

export interface CheckedRun {
  orgId: string
  id: string
  sessionId: string
  projectId: string
  /** The name with which its blocks and files begin. */
  name: string
  steps: number
  /** The events of a reader that connected again after each kill. */
  seen: readonly SeenEvent[]
  /** The requests for a step that the provider received; null if the model runs in the server. */
  journal: ((step: number) => { requests: number; complete: number }) | null
}

interface StoredEvent {
  seq: number
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: data of any event
  data: any
}

/** Checks every guarantee of a run that a kill could violate, and returns the violations. */
export async function problemsOf(sql: Pool, run: CheckedRun): Promise<string[]> {
  const events = await sql<StoredEvent[]>`
    select seq::int, type, data from run_events where org_id = ${run.orgId} and run_id = ${run.id} order by seq`
  const lists = await Promise.all([
    checkEnd(sql, run, events),
    checkTexts(sql, run, events),
    checkEffects(sql, run, events),
    checkLedger(sql, run),
    checkConversation(sql, run),
  ])
  return [...checkReader(run, events), ...lists.flat()].map((problem) => `${run.name}: ${problem}`)
}

const where = (sql: Pool, { orgId, id }: CheckedRun) => sql`org_id = ${orgId} and run_id = ${id}`

async function checkEnd(sql: Pool, run: CheckedRun, events: StoredEvent[]): Promise<string[]> {
  const [row] = await sql`
    select r.status, r.error_code as code, r.next_seq::int as next, r.due_at as due, s.active_run_id as active from runs r
    join agent_sessions s on s.org_id = r.org_id and s.id = r.session_id
    where r.org_id = ${run.orgId} and r.id = ${run.id}`
  const { status, code, next, due, active } = row!
  const isEnd = status === 'succeeded' || (status === 'failed' && code === 'interrupted_too_often')
  const countOf = (type: string) => events.filter((event) => event.type === type).length
  return [
    ...problemUnless(isEnd, `ended as ${status} ${code}`),
    ...problemUnless(due === null && active === null, 'is still due, or the active run of its session'),
    ...problemUnless(
      events.every(({ seq }, index) => seq === index + 1) && next === events.length + 1,
      'has a gap in its events',
    ),
    ...problemUnless(
      countOf('run.started') === 1 && countOf('run.finished') === 1,
      'started or finished twice',
    ),
    ...problemUnless(events.at(-1)?.type === 'run.finished', 'has events after its end'),
  ]
}

const checkReader = ({ seen }: CheckedRun, events: StoredEvent[]): string[] => [
  ...problemUnless(
    isDeepStrictEqual(
      seen.map(({ seq }) => seq),
      events.map(({ seq }) => seq),
    ),
    `has ${events.length} events, and a reader saw ${seen.map(({ seq }) => seq).join(' ')}`,
  ),
  ...problemUnless(
    isDeepStrictEqual(
      seen.map(({ type, data }) => ({ type, data })),
      events.map(({ type, data }) => ({ type, data })),
    ),
    'a reader saw events that differ from the stored ones',
  ),
]

async function checkTexts(sql: Pool, run: CheckedRun, events: StoredEvent[]): Promise<string[]> {
  const attempts = await sql<{ n: number; attempt: number; state: string }[]>`
    select n, attempt, state from run_steps where ${where(sql, run)}`
  const messages = await sql<{ step: number; body: string }[]>`
    select step, body from messages where ${where(sql, run)} and role = 'assistant'`
  const parts = partsOf(run.name, run.steps)
  return attempts.flatMap(({ n, attempt, state }) => {
    const expected = parts[n - 1]!.text
    const isOfAttempt = ({ type, data }: StoredEvent) =>
      type === 'text' && data.n === n && data.attempt === attempt
    const shown = withoutLineBreaks(
      events
        .filter(isOfAttempt)
        .map(({ data }) => data.text)
        .join(''),
    )
    const label = `attempt ${attempt} of step ${n}`
    const reported = events.filter(({ data }) => data.n === n && data.attempt === attempt)
    const isOnce = (type: string) => reported.filter((event) => event.type === type).length === 1
    if (!isOnce('step.started') || !isOnce('step.finished') || reported.at(-1)!.type !== 'step.finished')
      return [`${label} does not start and finish once`]
    if (state !== 'done')
      return [
        ...problemUnless(state === 'interrupted', `${label} is still ${state}`),
        ...problemUnless(expected.startsWith(shown), `${label} shows a different text`),
      ]
    const stored = messages.filter(({ step }) => step === n).map(({ body }) => withoutLineBreaks(body))
    return [
      ...problemUnless(shown === expected, `${label} does not show its whole text`),
      ...problemUnless(
        isDeepStrictEqual(stored, [expected]),
        `${label} has a message that differs from its text`,
      ),
    ]
  })
}

/** The script model separates sentences by line breaks. */
const withoutLineBreaks = (text: string) => text.replaceAll('\n', ' ')

async function checkEffects(sql: Pool, run: CheckedRun, events: StoredEvent[]): Promise<string[]> {
  const { orgId, projectId, id } = run
  const calls = await sql<{ step: number; ordinal: number; tool: string; state: string }[]>`
    select step, ordinal, tool, state from run_calls where ${where(sql, run)}`
  const [blocks, files] = await Promise.all([
    sql<{ name: string }[]>`
      select title as name from blocks where org_id = ${orgId} and project_id = ${projectId}`,
    sql<{ name: string }[]>`select name from files where org_id = ${orgId} and source <> 'folder'`,
  ])
  const [changes] = await sql<{ count: number }[]>`
    select count(*)::int from canvas_changes where org_id = ${orgId} and project_id = ${projectId} and run_id = ${id}`
  const count = (rows: { name: string }[], name: string) => rows.filter((row) => row.name === name).length
  const [ended] = await sql<
    { status: string }[]
  >`select status from runs where org_id = ${orgId} and id = ${id}`
  const isSuccess = ended!.status === 'succeeded'
  const created = calls.filter(({ tool, state }) => tool === 'edit_canvas' && state === 'done').length
  return [
    ...problemUnless(
      changes!.count === created,
      `has ${changes!.count} canvas changes for ${created} finished calls`,
    ),
    ...calls.flatMap(({ step, ordinal, tool, state }) => {
      const name = `${run.name} step ${step}`
      const finished = events.filter(
        ({ type, data }) => type === 'tool.finished' && data.n === step && data.ordinal === ordinal,
      ).length
      const effects = tool === 'edit_canvas' ? count(blocks, name) : count(files, `${name}.txt`)
      const expected = state === 'done' ? [1] : state === 'unknown' ? [0, 1] : [0]
      const isExpected = tool === 'read_canvas' || expected.includes(effects)
      return [
        ...problemUnless(state === 'done' || !isSuccess, `${tool} of step ${step} is ${state}`),
        ...problemUnless(isExpected, `${tool} of step ${step} is ${state} and took effect ${effects} times`),
        ...problemUnless(finished === 1, `${tool} of step ${step} finished ${finished} times`),
      ]
    }),
  ]
}

interface LedgerRow {
  n: number
  attempt: number
  state: string
  entries: number
  source: string | null
  quantity: { input: number; output: number } | null
}

/** One entry per attempt: the usage that the provider reported for a finished one, an estimate for one that was cut off. */
async function checkLedger(sql: Pool, run: CheckedRun): Promise<string[]> {
  const rows = await sql<LedgerRow[]>`
    select s.n, s.attempt, s.state, count(u.id)::int as entries, min(u.price_source) as source,
      (array_agg(u.quantity))[1] as quantity
    from run_steps s
    left join usage u on u.org_id = s.org_id and u.run_id = s.run_id and u.step = s.n and u.attempt = s.attempt
    where s.org_id = ${run.orgId} and s.run_id = ${run.id} group by s.n, s.attempt, s.state`
  const [sums] = await sql<{ isEqual: boolean }[]>`
    select r.cost = (select coalesce(sum(u.cost), 0) from usage u where u.org_id = r.org_id and u.run_id = r.id)
      and p.spend = (select coalesce(sum(u.cost), 0) from usage u where u.org_id = p.org_id and u.project_id = p.id)
      as "isEqual"
    from runs r join projects p on p.org_id = r.org_id and p.id = r.project_id
    where r.org_id = ${run.orgId} and r.id = ${run.id}`
  const steps = [...new Set(rows.map(({ n }) => n))]
  return [
    ...problemUnless(sums!.isEqual, 'has a cost that differs from the sum of its ledger'),
    ...rows.flatMap(({ n, attempt, state, entries, source, quantity }) => {
      const expected = usageOf(n)
      const isReported = quantity?.input === expected.input && quantity.output === expected.output
      const isDone = state === 'done'
      const isRight = isDone ? source === 'operator' && (isReported || !run.journal) : source === 'estimate'
      return [
        ...problemUnless(
          entries === 1,
          `attempt ${attempt} of step ${n} has ${entries} entries in the ledger`,
        ),
        ...problemUnless(
          isRight,
          `attempt ${attempt} of step ${n} is ${state} and its ledger entry ${source}`,
        ),
      ]
    }),
    ...steps.flatMap((n) => {
      if (!run.journal) return []
      const { requests, complete } = run.journal(n)
      const attempts = rows.filter((row) => row.n === n)
      const done = attempts.filter(({ state }) => state === 'done').length
      const isRight = done <= complete && requests <= attempts.length
      const summary = `${requests} requests (${complete} complete) for ${attempts.length} attempts (${done} done)`
      return problemUnless(isRight, `the provider received for step ${n} ${summary}`)
    }),
  ]
}

interface StoredPart {
  type: string
  toolCallId?: string
}

/** Checks that models accept the conversation: one message with results follows each message with calls. */
async function checkConversation(sql: Pool, run: CheckedRun): Promise<string[]> {
  const messages = await sql<{ role: string; state: string; content: StoredPart[] }[]>`
    select role, state, content from messages where org_id = ${run.orgId} and session_id = ${run.sessionId} order by seq`
  const idsOf = (parts: StoredPart[] | undefined, type: string) =>
    (parts ?? []).filter((part) => part.type === type).map(({ toolCallId }) => toolCallId)
  const isValid = messages.every(({ role, content }, index) => {
    if (role !== 'assistant') return true
    const next = messages[index + 1]
    const results = next?.role === 'tool' ? idsOf(next.content, 'tool-result') : []
    return isDeepStrictEqual(idsOf(content, 'tool-call'), results)
  })
  return [
    ...problemUnless(isValid, 'has a call without a result'),
    ...problemUnless(
      messages.every(({ state }) => state === 'sent'),
      'has a message that is still queued',
    ),
  ]
}
