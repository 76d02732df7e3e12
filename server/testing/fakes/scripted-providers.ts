import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach } from 'vitest'
import { z } from 'zod'
import type {
  ConnectorDefinition,
  ConnectorTool,
} from '../../features/connections/connectors/definition/definition.ts'
import { callTool } from '../../features/connections/connectors/requests/call-tool.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { loopbackServers } from './loopback-servers.ts'
import { testTarget, testTool } from './test-connector.ts'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
export type Reply = (response: ServerResponse, request: SeenRequest) => void

/** `seen` holds the current test's requests. */
export function scriptedProviders() {
  const { serve } = loopbackServers()
  const outbound = createOutbound({ allowed: ['127.0.0.0/8'] })
  const seen: SeenRequest[] = []
  beforeEach(() => void seen.splice(0))
  afterAll(outbound.close)
  return {
    seen,
    /** Gives these replies in order, repeating the last. */
    provider: (...replies: Reply[]): Promise<string> => {
      let count = 0
      return serve(async (request, response) => {
        const { method = '', url = '', headers } = request
        const received = { method, url, headers, body: await text(request) }
        seen.push(received)
        replies[Math.min(++count, replies.length) - 1]!(response, received)
      })
    },
    call: (
      url: string,
      tool: ConnectorTool,
      input: Record<string, unknown> = {},
      {
        signal = new AbortController().signal,
        ...definition
      }: Partial<ConnectorDefinition> & { signal?: AbortSignal } = {},
    ) =>
      callTool(outbound, testTarget(url, definition), tool, input, {
        idempotencyKey: 'run:1:1',
        signal,
        now: () => new Date(),
        slot: (work) => work(),
      }),
  }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const readingTool = (overrides: Partial<ConnectorTool> = {}) =>
  testTool({
    input: z.object({ id: z.string().optional(), limit: z.int().optional() }),
    request: { method: 'GET', path: '/items' },
    ...overrides,
  })
