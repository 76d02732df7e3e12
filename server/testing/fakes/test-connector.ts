import type {
  ConnectorDefinition,
  ConnectorTool,
} from '../../features/connections/connectors/definition/definition.ts'
import type { ConnectionTarget } from '../../features/connections/connectors/requests/build-request.ts'

export const TEST_TOKEN = 'tok/3n+ä"1234567890'

export const testDefinition = (overrides: Partial<ConnectorDefinition> = {}): ConnectorDefinition => ({
  slug: 'desk',
  name: 'Desk',
  description: 'A service of the tests',
  category: 'other',
  docsUrl: 'https://desk.example.com/docs',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [{ key: 'token', label: 'Token', required: true, secret: true }],
    send: { header: 'x-token', value: '{credentials.token}' },
  },
  baseUrl: 'https://api.desk.example.com/v1',
  check: { request: { method: 'GET', path: '/me' }, account: { id: 'id' } },
  tools: [],
  ...overrides,
})

export const testTarget = (
  override: string | null,
  overrides: Partial<ConnectorDefinition> = {},
): ConnectionTarget => ({
  definition: testDefinition(overrides),
  config: {},
  kept: {},
  credentials: { token: TEST_TOKEN },
  account: { id: null },
  override,
})

export const testTool = (
  tool: Pick<ConnectorTool, 'input' | 'request'> & Partial<ConnectorTool>,
): ConnectorTool => ({
  name: 'act',
  description: 'Acts.',
  effect: 'read',
  risk: 'none',
  ...tool,
})
