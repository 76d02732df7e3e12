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
    'Rules by the name of a tool: `ask` a person each time, or `allow` while the run has read nothing from outside. Rules of an agent have precedence, except over `ask`',
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
    .describe('Claims of the server about the tool'),
})

const McpTool = z.object({
  name: z.string().describe('The name that the server gives it'),
  callName: z
    .string()
    .describe('The name that agents use')
    .meta({ examples: ['mcp_linear_search_issues'] }),
  state: z.enum(MCP_TOOL_STATE_NAMES),
  allowed: z.boolean(),
  problem: z.string().nullable().describe('Why no agent can use it as the server lists it now'),
  hash: z.string().nullable().describe('The hash of the tool as the server lists it now'),
  risk: z.enum(CALL_RISKS).describe('The risk that decides whether a call needs approval'),
  accepted: McpToolDefinition.nullable().describe('As an admin accepted it'),
  current: McpToolDefinition.nullable().describe('As the server lists it now; null if it does not'),
  acceptedBy: Id.nullable(),
  acceptedAt: Timestamp.nullable(),
})

const summary = {
  id: Id,
  name: z.string(),
  slug: z.string().describe('The part of the tool names that names the server'),
  host: z.string(),
  state: z.enum(MCP_STATE_NAMES),
  enabled: z.boolean(),
  trusted: z.boolean(),
  toolNames: z
    .array(z.object({ name: z.string(), callName: z.string() }))
    .describe('The tools that agents can use'),
}

/** Without the URL, which contains the key on some servers. */
export const McpServerSummary = z.object(summary)

export const McpServer = z.object({
  ...summary,
  url: z.string(),
  auth: z.enum(MCP_AUTH_NAMES),
  headerName: z.string().nullable(),
  lastFour: z.string().nullable().describe('The end of the header value; null if it is too short to show'),
  clientId: z.string().nullable().describe('The client id at the authorization server, once there is one'),
  issuer: z.string().nullable().describe('The authorization server'),
  signedInBy: Id.nullable(),
  signedInAt: Timestamp.nullable(),
  approvals: McpApprovals,
  pendingCount: z.int().describe('The tools that are new, changed or removed'),
  problem: z.string().nullable().describe('Why the last connection failed'),
  failingSince: Timestamp.nullable(),
  checkedAt: Timestamp.nullable().describe('When the last connection was made'),
  latencyMs: z.int().nullable(),
  implementation: z
    .object({
      name: z.string(),
      version: z.string(),
      protocol: z.string(),
      leftOut: z.int().describe('The tools over the limit, or whose names cannot be used'),
    })
    .nullable()
    .describe('The name, version and protocol that the server reports'),
  agents: z.array(UsingAgent).describe('The agents that list it; archived agents are left out'),
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
