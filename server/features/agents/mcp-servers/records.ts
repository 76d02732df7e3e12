import type { z } from 'zod'
import type { McpState, McpToolState } from '../../../../contract/agents/mcp-server-options.ts'
import type { McpServer, McpServerDetails } from '../../../../contract/agents/mcp-server-records.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { findServer, listUses, type ServerRow, type Use } from './queries.ts'
import { toolBehavior } from './risk.ts'
import { listTools, type ToolRow } from './tool-queries.ts'

type ToolSummary = Pick<ToolRow, 'name' | 'callName' | 'allowed' | 'acceptedHash' | 'listedHash' | 'problem'>

export const findRow = async (ctx: Context, id: string): Promise<ServerRow> =>
  (await findServer(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('MCP server'))

export async function readServerDetails(
  ctx: Context,
  id: string,
): Promise<z.output<typeof McpServerDetails>> {
  const { orgId } = ctx.caller
  const [row, tools, uses] = await Promise.all([
    findRow(ctx, id),
    listTools(ctx.sql, orgId, id),
    listUses(ctx.sql, orgId),
  ])
  return { ...present(row, tools, uses), tools: tools.map((tool) => presentTool(tool, row)) }
}

/** Omits the secrets. */
export function present(
  row: ServerRow,
  tools: readonly ToolSummary[],
  uses: readonly Use[],
): z.output<typeof McpServer> {
  const states = tools.map((tool) => ({ ...tool, state: toolState(tool) }))
  const pendingCount = states.filter(({ state }) => PENDING.includes(state)).length
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    host: new URL(row.url).host,
    state: stateOf(row, pendingCount),
    enabled: row.enabled,
    trusted: row.trusted,
    toolNames: states.flatMap(({ state, name, callName }) => (state === 'on' ? [{ name, callName }] : [])),
    url: row.url,
    auth: row.auth,
    headerName: row.headerName,
    lastFour: row.lastFour,
    clientId: row.oauth.clientId ?? null,
    issuer: row.oauth.metadata?.issuer ?? null,
    signedInBy: row.signedInBy,
    signedInAt: row.signedInAt,
    approvals: row.approvals,
    pendingCount,
    problem: row.problem,
    failingSince: row.failingSince,
    checkedAt: row.checkedAt,
    latencyMs: row.latencyMs,
    implementation: row.implementation,
    agents: uses.flatMap(({ serverId, id, name }) => (serverId === row.id ? [{ id, name }] : [])),
    version: row.version,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

const PENDING: McpToolState[] = ['new', 'changed', 'removed']

function stateOf(row: ServerRow, pendingCount: number): McpState {
  if (!row.enabled) return 'disabled'
  if (row.needsSignIn) return 'needs_sign_in'
  if (row.failingSince !== null) return 'failing'
  return pendingCount > 0 ? 'changed' : 'ok'
}

function toolState({ acceptedHash, listedHash, problem, allowed }: ToolSummary): McpToolState {
  if (listedHash === null) return 'removed'
  if (problem !== null) return 'unusable'
  if (acceptedHash === null) return 'new'
  if (acceptedHash !== listedHash) return 'changed'
  return allowed ? 'on' : 'off'
}

const presentTool = (tool: ToolRow, { trusted }: ServerRow) => ({
  name: tool.name,
  callName: tool.callName,
  state: toolState(tool),
  allowed: tool.allowed,
  problem: tool.problem,
  hash: tool.listedHash,
  risk: toolBehavior((tool.listed ?? tool.accepted)!, { trusted }).risk,
  accepted: tool.accepted,
  current: tool.listed,
  acceptedBy: tool.acceptedBy,
  acceptedAt: tool.acceptedAt,
})
