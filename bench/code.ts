import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBenchDatabase } from './bench-database.ts'
import { median } from './compare.ts'
import { startProgram } from './program.ts'
import { report } from './report.ts'

const CALLS = 50
const ROUNDS = 7
const RATIO_MAX = 1.3

/** Compares calls that a program makes, one after the other, with the same calls made by steps. The model takes no time. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key, project } = database
const env = { ATRIUM_TEST_MODELS: '1' }
const api = await startProgram('subject.ts', database.connection, folder, env)
const worker = await startProgram('worker.ts', database.connection, folder, env)
try {
  await measureCalls('a read', 'list_files', { query: 'nothing' })
  await measureCalls('a change', 'edit_canvas', { create: [{ type: 'note', title: 'Note' }] })
} finally {
  await Promise.all([api.stop(), worker.stop()])
  await database.close()
}

async function measureCalls(name: string, tool: string, input: object) {
  const startRun = await createTenant()
  const json = JSON.stringify(input)
  const code = `for (let n = 0; n < ${CALLS}; n++) await tools.${tool}(${json})`
  const steps = Array.from({ length: CALLS }, () => `call ${tool} ${json}`)
  const inner = [`call run_code ${JSON.stringify({ code })}`, '---', 'say Done']
  const direct = [...steps.flatMap((line) => [line, '---']), 'say Done']
  const atOnce = [...steps, '---', 'say Done']
  const rounds = { inner: [] as number[], direct: [] as number[], atOnce: [] as number[] }
  // The first round starts processes and fills caches.
  for (let round = 0; round <= ROUNDS; round++) {
    const [innerMs, directMs, atOnceMs] = [
      await startRun(inner),
      await startRun(direct),
      await startRun(atOnce),
    ]
    if (round === 0) continue
    rounds.inner.push(innerMs / CALLS)
    rounds.direct.push(directMs / CALLS)
    rounds.atOnce.push(atOnceMs / CALLS)
  }
  const [ours, floor, batch] = [median(rounds.inner), median(rounds.direct), median(rounds.atOnce)]
  report({
    name: `${name} by a program, and by steps`,
    ratio: ours / floor,
    ours: `${ours.toFixed(1)} ms`,
    floor: `${floor.toFixed(1)} ms`,
    target: { text: `≤ ${RATIO_MAX}`, isMet: ours / floor <= RATIO_MAX },
    note: `${batch.toFixed(1)} ms as one of ${CALLS} calls in one step, load average ${loadavg()[0]!.toFixed(1)}`,
  })
}

async function createTenant() {
  const owner = await person(await organization(), { role: 'owner' })
  const secret = (await key(owner)).key
  const { id: projectId } = await project(owner)
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text)
  }
  const agent = await send('POST', '/agents', { name: 'Bench', model: 'test/script', maxSteps: 100 })
  return async (lines: string[]): Promise<number> => {
    const content = ['~~~script', ...lines, '~~~'].join('\n')
    const { run } = await send('POST', '/sessions', { projectId, agentId: agent.id, message: { content } })
    for (;;) {
      const [row] = await sql<{ ms: number | null; status: string }[]>`
        select status, extract(epoch from finished_at - started_at)::float * 1000 as ms from runs where id = ${run.id}`
      if (row!.status === 'succeeded') return row!.ms!
      if (row!.status === 'failed') throw new Error('The run failed')
      await sleep(20)
    }
  }
}
