import type { mcpServers } from '../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { listCalls } from './calls/call.ts'
import { deleteServer, listServers, listUses, lockServer } from './queries.ts'
import { findRow, present, readServerDetails } from './records.ts'
import { updateSignedOut } from './sign-in/token-queries.ts'
import { listToolStates } from './tool-queries.ts'

export async function list(ctx: Context) {
  const { orgId } = ctx.caller
  const [rows, tools, uses] = await Promise.all([
    listServers(ctx.sql, orgId),
    listToolStates(ctx.sql, orgId),
    listUses(ctx.sql, orgId),
  ])
  const toolsOf = (id: string) => tools.filter(({ serverId }) => serverId === id)
  return { items: rows.map((row) => present(row, toolsOf(row.id), uses)) }
}

export async function get(ctx: Context, { id }: InputOf<typeof mcpServers.get>) {
  const details = await readServerDetails(ctx, id)
  return reply(details, { version: details.version })
}

/** Agents that list the server continue without it. */
export const remove = (ctx: Context, { id }: InputOf<typeof mcpServers.remove>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const { name } = (await lockServer(inside.sql, orgId, id)) ?? raise(notFound('MCP server'))
    const uses = (await listUses(inside.sql, orgId)).filter(({ serverId }) => serverId === id)
    await deleteServer(inside.sql, orgId, id)
    await recordAudit(inside, { action: 'mcp-server.deleted', by: ctx.caller, target: id, details: { name } })
    return { deleted: true as const, agents: uses.map((use) => ({ id: use.id, name: use.name })) }
  })

export async function listRecentCalls(ctx: Context, { id }: InputOf<typeof mcpServers.calls>) {
  const { slug } = await findRow(ctx, id)
  return { items: await listCalls(ctx.sql, ctx.caller.orgId, slug) }
}

export const signOut = (ctx: Context, { id }: InputOf<typeof mcpServers.signOut>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const { name, auth } = (await lockServer(inside.sql, orgId, id)) ?? raise(notFound('MCP server'))
    if (auth !== 'oauth') throw conflict('The MCP server does not use OAuth')
    await updateSignedOut(inside.sql, orgId, id)
    await recordAudit(inside, {
      action: 'mcp-server.signed-out',
      by: ctx.caller,
      target: id,
      details: { name },
    })
    return readServerDetails(inside, id)
  })
