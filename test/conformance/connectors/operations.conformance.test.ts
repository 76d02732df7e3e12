import { expect, test } from 'vitest'
import { pagerduty } from '../../../server/features/connections/connectors/catalog/operations/pagerduty.ts'
import { sentry } from '../../../server/features/connections/connectors/catalog/operations/sentry.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { registeredEndpoint } from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordedRequests } from '../../../server/features/connections/connectors/catalog/testing/recorded.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import { buildRequest } from '../../../server/features/connections/connectors/requests/build-request.ts'

test("sentry sends its SDK's requests to the configured host", async () => {
  const theirs = recordedRequests('sentry')
  const config = { host: 'de.sentry.io', organization: 'acme' }
  const target = createTarget(sentry, { config })
  await expectSameRequests(target, [
    ['search_issues', {}, theirs.search_issues!],
    ['get_issue', { issueId: '17' }, theirs.get_issue!],
    ['get_latest_event', { issueId: '17' }, theirs.get_latest_event!],
    ['resolve_issue', { issueId: '17' }, theirs.resolve_issue!],
    // The SDK lacks comments.
    [
      'comment',
      { issueId: '17', text: 'Seen' },
      {
        method: 'POST',
        path: '/api/0/organizations/acme/issues/17/comments/',
        query: {},
        body: { text: 'Seen' },
      },
    ],
  ])
  expect(toComparable(await sentRequest(target, sentry.check.request))).toEqual(theirs.check)
  expect(buildRequest(target, { method: 'GET', path: '/' }, {}).url).toBe('https://de.sentry.io/')
  expect(failure(sentry, 404, { detail: 'Not here' })).toMatchObject({
    means: 'not_found',
    message: 'Not here',
  })
})

test("sentry returns the application's innermost frames", () => {
  const frame = (name: string, inApp: boolean) => ({ function: name, filename: 'a.js', lineNo: 7, inApp })
  const frames = [
    ...Array.from({ length: 30 }, (_, index) => frame(`own${index}`, true)),
    frame('library', false),
  ]
  const values = [{ type: 'TypeError', value: 'x is undefined', stacktrace: { frames } }]
  const event = {
    eventID: 'e1',
    title: 'TypeError',
    tags: [{ key: 'browser', value: 'Firefox' }],
    entries: [
      { type: 'exception', data: { values } },
      { type: 'request', data: { method: 'GET', url: 'https://a.example' } },
    ],
  }
  const { answer } = sentry.tools.find(({ name }) => name === 'get_latest_event')!
  const shown = answer!.map!(event) as { exceptions: { frames: string[] }[]; request: string; tags: string[] }
  expect(shown.exceptions[0]!.frames).toHaveLength(10)
  expect(shown.exceptions[0]!.frames[0]).toBe('own29 at a.js:7')
  expect([shown.request, shown.tags]).toEqual(['GET https://a.example', ['browser: Firefox']])
  expect(() => answer!.map!(null)).not.toThrow()
})

const pd = (method: 'get' | 'post' | 'put', path: string, data?: object) => async (url: string) => {
  const { api } = await import('@pagerduty/pdjs')
  return api({ token: 'token', url: `${url}${path}`, method, ...(data && { data }) })
}
const PAGERDUTY: ToolCase[] = [
  [
    'list_incidents',
    { statuses: ['triggered', 'resolved'], since: '2026-11-16T00:00:00Z' },
    pd(
      'get',
      '/incidents?statuses[]=triggered&statuses[]=resolved&since=2026-11-16T00%3A00%3A00Z&limit=25&sort_by=created_at%3Adesc',
    ),
  ],
  ['get_incident', { incidentId: 'PT4KHLK' }, pd('get', '/incidents/PT4KHLK?include[]=body')],
  ['list_on_calls', {}, pd('get', '/oncalls?limit=50&earliest=true')],
  [
    'update_incident',
    { incidentId: 'PT4KHLK', status: 'acknowledged' },
    pd('put', '/incidents/PT4KHLK', { incident: { type: 'incident_reference', status: 'acknowledged' } }),
  ],
  [
    'add_note',
    { incidentId: 'PT4KHLK', text: 'Looking' },
    pd('post', '/incidents/PT4KHLK/notes', { note: { content: 'Looking' } }),
  ],
]

test("pagerduty sends its SDK's requests with its authorization and media type", async () => {
  const target = createTarget(pagerduty)
  await expectSameRequests(target, PAGERDUTY)
  const [me] = await recordRequests(pd('get', '/users/me'))
  const check = await sentRequest(target, pagerduty.check.request)
  expect(toComparable(check)).toEqual(toComparable(me!))
  for (const header of ['authorization', 'accept']) expect(check.headers[header]).toBe(me!.headers[header])
  expect(
    failure(pagerduty, 400, { error: { code: 2001, message: 'Invalid', errors: ['Bad id'] } }),
  ).toMatchObject({
    code: '2001',
    message: 'Bad id',
  })
})

test('pagerduty registers for one or all services, and reads the secret returned once', async () => {
  const { setup } = pagerduty.receiver!
  if (setup.by !== 'api') throw new Error('pagerduty has an API')
  const { request, keep, secret } = setup.register(registeredEndpoint({ config: { serviceId: 'PABC12' } }))
  expect((await sentRequest(createTarget(pagerduty), request)).body).toMatchObject({
    webhook_subscription: {
      delivery_method: { type: 'http_delivery_method', url: registeredEndpoint().url },
      events: expect.arrayContaining(['incident.triggered']),
      filter: { type: 'service_reference', id: 'PABC12' },
    },
  })
  expect(setup.register(registeredEndpoint()).request.json).toMatchObject({
    webhook_subscription: { filter: { type: 'account_reference' } },
  })
  const answer = { webhook_subscription: { id: 'S1', delivery_method: { secret: 'shh' } } }
  expect([keep!(answer), secret!(answer)]).toEqual([{ subscriptionId: 'S1' }, 'shh'])
})
