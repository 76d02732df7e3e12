import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Timestamp } from '../fields.ts'

const ToolCalls = z.object({
  tool: z.string(),
  calls: z.int(),
  failed: z.int().describe('How many of them returned an error'),
  clients: z.array(z.string()).describe('The names that clients gave themselves; at most ten'),
  lastAt: Timestamp,
})

export const mcpCalls = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/mcp/calls',
    summary: 'Count the calls of MCP tools',
    description:
      'The calls of the organization within the last 24 hours, in whole hours, by tool; the most called first. A call is counted within a few seconds.',
    access: member(),
    output: z.object({
      url: z.string().describe('The URL of the MCP server'),
      since: Timestamp,
      items: z.array(ToolCalls),
    }),
  }),
}
