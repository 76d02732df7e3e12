import type { mcpServers } from '../../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { conflict, notFound, raise } from '../../../../errors.ts'
import { lockServer } from '../queries.ts'
import { detailsOf } from '../records.ts'
import { updateSignedOut } from './token-queries.ts'

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
    return detailsOf(inside, id)
  })
