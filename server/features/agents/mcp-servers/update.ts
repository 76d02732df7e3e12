import type { mcpServers } from '../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, notFound, raise, stale } from '../../../errors.ts'
import { connectAndStore } from './check.ts'
import { nameTaken } from './create.ts'
import { sealCredentials, validateUrl } from './credentials.ts'
import * as queries from './queries.ts'
import { findRow, readServerDetails } from './records.ts'
import { allowTools, deleteTools, listTools } from './tool-queries.ts'

type Input = InputOf<typeof mcpServers.update>

export async function updateServer(ctx: Context<'outbound' | 'vault'>, input: Input) {
  const { orgId } = ctx.caller
  const { id } = input
  await findRow(ctx, id)
  const url = input.url === undefined ? undefined : await validateUrl(ctx, input.url)
  const needsReconnect = await ctx.transaction((inside) => applyChange(inside, input, url))
  const row = await findRow(ctx, id)
  if (needsReconnect && row.auth !== 'oauth') await connectAndStore(ctx, orgId, row)
  const details = await readServerDetails(ctx, id)
  return reply(details, { version: details.version })
}

/** Returns true if the server must be connected again. */
async function applyChange(ctx: Context<'vault'>, input: Input, url: string | undefined): Promise<boolean> {
  const { orgId } = ctx.caller
  const { id, ifMatch, name, header, client, allow } = input
  const before = (await queries.lockServer(ctx.sql, orgId, id)) ?? raise(notFound('MCP server'))
  if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
  if (name !== undefined) await requireFreeName(ctx, name, id)
  const auth = input.auth ?? before.auth
  const isMoved = url !== undefined && url !== before.url
  const hasNewCredentials = isMoved || auth !== before.auth || header !== undefined || client !== undefined
  const credentials = hasNewCredentials ? sealCredentials(ctx, id, auth, { header, client }) : before
  const after = {
    ...credentials,
    name: name ?? before.name,
    url: url ?? before.url,
    enabled: input.enabled ?? before.enabled,
    trusted: input.trusted ?? before.trusted,
    approvals: input.approvals ?? before.approvals,
  }
  const now = ctx.now()
  await queries.updateServer(ctx.sql, orgId, id, after, { keepsTokens: !hasNewCredentials, now })
  if (isMoved) await deleteTools(ctx.sql, orgId, id)
  if (allow !== undefined) await allowAccepted(ctx, id, allow)
  const details = {
    name: after.name,
    host: new URL(after.url).host,
    enabled: String(after.enabled),
    trusted: String(after.trusted),
  }
  await recordAudit(ctx, { action: 'mcp-server.updated', by: ctx.caller, target: id, details })
  return hasNewCredentials
}

async function requireFreeName({ sql, caller: { orgId } }: Context, name: string, id: string): Promise<void> {
  await queries.lockNames(sql, orgId)
  if (![null, id].includes(await queries.findIdByName(sql, orgId, name))) throw nameTaken(name)
}

async function allowAccepted(ctx: Context, id: string, allow: readonly string[]): Promise<void> {
  const { orgId } = ctx.caller
  const tools = await listTools(ctx.sql, orgId, id)
  for (const [index, name] of allow.entries()) {
    if (!tools.some((tool) => tool.name === name && tool.accepted))
      throw badField(`body.allow.${index}`, 'must be a tool that was accepted')
  }
  await allowTools(ctx.sql, orgId, id, allow)
}
