import { isDeepStrictEqual } from 'node:util'
import type { Pool } from '../../server/database/database.ts'
import type { CallState } from '../../server/features/agents/runs/calls/call-queries.ts'
import { LIBRARY } from '../../server/features/agents/runs/code/library/library.ts'
import { toProgramResult } from '../../server/features/agents/runs/code/results.ts'
import { createSandbox, type HandedResult, type ProgramCall } from '../../server/sandbox/sandbox.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { problemUnless } from '../problem-unless.ts'
import { isRunEnded, type Work } from './kill-work.ts'
import { createSender } from './start-runs.ts'

const ROUNDS = 5
const LANES = 3
const PROGRAM_CALLS = ROUNDS * (LANES * 3 + 2)

/**
 * Calls at the same time, with waits of random length. What it calls next depends on what arrived first, and when. One
 * call per round is refused.
 */
const codeOf = (name: string) => `
const log = []
for (let round = 0; round < ${ROUNDS}; round++) {
  const order = []
  await Promise.all(Array.from({ length: ${LANES} }, async (_, lane) => {
    await sleep(5 + Math.random() * 150)
    order.push(lane)
    const place = '${name} ' + round + '.' + lane + ' as ' + order.length
    await tools.edit_canvas({ create: [{ type: 'note', title: place }] })
    await tools.write_file({ name: place + '.txt', text: 'Random ' + Math.random() })
  }))
  const refusal = await tools.write_file({}).catch((error) => error.message)
  console.log(round, order.join(''), refusal, Date.now())
  await tools.edit_canvas({ create: [{ type: 'note', title: '${name} ' + round + ' in order ' + order.join('') + ' at ' + Date.now() }] })
  log.push([order.join(''), refusal, Date.now()])
}
return log`

export const programWork = (sql: Pool): Work<StartedProgram> => ({
  start: (url, number) => startProgram(sql, url, `Program ${number}`),
  isEnded: ({ orgId, runId }) => isRunEnded(sql, orgId, runId),
  problemsOf: (program) => problemsOfProgram(sql, program),
})

interface StartedProgram {
  orgId: string
  runId: string
  projectId: string
  name: string
}

/** In an organization of its own. */
async function startProgram(sql: Pool, url: string, name: string): Promise<StartedProgram> {
  const { organization, person, key, project } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner' })
  const secret = (await key(owner, ['models:read', 'files:write', 'agents:write'])).key
  const { id: projectId } = await project(owner)
  const send = createSender(url, secret)
  const agent = await send('POST', '/agents', { name: 'Programmer', model: 'test/script' })
  const content = `~~~script\ncall run_code ${JSON.stringify({ code: codeOf(name) })}\n---\nsay Done\n~~~`
  const { run } = await send('POST', '/sessions', { projectId, agentId: agent.id, message: { content } })
  return { orgId: owner.orgId, runId: run.id, projectId, name }
}

interface Row {
  number: number
  tool: string
  state: CallState
  input: { create?: { title: string }[]; name?: string }
  output: unknown
  handed: number | null
  finishedAt: string
}

/** Each call happened once, and the result is that of a program that nothing interrupted. */
async function problemsOfProgram(sql: Pool, program: StartedProgram): Promise<string[]> {
  const { orgId, runId, projectId, name } = program
  const [run] = await sql<
    { status: string }[]
  >`select status from runs where org_id = ${orgId} and id = ${runId}`
  const [call] = await sql<
    { state: string; output: { result?: unknown }; startedAt: string; console: { text: string }[] }[]
  >`
    select state, output, started_at as "startedAt", console from run_calls
    where org_id = ${orgId} and run_id = ${runId} and parent is null`
  const rows = await sql<Row[]>`
    select ordinal % 1000000 as number, tool, state, input, output, handed, finished_at as "finishedAt" from run_calls
    where org_id = ${orgId} and run_id = ${runId} and parent is not null order by ordinal`
  const titles = await sql<{ title: string }[]>`
    select title from blocks where org_id = ${orgId} and project_id = ${projectId} order by title`
  const files = await sql<{ name: string }[]>`
    select name from files where org_id = ${orgId} and name like ${`${name} %`} order by name`
  const called = (tool: string) => rows.filter((row) => row.tool === tool && row.state === 'done')
  const uninterrupted = await repeat(rows, name, `${runId}:1:1`, new Date(call!.startedAt))
  return [
    ...problemUnless(
      run!.status === 'succeeded' && call!.state === 'done',
      `ended as ${run!.status}, ${call!.state}`,
    ),
    ...problemUnless(rows.length === PROGRAM_CALLS, `made ${rows.length} calls`),
    ...problemUnless(
      rows.every(({ state, input }) => state === (isRefused(input) ? 'failed' : 'done')),
      'has a call that is not done',
    ),
    ...problemUnless(
      isDeepStrictEqual(
        rows.map(({ handed }) => handed).toSorted((a, b) => a! - b!),
        rows.map((_, index) => index + 1),
      ),
      'has no complete order of results',
    ),
    ...problemUnless(
      isDeepStrictEqual(
        titles.map(({ title }) => title),
        called('edit_canvas')
          .map(({ input }) => input.create![0]!.title)
          .toSorted(),
      ),
      'has other blocks than calls',
    ),
    ...problemUnless(
      isDeepStrictEqual(
        files.map((file) => file.name),
        called('write_file')
          .map(({ input }) => input.name)
          .toSorted(),
      ),
      'has other files than calls',
    ),
    ...problemUnless(call!.console?.length === ROUNDS, `has ${call!.console?.length} lines in its console`),
    ...problemUnless(
      isDeepStrictEqual(uninterrupted, call!.output.result),
      `returned ${JSON.stringify(call!.output)} instead of ${JSON.stringify(uninterrupted)}`,
    ),
  ].map((problem) => `${name}: ${problem}`)
}

const isRefused = (input: object) => Object.keys(input).length === 0

/** Runs the program from the beginning to its end, with the stored results. */
async function repeat(rows: readonly Row[], name: string, seed: string, now: Date): Promise<unknown> {
  const sandbox = createSandbox()
  const order = rows.filter(({ handed }) => handed !== null).toSorted((a, b) => a.handed! - b.handed!)
  const issued: ProgramCall[] = []
  try {
    const result = await sandbox.runProgram({
      orgId: '',
      code: codeOf(name),
      library: LIBRARY,
      tools: ['edit_canvas', 'write_file'],
      seed,
      now,
      onTurn: ({ calls }) => void issued.push(...calls),
      next: async (): Promise<HandedResult | null> => {
        const row = order.shift()
        if (!row || !issued.some(({ number, name: tool }) => number === row.number && tool === row.tool))
          return null
        const { text, isError } = toProgramResult(row)
        return { number: row.number, isError, output: text, now: new Date(row.finishedAt).getTime() }
      },
    })
    return result.state === 'done' ? result.value : result
  } finally {
    await sandbox.close()
  }
}
