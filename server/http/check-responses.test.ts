import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anonymous, endpoint } from '../../contract/endpoint.ts'
import { endpointsByName } from '../../contract/index.ts'
import { declaredResponses, FILE_TYPES } from '../../contract/responses.ts'
import { ALLOWED } from '../features/files/files/content/allowed-types.ts'
import { checkResponses, isDeclared } from './check-responses.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

describe('declared responses', () => {
  test.each([
    ['feedback.submit', 200, JSON_TYPE],
    ['feedback.submit', 201, JSON_TYPE],
    ['webhooks.receive', 200, JSON_TYPE],
    ['webhooks.receive', 202, JSON_TYPE],
    ['files.get', 302, undefined],
    ['files.get', 206, 'image/png'],
    ['files.get', 304, undefined],
    ['objects.read', 416, undefined],
    ['files.archive', 200, 'application/zip'],
    ['live.stream', 200, 'text/event-stream'],
    ['oauth.start', 302, undefined],
    ['deviceLogin.start', 400, JSON_TYPE],
    ['projects.get', 304, undefined],
    ['projects.update', 412, JSON_TYPE],
  ] as const)('%s includes %i %s', (name, status, type) => {
    expect(isDeclared(declaredResponses(endpointsByName[name]), status, type)).toBe(true)
  })

  test.each([
    ['feedback.list', 201, JSON_TYPE],
    ['feedback.list', 200, undefined],
    ['feedback.list', 200, 'text/html; charset=utf-8'],
    ['feedback.list', 409, JSON_TYPE],
    ['files.archive', 206, 'application/zip'],
    ['files.get', 302, JSON_TYPE],
    // Every error of an OAuth endpoint is 400.
    ['deviceLogin.start', 429, JSON_TYPE],
  ] as const)('%s does not include %i %s', (name, status, type) => {
    expect(isDeclared(declaredResponses(endpointsByName[name]), status, type)).toBe(false)
  })

  test('include the type of every uploadable file', () => {
    const ranges = FILE_TYPES.map((range) => range.slice(0, -1))
    const uncovered = [...ALLOWED.keys()].filter((type) => !ranges.some((range) => type.startsWith(range)))
    expect(uncovered).toEqual([])
  })
})

test('checkResponses reports each undeclared status and media type when it is sent', async () => {
  const list = endpoint({
    method: 'GET',
    path: '/api/v1/things',
    summary: 'List things',
    access: anonymous(),
    output: z.null(),
  })
  const reported: string[] = []
  const http = fastify()
  checkResponses(http, [list], (message) => reported.push(message.split(',', 1)[0]!))
  const answers = [
    { status: 200, type: JSON_TYPE },
    { status: 207, type: JSON_TYPE },
    { status: 200, type: 'text/plain' },
    { status: 409, type: JSON_TYPE },
    { status: 500, type: JSON_TYPE },
  ]
  http.get(list.path, (request, reply) => {
    const { status, type } = answers[Number((request.query as { n: string }).n)]!
    return reply.status(status).type(type).send('null')
  })
  http.get('/page', (_request, reply) => reply.type('text/html').send('outside of the contract'))
  for (const n of answers.keys()) await http.inject(`${list.path}?n=${n}`)
  await http.inject({ method: 'HEAD', url: `${list.path}?n=1` })
  await http.inject('/page')
  await http.close()
  expect(reported).toEqual([
    'GET /api/v1/things answered 207 application/json; charset=utf-8',
    'GET /api/v1/things answered 200 text/plain',
    'GET /api/v1/things answered 409 application/json; charset=utf-8',
    'GET /api/v1/things answered 207 application/json; charset=utf-8',
  ])
})
