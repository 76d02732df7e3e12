import { expect, test } from 'vitest'
import { z } from 'zod'
import { testDefinition, testTool } from '../../../../testing/fakes/test-connector.ts'
import { builtIn } from '../catalog/catalog.ts'
import { checkDefinitions } from './check-definition.ts'
import type { ConnectorDefinition } from './definition.ts'
import { from } from './template.ts'

const tool = (change: object) =>
  testTool({
    input: z.object({ id: z.string() }),
    request: { method: 'GET', path: '/{id}' },
    effect: 'read',
    risk: 'none',
    ...change,
  })

const host = (pattern?: string) => ({
  key: 'host',
  label: 'Host',
  required: true,
  ...(pattern && { pattern }),
})

const INVALID: [string, Partial<ConnectorDefinition>][] = [
  ['slug is reserved', { slug: 'webhooks' }],
  ['slug must be lower-case', { slug: 'Not_a_slug' }],
  ['docsUrl must be an https URL', { docsUrl: 'http://desk.example.com' }],
  ['baseUrl must be an https URL', { baseUrl: 'http://desk.example.com' }],
  [
    'baseUrl contains config.host in its host, which has no pattern',
    { baseUrl: 'https://{config.host}/v1', config: [host()] },
  ],
  [
    'baseUrl contains config.host in its host, whose pattern accepts "a/x"',
    { baseUrl: 'https://{config.host}', config: [host('.+')] },
  ],
  [
    'whose pattern accepts "a@evil.example"',
    { baseUrl: 'https://{config.host}', config: [host('[\\w.@]+')] },
  ],
  ['whose pattern accepts "a:x"', { baseUrl: 'https://{config.host}', config: [host('[\\w.:]+')] }],
  ['baseUrl has a host that the provider returns', { baseUrl: '{kept.instanceUrl}' }],
  ['hosts.0 must be a host', { hosts: ['*'] }],
  ['config.0.pattern must be a regular expression', { config: [host('(')] }],
  ['baseUrl names config.unknown', { baseUrl: 'https://desk.example.com/{config.unknown}' }],
  ['tools.0.name must be lower-case', { tools: [tool({ name: 'Act' })] }],
  ['tools.act exists twice', { tools: [tool({}), tool({})] }],
  ['has more than 64 characters', { tools: [tool({ name: 'a'.repeat(62) })] }],
  ['tools.act.request.path names owner', { tools: [tool({ request: { method: 'GET', path: '/{owner}' } })] }],
  [
    'tools.act.request.json.a.0 names title',
    {
      tools: [
        tool({
          effect: 'once',
          risk: 'send',
          request: { method: 'POST', path: '/', json: { a: [from('title')] } },
        }),
      ],
    },
  ],
  [
    'tools.act.request.path names credentials.other',
    { tools: [tool({ request: { method: 'GET', path: '/{credentials.other}' } })] },
  ],
  ['tools.act.effect must be read for a GET request', { tools: [tool({ effect: 'once' })] }],
  ['tools.act.risk must be none', { tools: [tool({ risk: 'send' })] }],
  [
    'tools.send_mail.risk must be send',
    { tools: [tool({ name: 'send_mail', effect: 'once', request: { method: 'POST', path: '/' } })] },
  ],
  [
    'receiver.events.other.message must begin with desk.',
    { receiver: { events: { 'other.message': 'A message' }, normalize: () => [] } as never },
  ],
]

test.each(INVALID)('an invalid definition stops the boot: %s', (message, change) => {
  expect(() => checkDefinitions([testDefinition(change)])).toThrow(message)
})

test('two connectors with one slug stop the boot', () => {
  expect(() => checkDefinitions([testDefinition(), testDefinition()])).toThrow(
    'Two connectors have the slug desk',
  )
})

test('every catalog definition is valid', () => {
  expect(() => checkDefinitions([testDefinition(), ...builtIn])).not.toThrow()
})
