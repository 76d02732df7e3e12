import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { declaredResponses } from '../contract/responses.ts'
import { isDeclared } from '../server/http/check-responses.ts'
import { buildReference } from '../server/http/docs/reference.ts'
import { newId } from '../server/security/ids.ts'
import { cookie, type Headers, shareTestApp, type TestApp } from '../server/testing/test-app.ts'

let app: TestApp
let headers: Headers
let ids: Record<string, string>
beforeAll(async () => {
  app = await shareTestApp()
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner', operator: true })
  headers = cookie(await app.session(person))
  const project = await app.project(person)
  const { id: agentId } = await app.as(headers).agents.create({ name: 'Researcher' })
  ids = { projects: project.id, workspaces: org.workspaceId, agents: agentId, budgets: 'project' }
})

const operations = buildReference(endpoints).flatMap((group) => group.operations)

/** The body of the documented example, which the contract accepts. */
function exampleBody({ method, path }: Endpoint): string | undefined {
  const template = path.replace(/:(\w+)/g, '{$1}')
  const { curl } = operations.find((each) => each.method === method && each.path === template)!
  return /-d '(.*)'$/s.exec(curl)?.[1]?.replaceAll(`'\\''`, "'")
}

/** A path with `last` as its last parameter; the parameters before it name records that exist. */
function pathOf({ path }: Endpoint, last: string): string {
  const segments = path.split('/')
  const lastIndex = segments.findLastIndex((segment) => segment.startsWith(':'))
  return segments
    .map((segment, index) => {
      if (!segment.startsWith(':')) return segment
      return index === lastIndex ? last : ids[segments[index - 1]!]
    })
    .join('/')
}

async function messageOf(endpoint: Endpoint, last: string): Promise<[number, string]> {
  const { status, body } = await app.request(endpoint.method, pathOf(endpoint, last), {
    headers,
    body: exampleBody(endpoint),
  })
  return [status, body?.error?.message]
}

describe('endpoint that names no record', () => {
  const routes = endpoints.filter(
    ({ path, access, raw, bytes }) =>
      !path.includes(':') && access.kind !== 'signature' && !raw && bytes !== 'events',
  )
  test.each(routes.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'answers %s in an empty organization with a declared status',
    async (_, endpoint) => {
      await app.sql`delete from rate_limits`
      const owner = await app.person(await app.organization(), { role: 'owner', operator: true })
      const { status, headers: answered } = await app.request(endpoint.method, endpoint.path, {
        headers: cookie(await app.session(owner)),
        body: exampleBody(endpoint),
      })
      const type = answered.get('content-type') ?? undefined
      expect(isDeclared(declaredResponses(endpoint), status, type), `${status} ${type}`).toBe(true)
      expect(status).not.toBe(500)
    },
  )
})

describe('NOT_FOUND', () => {
  const routesWithId = endpoints.filter(
    ({ path, access, raw, bytes, malformedId }) =>
      path.includes(':') && access.kind !== 'signature' && !raw && bytes !== 'events' && !malformedId,
  )
  // Neither an id nor a slug: a word could be the slug of a project.
  const MALFORMED = '!'

  test.each(routesWithId.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'names the same noun for malformed and unknown ids in %s',
    async (_, endpoint) => {
      const [status, message] = await messageOf(endpoint, MALFORMED)
      expect([status, message]).toEqual([404, expect.stringMatching(/^[A-Z][\w ]+ not found$/)])
      expect(message).not.toMatch(/^(This|Resource|Record|Item|It) /)
      const [otherStatus, otherMessage] = await messageOf(endpoint, newId())
      // Some endpoints check their body, or the caller's other records, before they look up the record.
      if (otherStatus === 404) expect(otherMessage).toBe(message)
      else expect([400, 403, 409]).toContain(otherStatus)
    },
  )
})
