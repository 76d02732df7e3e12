import { z } from 'zod'
import { Id, Timestamp } from '../fields.ts'
import { MCP_AUTH_NAMES, MCP_LIMITS, MCP_STATE_NAMES, MCP_TOOL_STATE_NAMES } from './mcp-server-options.ts'
import { CALL_ENDS, CALL_RISKS } from './run-events.ts'

export const McpApprovals = z
  .record(
    z.string().min(1).max(MCP_LIMITS.toolName),
    z.enum(['ask', 'allow'], { error: 'must be ask or allow' }),
  )
  .refine(
    (rules) => Object.keys(rules).length <= MCP_LIMITS.tools,
    `must have at most ${MCP_LIMITS.tools} rules`,
  )
  .describe(
    'Rules by tool name: `ask` for approval each time, or `allow` while the run has read no untrusted content. An agent’s own rules take precedence, except over `ask`',
  )
  .meta({ examples: [{ search_issues: 'allow' }] })

export const UsingAgent = z.object({ id: Id, name: z.string() })

/** As the agent's model receives it, and as its hash covers it. */
export const McpToolDefinition = z.object({
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z
    .object({
      readOnlyHint: z.boolean().nullable(),
      destructiveHint: z.boolean().nullable(),
      idempotentHint: z.boolean().nullable(),
      openWorldHint: z.boolean().nullable(),
    })
    .describe('What the server claims about the tool'),
})

const McpTool = z.object({
  name: z.string().describe('Name given by the server'),
  callName: z
    .string()
    .describe('Name that agents use')
    .meta({ examples: ['mcp_linear_search_issues'] }),
  state: z.enum(MCP_TOOL_STATE_NAMES),
  allowed: z.boolean(),
  problem: z.string().nullable().describe('Why no agent can use the tool as the server lists it now'),
  hash: z.string().nullable().describe('Hash of the tool as the server lists it now'),
  risk: z.enum(CALL_RISKS).describe('Risk that decides whether a call needs approval'),
  accepted: McpToolDefinition.nullable().describe('As an admin accepted it'),
  current: McpToolDefinition.nullable().describe('As the server lists it now; null if it does not'),
  acceptedBy: Id.nullable(),
  acceptedAt: Timestamp.nullable(),
})

const summary = {
  id: Id,
  name: z.string(),
  slug: z.string().describe('Part of its tool names that identifies the server'),
  host: z.string(),
  state: z.enum(MCP_STATE_NAMES),
  enabled: z.boolean(),
  trusted: z.boolean(),
  toolNames: z
    .array(z.object({ name: z.string(), callName: z.string() }))
    .describe('Tools that agents can use'),
}

/** Without the URL, which contains the key on some servers. */
export const McpServerSummary = z.object(summary)

export const McpServer = z.object({
  ...summary,
  url: z.string(),
  auth: z.enum(MCP_AUTH_NAMES),
  headerName: z.string().nullable(),
  lastFour: z
    .string()
    .nullable()
    .describe('Last characters of the header value; null if it is too short to show'),
  clientId: z.string().nullable().describe('Client id at the authorization server; null until there is one'),
  issuer: z.string().nullable().describe('Authorization server'),
  signedInBy: Id.nullable(),
  signedInAt: Timestamp.nullable(),
  approvals: McpApprovals,
  pendingCount: z.int().describe('Number of new, changed or removed tools'),
  problem: z.string().nullable().describe('Why the last connection failed'),
  failingSince: Timestamp.nullable(),
  checkedAt: Timestamp.nullable().describe('When the server was last connected to'),
  latencyMs: z.int().nullable(),
  implementation: z
    .object({
      name: z.string(),
      version: z.string(),
      protocol: z.string(),
      leftOut: z
        .int()
        .describe('Number of tools left out because they exceed the limit or their names cannot be used'),
    })
    .nullable()
    .describe('Name, version and protocol reported by the server'),
  agents: z.array(UsingAgent).describe('Agents that list it, except archived ones'),
  version: z.int(),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const McpServerDetails = McpServer.extend({ tools: z.array(McpTool) })

export const McpCheck = z.object({
  ok: z.boolean(),
  problem: z.string().nullable(),
  latencyMs: z.int(),
  server: McpServerDetails,
})

export const McpCall = z.object({
  runId: Id,
  tool: z.string(),
  state: z.enum([...CALL_ENDS, 'running']),
  errorCode: z.string().nullable(),
  startedAt: Timestamp,
  durationMs: z.int().nullable(),
})
