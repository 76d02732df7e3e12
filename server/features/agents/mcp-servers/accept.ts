import type { mcpServers } from '../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, badField, notFound, raise, stale } from '../../../errors.ts'
import { lockServer, touchServer } from './queries.ts'
import { readServerDetails } from './records.ts'
import { acceptTool, deleteRemoved, listTools } from './tool-queries.ts'

/** The hash identifies the form the caller has seen. All or none. */
export const acceptTools = (ctx: Context, { id, ifMatch, tools }: InputOf<typeof mcpServers.accept>) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const { orgId, userId: by } = ctx.caller
    const server = (await lockServer(sql, orgId, id)) ?? raise(notFound('MCP server'))
    if (ifMatch !== undefined && ifMatch !== String(server.version)) throw stale()
    const storedTools = await listTools(sql, orgId, id)
    const now = ctx.now()
    for (const [index, { name, hash, allow }] of tools.entries()) {
      const tool = storedTools.find((each) => each.name === name)
      if (!tool) throw badField(`body.tools.${index}.name`, 'must be one of the server’s tools')
      if (allow && hash !== null && tool.problem)
        throw badField(`body.tools.${index}.name`, `cannot be used. ${tool.problem}`)
      const isDone =
        hash === null
          ? await deleteRemoved(sql, orgId, id, name)
          : await acceptTool(sql, orgId, id, { name, hash, allow, by, now })
      if (!isDone) throw changedAgain(name)
    }
    await touchServer(sql, orgId, id, now)
    const names = tools.map(({ name }) => name)
    const details = { name: server.name, tools: names.join(', ').slice(0, 1000) }
    await recordAudit(inside, { action: 'mcp-server.tools-accepted', by: ctx.caller, target: id, details })
    const record = await readServerDetails(inside, id)
    return reply(record, { version: record.version })
  })

const changedAgain = (tool: string) =>
  new ApiError('CONFLICT', `The server has changed ${tool} since: review it again`, {
    details: { reason: 'changed', tool },
  })
