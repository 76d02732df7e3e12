import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Pool } from '../../server/database/database.ts'
import { newId } from '../../server/security/ids.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { createSender, isRepeatable } from './start-runs.ts'

const TENANTS = 2
const PROJECTS = 4
const PAUSE_MS = 20
/** A server that is alive answers within this time, whatever hangs behind it. */
const ANSWER_MS = 40_000

interface Answer {
  status: number
  headers: Headers
  text: string
}

interface Question {
  name: string
  key: string
  method?: string
  path: string
  body?: object
  /** What is wrong with an answer, or null. */
  check: (answer: Answer) => string | null
  /** Called if nobody knows whether the server did it. */
  onUnknown?: () => void
}

type Tenant = Awaited<ReturnType<typeof createTenant>>

/**
 * Clients that ask questions whose answers they know, as long as anything else is killed, restarted or hung. An answer
 * is right, or "try again", or the connection broke: no other status, no empty list, no record of another tenant.
 */
export async function startQuestions(sql: Pool, url: () => string | undefined, { isProxied = false } = {}) {
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, (_, n) => createTenant(sql, url()!, `Tenant ${n + 1}`)),
  )
  const problems: string[] = []
  const counts: Record<string, number> = {}
  let isStopped = false

  async function ask(question: Question): Promise<void> {
    const base = url()
    if (!base) return
    const { name, key, method = 'GET', path, body } = question
    let answer: Answer
    try {
      const response = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      answer = { status: response.status, headers: response.headers, text: await response.text() }
    } catch (error) {
      question.onUnknown?.()
      if ((error as Error).name === 'TimeoutError')
        problems.push(`${name}: no answer within ${ANSWER_MS / 1000} s`)
      return count('broken connection')
    }
    count(`${answer.status}`)
    if (isProxied && isOfProxy(answer)) return question.onUnknown?.()
    if (isRepeatable(answer.status)) question.onUnknown?.()
    const fault = isRepeatable(answer.status) ? faultOfRefusal(answer) : question.check(answer)
    if (fault) problems.push(`${name}: ${fault} (${answer.status} ${answer.text.slice(0, 200)})`)
  }

  function count(outcome: string): void {
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }

  async function askRepeatedly(tenant: Tenant, other: Tenant): Promise<void> {
    while (!isStopped) {
      for (const question of questionsOf(tenant, other)) {
        await ask(question)
        await sleep(PAUSE_MS)
      }
    }
  }

  const running = tenants.map((tenant, n) => askRepeatedly(tenant, tenants[(n + 1) % TENANTS]!))
  return {
    problems,
    /** How many answers had each status, and how many connections broke. */
    counts,
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(running)
    },
  }
}

/** A proxy that finds no server, or loses it while it waits, answers with a page of its own. */
const isOfProxy = ({ status, text }: Answer) => [502, 503, 504].includes(status) && text.includes('<html>')

/** Says what is wrong with a refusal that asks the client to try again. */
function faultOfRefusal({ headers, text }: Answer): string | null {
  if (!headers.has('retry-after')) return 'a refusal without retry-after'
  return /"code":"(UNAVAILABLE|RATE_LIMITED)"/.test(text) ? null : 'a refusal without its code'
}

async function createTenant(sql: Pool, url: string, name: string) {
  const { organization, person, key } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner' })
  const secret = (await key(owner, ['files:write'])).key
  const send = createSender(url, secret)
  const projects: { id: string; name: string }[] = []
  for (let n = 1; n <= PROJECTS; n++)
    projects.push(await send('POST', '/projects', { name: `${name} project ${n}` }))
  const text = `The file of ${name}. `.repeat(2000)
  const file = (await send('POST', '/files/text', { name: `${name}.txt`, text })).data as { id: string }
  return {
    name,
    secret,
    projects,
    file: { id: file.id, sha256: sha256(text) },
    /** The descriptions that the first project may have: more than one after an attempt whose end is unknown. */
    descriptions: [null] as (string | null)[],
    writes: 0,
  }
}

function* questionsOf(tenant: Tenant, other: Tenant): Generator<Question> {
  const { name, secret: key, projects, file } = tenant
  for (const { id, name: project } of projects) {
    const isSame = (text: string) => {
      const value = JSON.parse(text) as { id: string; name: string }
      return value.id === id && value.name === project
    }
    yield {
      name: `${name} reads a project`,
      key,
      path: `/projects/${id}`,
      check: expecting(200, isSame),
    }
  }
  const ids = projects.map(({ id }) => id).toSorted()
  yield {
    name: `${name} lists its projects`,
    key,
    path: '/projects?limit=50',
    check: expecting(200, (text) => {
      const { items } = JSON.parse(text) as { items: { id: string }[] }
      return isDeepStrictEqual(items.map(({ id }) => id).toSorted(), ids)
    }),
  }
  yield {
    name: `${name} downloads its file`,
    key,
    path: `/files/${file.id}?download=true`,
    check: expecting(200, (text) => sha256(text) === file.sha256),
  }
  const first = projects[0]!
  const next = `Description ${++tenant.writes}`
  yield {
    name: `${name} changes a project`,
    key,
    method: 'PATCH',
    path: `/projects/${first.id}`,
    body: { description: next },
    check: (answer) => {
      const fault = expecting(200, (text) => JSON.parse(text).description === next)(answer)
      tenant.descriptions = [next]
      return fault
    },
    onUnknown: () => tenant.descriptions.push(next),
  }
  yield {
    name: `${name} reads its change`,
    key,
    path: `/projects/${first.id}`,
    check: expecting(200, (text) => tenant.descriptions.includes(JSON.parse(text).description)),
  }
  yield {
    name: `${name} reads a project that does not exist`,
    key,
    path: `/projects/${newId()}`,
    check: expecting(404, isError('NOT_FOUND')),
  }
  yield {
    name: `${name} reads a project of ${other.name}`,
    key,
    path: `/projects/${other.projects[0]!.id}`,
    check: expecting(404, isError('NOT_FOUND')),
  }
  yield {
    name: `${name} sends a wrong key`,
    key: `${key.slice(0, -4)}0000`,
    path: '/projects',
    check: expecting(401, isError('UNAUTHORIZED')),
  }
}

const expecting =
  (status: number, isRight: (text: string) => boolean) =>
  (answer: Answer): string | null => {
    if (answer.status !== status) return `expected ${status}`
    return isRight(answer.text) ? null : 'a wrong answer'
  }

const isError = (code: string) => (text: string) =>
  (JSON.parse(text) as { error: { code: string } }).error.code === code

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
