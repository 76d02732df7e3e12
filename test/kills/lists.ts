import { LLMock } from '@copilotkit/aimock'
import type { Pool } from '../../server/database/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { problemUnless } from '../problem-unless.ts'
import { isRunEnded, type Work } from './kill-work.ts'
import { MODEL, PRICES } from './scripted-runs.ts'
import { createSender } from './start-runs.ts'

const ROWS_PER_REQUEST = 500
const CONCURRENCY = 20
/** Each of these rows fails until the provider is repaired. */
const FAILS_EVERY = 20
const USAGE = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
/** Of two model calls. */
const ITEM_COST = 2 * (0.001 + 0.0002)
/** The characters of interrupted answers are counted. */
const ITEM_COST_MAX = 20 * ITEM_COST
const CHUNK_MS = 6

/**
 * A provider that works on rows: it makes one change with the row's name, then answers with a result that depends on the
 * row.
 */
export async function startRowProvider() {
  const mock = await LLMock.create({ port: 0, journalMaxEntries: 100 })
  let isBroken = true
  mock.on(
    { predicate: () => true },
    ({ messages }) => {
      const name = rowIn(messages)
      if (isBroken && isFailing(name)) return { error: { message: 'No' }, status: 400 }
      const isFirst = !messages.some(({ role }) => role === 'assistant')
      if (!isFirst) return { content: JSON.stringify(resultOf(name)), usage: USAGE }
      const { tool, input } = changeOf(name)
      return {
        content: `Working on ${name}.`,
        toolCalls: [{ name: tool, arguments: JSON.stringify(input) }],
        usage: USAGE,
      }
    },
    { latency: CHUNK_MS, chunkSize: 12 },
  )
  return {
    env: {
      ATRIUM_PROVIDER_SCRIPTED_URL: `${mock.url}/v1`,
      ATRIUM_PROVIDER_SCRIPTED_API_KEY: 'sk-scripted',
      ATRIUM_PROVIDER_SCRIPTED_MODELS: MODEL.slice(MODEL.indexOf('/') + 1),
      ATRIUM_MODEL_PRICES: PRICES,
    },
    /** Whether the failing rows fail. */
    setBroken(value: boolean) {
      isBroken = value
    },
    stop: () => mock.stop(),
  }
}

interface Message {
  role: string
  content?: unknown
}

function rowIn(messages: readonly Message[]): string {
  const text = JSON.stringify(messages.findLast(({ role }) => role === 'user'))
  return /Name\\+": \\+"(row \d+)/.exec(text)![1]!
}

const nameOf = (n: number) => `row ${n}`
const numberOf = (name: string) => Number(name.slice('row '.length))
const isFailing = (name: string) => numberOf(name) % FAILS_EVERY === 0
const resultOf = (name: string) => ({ score: numberOf(name) * 3, note: `Checked ${name}` })

/** Half of the rows in the call's transaction, and half with an idempotency key. */
const changeOf = (name: string) =>
  numberOf(name) % 2 === 0
    ? { tool: 'edit_canvas', input: { create: [{ type: 'note', title: name }] } }
    : { tool: 'write_file', input: { name: `${name}.txt`, text: `Written for ${name}` } }

interface StartedList {
  orgId: string
  projectId: string
  tableId: string
  /** The last one is a retry of the others. */
  runIds: string[]
  rows: number
  budget: number | null
  send: (url: string, method: string, path: string) => ReturnType<ReturnType<typeof createSender>>
}

interface ListOptions {
  rows: number
  /** Every second list has a budget for a part of its rows. */
  withBudgets: boolean
}

/** A table whose rows get their results in columns, in an organization of its own. */
export const listWork = (
  sql: Pool,
  provider: Pick<Awaited<ReturnType<typeof startRowProvider>>, 'setBroken'>,
  { rows, withBudgets }: ListOptions,
): Work<StartedList> => ({
  start: (url, number) => {
    provider.setBroken(true)
    const budget = withBudgets && number % 2 === 0 ? (rows / 5) * ITEM_COST : null
    return startList(sql, url, { rows, budget })
  },
  isEnded: ({ orgId, runIds }) => isRunEnded(sql, orgId, runIds.at(-1)!),
  progressOf: async ({ orgId }) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int from run_steps where org_id = ${orgId} and state = 'done'`
    return row!.count
  },
  problemsOf: (list) => problemsOfList(sql, list),
  async resume(list, url) {
    const { orgId, runIds, budget } = list
    const [run] = await sql<{ status: string }[]>`
      select status from runs where org_id = ${orgId} and id = ${runIds.at(-1)!}`
    if (run!.status === 'succeeded' || budget !== null) return false
    provider.setBroken(false)
    runIds.push((await list.send(url, 'POST', `/runs/${runIds.at(-1)!}/retry`)).id)
    return true
  },
})

async function startList(
  sql: Pool,
  url: string,
  { rows, budget }: Pick<StartedList, 'rows' | 'budget'>,
): Promise<StartedList> {
  const { organization, person, key, project } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner' })
  const secret = (await key(owner, ['models:read', 'files:write', 'agents:write'])).key
  const { id: projectId } = await project(owner)
  const send = createSender(url, secret)
  const agent = await send('POST', '/agents', { name: 'Worker', model: MODEL })
  const table = await send('POST', `/projects/${projectId}/tables`, {
    name: 'Companies',
    key: 'name',
    columns: [
      { name: 'Name', type: 'text' },
      { name: 'Score', type: 'number' },
      { name: 'Note', type: 'text' },
    ],
  })
  const names = Array.from({ length: rows }, (_, index) => nameOf(index + 1))
  for (let at = 0; at < rows; at += ROWS_PER_REQUEST)
    await send('POST', `/tables/${table.id}/rows`, {
      rows: names.slice(at, at + ROWS_PER_REQUEST).map((Name) => ({ values: { Name } })),
    })
  const { run } = await send('POST', `/projects/${projectId}/for-each`, {
    agentId: agent.id,
    instructions: 'Check the company',
    over: { from: 'rows', tableId: table.id, results: { Score: 'score', Note: 'note' } },
    concurrency: CONCURRENCY,
    outputSchema: {
      type: 'object',
      properties: { score: { type: 'number' }, note: { type: 'string' } },
      required: ['score', 'note'],
      additionalProperties: false,
    },
    ...(budget !== null && { budget }),
  })
  return {
    ...{ orgId: owner.orgId, projectId, tableId: table.id, runIds: [run.id], rows, budget },
    send: (base, method, path) => createSender(base, secret)(method, path),
  }
}

interface Item {
  label: string
  state: 'queued' | 'running' | 'done' | 'failed'
  attempts: number
  runId: string | null
  output: unknown
  error: string | null
  errorCode: string | null
  /** Changes that its last run made. */
  changes: number
}

/** Each row has exactly one result, each change was made once, and a row that failed stopped no other. */
async function problemsOfList(sql: Pool, list: StartedList): Promise<string[]> {
  const { orgId, projectId, tableId, runIds, rows, budget } = list
  const runId = runIds.at(-1)!
  const isRetry = runIds.length > 1
  const [run] = await sql<{ status: string; error: string | null }[]>`
    select status, error from runs where org_id = ${orgId} and id = ${runId}`
  const [counts] = await sql<
    { total: number; running: number; done: number; failed: number; cost: number; lists: number }[]
  >`
    select total, running, done, failed, cost::float,
      (select count(*) from item_lists where org_id = ${orgId})::int as lists
    from item_lists where org_id = ${orgId} and run_id = ${runId}`
  const items = await sql<Item[]>`
    select i.label, i.state, i.attempts, i.run_id as "runId", i.output, i.error, r.error_code as "errorCode", (
      select count(*)::int from run_calls c
      where c.org_id = ${orgId} and c.run_id = i.run_id and c.tool in ('edit_canvas', 'write_file') and c.state = 'done'
    ) as changes
    from list_items i left join runs r on r.org_id = i.org_id and r.id = i.run_id
    where i.org_id = ${orgId} order by i.n`
  const [itemRuns] = await sql<{ count: number; open: number; cost: number; ledger: number }[]>`
    select count(*)::int as count, count(*) filter (where finished_at is null)::int as open,
      coalesce(sum(cost), 0)::float as cost,
      (select coalesce(sum(u.cost), 0) from usage u where u.org_id = ${orgId})::float as ledger
    from runs where org_id = ${orgId} and parent_run_id = any(${runIds}::uuid[])`
  const made = await sql<{ name: string; calls: number; effects: number }[]>`
    with calls as (
      select coalesce(input -> 'create' -> 0 ->> 'title', replace(input ->> 'name', '.txt', '')) as name, count(*)
      from run_calls where org_id = ${orgId} and tool in ('edit_canvas', 'write_file') and state = 'done' group by 1
    ), effects as (
      select name, count(*) from (
        select title as name from blocks where org_id = ${orgId} and project_id = ${projectId}
        union all
        -- Writing a file again adds a version.
        select replace(name, '.txt', '') from files, generate_series(1, content_number)
        where org_id = ${orgId} and name like 'row %'
      ) e group by 1
    )
    select name, coalesce(c.count, 0)::int as calls, coalesce(e.count, 0)::int as effects
    from calls c full join effects e using (name)`
  const cells = await sql<{ name: string; score: number | null; note: string | null; writes: number }[]>`
    select r.cells ->> 'name' as name, (r.cells ->> 'score')::float as score, r.cells ->> 'note' as note, (
      select count(*)::int from table_row_changes c
      where c.org_id = ${orgId} and c.table_id = ${tableId} and c.row_id = r.id and c.before is not null
    ) as writes
    from table_rows r where r.org_id = ${orgId} and r.table_id = ${tableId}`

  const of = (state: Item['state']) => items.filter((item) => item.state === state)
  const [done, failed, queued] = [of('done'), of('failed'), of('queued')]
  const changesByName = new Map(made.map((each) => [each.name, each]))
  const cellsByName = new Map(cells.map((each) => [each.name, each]))
  const isStopped = budget !== null && queued.length > 0
  const end = isStopped
    ? `The budget of $${budget} is used: ${done.length} of ${rows} items are done`
    : failed.length > 0
      ? `${failed.length} of ${rows} items failed`
      : null

  const problemOfRow = ({ label, state, output, changes, error, errorCode }: Item): string[] => {
    const { score = null, note = null, writes = 0 } = cellsByName.get(label) ?? {}
    const { calls, effects } = changesByName.get(label) ?? { calls: 0, effects: 0 }
    const expected = resultOf(label)
    const hasResult = score === expected.score && note === expected.note && writes === 1
    const isEmpty = score === null && note === null && writes === 0
    const problem = (text: string) =>
      `${label} ${text}: ${JSON.stringify({ state, output, error, errorCode, score, note, writes, calls, effects, changes })}`
    return [
      ...problemUnless(calls === effects, problem('has other changes than calls')),
      ...problemUnless(
        state !== 'done' || (hasResult && changes === 1),
        problem('has not exactly one result'),
      ),
      ...problemUnless(state === 'done' || isEmpty, problem('has a result without being done')),
      ...problemUnless(
        state !== 'failed' || errorCode === 'interrupted_too_often' || (isFailing(label) && !isRetry),
        problem('failed'),
      ),
      ...problemUnless(state !== 'queued' || effects === 0, problem('has not started and made a change')),
    ]
  }

  return [
    ...problemUnless(
      run!.status === (end === null ? 'succeeded' : 'failed') && (end === null || run!.error!.endsWith(end)),
      `ended as ${run!.status}: ${run!.error}`,
    ),
    ...problemUnless(items.length === rows && counts!.lists === 1, `has ${items.length} items`),
    ...problemUnless(
      counts!.total === rows &&
        counts!.running === 0 &&
        counts!.done === done.length &&
        counts!.failed === failed.length &&
        done.length + failed.length + queued.length === rows,
      `has wrong counts: ${JSON.stringify(counts)}`,
    ),
    ...problemUnless(budget !== null || queued.length === 0, `has ${queued.length} items that did not run`),
    ...problemUnless(
      budget === null || (isStopped && itemRuns!.cost <= budget + ITEM_COST_MAX),
      `spent $${itemRuns!.cost} of $${budget}`,
    ),
    ...problemUnless(
      itemRuns!.open === 0 && itemRuns!.count === items.reduce((sum, { attempts }) => sum + attempts, 0),
      `has ${itemRuns!.count} runs for its attempts, ${itemRuns!.open} of them open`,
    ),
    ...problemUnless(
      Math.abs(counts!.cost - itemRuns!.cost) < 1e-6 && Math.abs(itemRuns!.ledger - itemRuns!.cost) < 1e-6,
      `costs ${counts!.cost}, its runs ${itemRuns!.cost}, the ledger ${itemRuns!.ledger}`,
    ),
    ...items.flatMap(problemOfRow),
  ].map((problem) => `List of ${rows}${isRetry ? ', retried' : ''}: ${problem}`)
}
