import autocannon from 'autocannon'
import { newId } from '../server/security/ids.ts'
import type { Program } from './program.ts'

export const CONNECTIONS = 32
const ROUND_SECONDS = 3
const ROUNDS = 5

export interface Case {
  name: string
  /** Each with its own API key. */
  callers: number
  /** One request for all callers, or those a caller sends in turn. */
  request: Request | ((caller: number) => Request[])
  /** If it differs. */
  floorRequest?: Case['request']
  /** Replaces `#` in the body with a new id per request. */
  hasUniqueBodies?: true
}

export interface Request {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: string
  headers?: Record<string, string>
}

/** Alternates floor and subject so that other load affects both. */
export async function compare(
  { callers, request, floorRequest = request, hasUniqueBodies }: Case,
  programs: { floor: Program; subject: Program },
  allKeys: string[],
  beforeRound: () => Promise<void>,
) {
  const keys = allKeys.slice(0, callers)
  const rounds: Record<'floor' | 'subject', Awaited<ReturnType<typeof measure>>>[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    await beforeRound()
    const floor = await measure(programs.floor, floorRequest, keys, hasUniqueBodies)
    await beforeRound()
    const subject = await measure(programs.subject, request, keys, hasUniqueBodies)
    // The first round is a warm-up.
    if (round > 0) rounds.push({ floor, subject })
  }
  return {
    ratio: median(rounds.map(({ floor, subject }) => subject.perSecond / floor.perSecond)),
    floorPerSecond: median(rounds.map(({ floor }) => floor.perSecond)),
    subjectPerSecond: median(rounds.map(({ subject }) => subject.perSecond)),
    p99: median(rounds.map(({ subject }) => subject.p99)),
    cpu: cpuNote(
      median(rounds.map(({ subject }) => subject.cpuMs)),
      median(rounds.map(({ floor }) => floor.cpuMs)),
    ),
  }
}

/** CPU time is less sensitive to other load than throughput. */
export const cpuNote = (ours: number, floor: number) =>
  Number.isNaN(ours) ? 'CPU unknown' : `CPU ${ours.toPrecision(2)} ms, floor ${floor.toPrecision(2)} ms`

function measure(program: Program, request: Case['request'], keys: string[], hasUniqueBodies = false) {
  const requestsOf = typeof request === 'function' ? request : () => [request]
  const callersEach = Math.floor(keys.length / CONNECTIONS)
  // Separate callers per connection, so none reaches a rate limit because of another.
  return load(program, ROUND_SECONDS, (connection) => {
    const start = connection * callersEach
    return keys.slice(start, start + callersEach).flatMap((key, index) =>
      requestsOf(start + index).map((each) => ({
        ...each,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...each.headers },
        ...(hasUniqueBodies ? { setupRequest: insertId } : {}),
      })),
    )
  })
}

export async function load(
  program: Program,
  seconds: number,
  requestsOf: (connection: number) => autocannon.Request[],
) {
  const { url } = program
  let connection = 0
  const cpuBefore = program.cpuMs()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => client.setRequests(requestsOf(connection++ % CONNECTIONS)),
  })
  const failures = result.non2xx + result.errors + result.timeouts
  if (failures > 0) throw new Error(`${failures} requests to ${url} failed: the figures would be meaningless`)
  const cpuMs = (program.cpuMs() - cpuBefore) / result.requests.total
  return { perSecond: result.requests.average, p99: result.latency.p99, cpuMs }
}

export const insertId = (request: autocannon.Request): autocannon.Request => ({
  ...request,
  body: String(request.body).replaceAll('#', newId()),
})

export async function compareTimes(
  few: () => Promise<unknown>,
  many: () => Promise<unknown>,
  rounds: number,
) {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.few.push(await measureMs(few))
    times.many.push(await measureMs(many))
  }
  const [fewMs, manyMs] = [median(times.few), median(times.many)]
  return { ratio: manyMs / fewMs, fewMs, manyMs }
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
