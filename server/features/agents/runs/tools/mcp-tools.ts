import { z } from 'zod'
import type { Sql } from '../../../../database/database.ts'
import { forbidden } from '../../../../errors.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import type { Vault } from '../../../../security/vault.ts'
import { clip } from '../../../../tools/clip.ts'
import { OutputWithImages } from '../../../../tools/tool-images.ts'
import {
  callAcceptedTool,
  listUsableTools,
  toolBehavior,
  type UsableTool,
} from '../../mcp-servers/mcp-servers.ts'
import { accessLost } from '../state/errors.ts'
import { findRunCaller } from '../state/run-caller.ts'
import type { RunTool } from '../state/run-tool.ts'
import { storeImages } from './outside-images.ts'

const DESCRIPTION_BYTES = 2000

type Input = Record<string, unknown>

interface McpOptions {
  vault: Vault
  now: () => Date
}

export async function loadMcpTools(
  sql: Sql,
  orgId: string,
  serverIds: readonly string[],
  options: McpOptions,
): Promise<RunTool[]> {
  if (serverIds.length === 0) return []
  const usable = await listUsableTools(sql, orgId, serverIds)
  return usable.map((tool) => mcpTool(tool, options) as unknown as RunTool)
}

function mcpTool(tool: UsableTool, { vault, now }: McpOptions): RunTool<Input> {
  const { callName, name, serverName, serverId, accepted, acceptedHash, rule } = tool
  const { effect, risk } = toolBehavior(accepted, tool)
  return {
    name: callName,
    description: describe(tool),
    input: inputOf(accepted.inputSchema),
    inputSchema: accepted.inputSchema,
    effect,
    risk,
    ...(rule && { rule }),
    isOutside: true,
    // Not a later tool with the same name.
    grantName: () => `${callName} ${serverId.slice(-12)} ${acceptedHash.slice(0, 12)}`,
    summarize: () => `Call ${name} on the MCP server ${serverName}`,
    async run(call, input) {
      const caller = await findRunCaller(call.sql, call.run)
      if (!caller) throw accessLost()
      if (caller.readOnly && effect !== 'read')
        throw forbidden(`${callName} may change something, and this run’s API key may only read`)
      const { sql, outbound, signal } = call
      const { images: received, ...output } = await callAcceptedTool(
        { sql, outbound, vault, now },
        call.orgId,
        tool,
        input,
        signal,
      )
      if (received.length === 0) return output
      const { files, images } = await storeImages(call, callName, received)
      return new OutputWithImages({ ...output, images: files }, images)
    },
  }
}

/** A new marker per step would defeat prompt caches. */
function describe({ name, serverName, accepted }: UsableTool): string {
  const { text, next } = clip(accepted.description, DESCRIPTION_BYTES)
  const shown = next === null ? text : `${text}…`
  const head = `The tool ${name} from the MCP server ${serverName}, which is not part of Atrium.`
  return shown.trim() === '' ? head : `${head}\n${stableFence(shown, `the MCP server ${serverName}`)}`
}

/** A validator would compile an outside server's schema, and its patterns can take unlimited time. */
function inputOf({ required }: Record<string, unknown>): z.ZodType<Input> {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return z.record(z.string(), z.unknown(), { error: 'must be an object' }).superRefine((input, ctx) => {
    for (const name of names)
      if (!Object.hasOwn(input, name)) ctx.addIssue({ code: 'custom', path: [name], message: 'is required' })
  })
}
