import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Timestamp } from '../fields.ts'

const ToolCalls = z.object({
  tool: z.string(),
  calls: z.int(),
  failed: z.int().describe('Number of calls that returned an error'),
  clients: z.array(z.string()).describe('Names that clients gave themselves, at most ten'),
  lastAt: Timestamp,
})

export const mcpCalls = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/mcp/calls',
    summary: 'Count MCP tool calls',
    description:
      'The organization’s calls within the last 24 hours, in whole hours, by tool; most called first. A call is counted within a few seconds.',
    access: member(),
    output: z.object({
      url: z.string().describe('MCP server URL'),
      since: Timestamp,
      items: z.array(ToolCalls),
    }),
  }),
}
