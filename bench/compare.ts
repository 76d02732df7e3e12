import autocannon from 'autocannon'
import { newId } from '../server/security/ids.ts'

const CONNECTIONS = 32
const ROUND_SECONDS = 3
const ROUNDS = 5

export interface Case {
  name: string
  /** The number of users that make the requests. */
  people: number
  /** One request for all users, or one per user in turn. */
  request: Request | ((person: number) => Request[])
  /** The request to the floor, if it differs. */
  floorRequest?: Case['request']
  /** `#` in a body is replaced by a different value in each request. */
  isNumbered?: true
}

interface Request {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: string
}

/** Interleaves floor and subject, so that other load on the machine affects both; compares round by round. */
export async function compare(
  { people, request, floorRequest = request, isNumbered }: Case,
  programs: { floor: string; subject: string },
  allKeys: string[],
  beforeRound: () => Promise<void>,
) {
  const keys = allKeys.slice(0, people)
  const rounds: { floor: number; subject: number; p99: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    await beforeRound()
    const floor = await measure(programs.floor, floorRequest, keys, isNumbered)
    await beforeRound()
    const subject = await measure(programs.subject, request, keys, isNumbered)
    // The first round warms both up.
    if (round > 0) rounds.push({ floor: floor.perSecond, subject: subject.perSecond, p99: subject.p99 })
  }
  return {
    ratio: median(rounds.map(({ floor, subject }) => subject / floor)),
    floorPerSecond: median(rounds.map(({ floor }) => floor)),
    subjectPerSecond: median(rounds.map(({ subject }) => subject)),
    p99: median(rounds.map(({ p99 }) => p99)),
  }
}

async function measure(url: string, request: Case['request'], keys: string[], isNumbered = false) {
  const requestsOf = typeof request === 'function' ? request : () => [request]
  const share = Math.floor(keys.length / CONNECTIONS)
  let connection = 0
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    // Each connection has its own users, as a thousand clients would: none consumes another one's rate limit.
    setupClient(client) {
      const start = (connection++ % CONNECTIONS) * share
      client.setRequests(
        keys.slice(start, start + share).flatMap((key, index) => {
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
          const numbered = isNumbered ? { setupRequest: number } : {}
          return requestsOf(start + index).map((each) => ({ ...each, headers, ...numbered }))
        }),
      )
    },
  })
  const failures = result.non2xx + result.errors + result.timeouts
  if (failures > 0) throw new Error(`${failures} requests to ${url} failed: the figures would be meaningless`)
  return { perSecond: result.requests.average, p99: result.latency.p99 }
}

const number = (request: autocannon.Request): autocannon.Request => ({
  ...request,
  body: String(request.body).replace('#', newId()),
})

/** The same request on a small and on a large data set, interleaved. */
export async function compareTimes(
  few: () => Promise<unknown>,
  many: () => Promise<unknown>,
  rounds: number,
) {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.few.push(await timeOf(few))
    times.many.push(await timeOf(many))
  }
  const [left, right] = [median(times.few), median(times.many)]
  return { ratio: right / left, figures: `${left.toFixed(2)} ms and ${right.toFixed(2)} ms` }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
