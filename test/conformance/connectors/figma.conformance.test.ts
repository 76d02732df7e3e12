import { readFileSync } from 'node:fs'
import type {
  GetFileNodesQueryParams,
  GetFileQueryParams,
  GetImagesQueryParams,
  PostCommentRequestBody,
  PostWebhookRequestBody,
} from '@figma/rest-api-spec'
import { expect, test } from 'vitest'
import { figma } from '../../../server/features/connections/connectors/catalog/knowledge/figma.ts'
import {
  type ComparableRequest,
  expectSameRequests,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { registeredEndpoint } from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

test('figma uses paths, methods and fields from its OpenAPI document', async () => {
  const spec = readFileSync(
    new URL('../node_modules/@figma/rest-api-spec/openapi/openapi.yaml', import.meta.url),
    'utf8',
  )
  const isDeclared = (method: string, path: string) =>
    new RegExp(`^  ${path.replace(/[{}]/g, '\\$&')}:\\n(?:    .*\\n|\\n)*?    ${method}:`, 'm').test(spec)
  const target = createTarget(figma)
  const fileKey = 'AbCdEf123456'
  const node = { ids: '1:2,1:3' }
  const cases: ToolCase[] = [
    ['get_file', { fileKey }, get('', { depth: 2 } satisfies GetFileQueryParams)],
    [
      'get_nodes',
      { fileKey, nodeIds: ['1:2', '1:3'] },
      get('/nodes', { ...node, depth: 3 } satisfies GetFileNodesQueryParams),
    ],
    ['list_comments', { fileKey }, get('/comments', {})],
    [
      'render_images',
      { fileKey, nodeIds: ['1:2', '1:3'], scale: 2 },
      {
        ...get('', { ...node, format: 'png', scale: 2 } satisfies GetImagesQueryParams),
        path: `/v1/images/${fileKey}`,
      },
    ],
    [
      'comment',
      { fileKey, message: 'Hi', replyTo: '9' },
      {
        method: 'POST',
        path: `/v1/files/${fileKey}/comments`,
        query: {},
        body: { message: 'Hi', comment_id: '9' } satisfies PostCommentRequestBody,
      },
    ],
  ]
  function get(path: string, query: Record<string, unknown>): ComparableRequest {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
    return {
      method: 'GET',
      path: `/v1/files/${fileKey}${path}`,
      query: Object.fromEntries(texts),
      body: null,
    }
  }
  await expectSameRequests(target, cases)
  const { setup } = figma.receiver!
  if (setup.by !== 'api') throw new Error('figma has an API')
  const { request } = setup.register(registeredEndpoint({ config: { teamId: '12' } }))
  const webhook = {
    event_type: 'FILE_COMMENT',
    endpoint: registeredEndpoint().url,
    passcode: 'a-secret',
    status: 'ACTIVE',
    description: 'Atrium',
    context: 'team',
    context_id: '12',
  } satisfies PostWebhookRequestBody
  expect(toComparable(await sentRequest(target, request)).body).toEqual(webhook)
  const paths = [
    ...cases.map(([, , vendor]) => vendor as ComparableRequest),
    toComparable(await sentRequest(target, request)),
  ]
  for (const { method, path } of paths) {
    const declared = path.replace(fileKey, '{file_key}')
    expect(isDeclared(method.toLowerCase(), declared), `${method} ${declared}`).toBe(true)
  }
})
