import type { Check, ConnectorDefinition } from '../../definition/definition.ts'
import type { RequestTemplate } from '../../definition/template.ts'
import { buildRequest, type ConnectionTarget } from '../../requests/build-request.ts'
import { type RecordedRequest, recordRequests } from './recording-server.ts'

/** For tests: every credential is `token`. */
export const createTarget = (
  definition: ConnectorDefinition,
  overrides: Partial<ConnectionTarget> = {},
): ConnectionTarget => ({
  definition,
  config: {},
  kept: {},
  credentials: { accessToken: 'token', ...keysOf(definition) },
  account: { id: 'account' },
  override: null,
  ...overrides,
})

const keysOf = ({ auth }: ConnectorDefinition) =>
  auth.type === 'api_key' ? Object.fromEntries(auth.fields.map(({ key }) => [key, 'token'])) : {}

/** As the provider receives it. */
export async function captureRequest(
  target: ConnectionTarget,
  toolName: string,
  input: Record<string, unknown>,
): Promise<RecordedRequest> {
  const tool = target.definition.tools.find(({ name }) => name === toolName)
  if (!tool) throw new Error(`${target.definition.slug} has no tool ${toolName}`)
  const parsed = tool.input.parse(input)
  const request = tool.request as RequestTemplate | ((value: unknown) => RequestTemplate)
  return sentRequest(target, typeof request === 'function' ? request(parsed) : request, parsed)
}

/** A check, registration or reply. */
export async function sentRequest(
  target: ConnectionTarget,
  request: Check['request'],
  input: Record<string, unknown> = {},
): Promise<RecordedRequest> {
  const template = typeof request === 'function' ? request(target.config) : request
  const [recorded] = await recordRequests((override) => {
    const { url, ...init } = buildRequest({ ...target, override }, template, input, 'key-of-the-call')
    return fetch(url, init as RequestInit)
  })
  return recorded!
}
