import { z } from 'zod'
import { Id } from '../../contract/fields.ts'
import { fileImages } from '../../contract/files/images.ts'
import { endpointsByName } from '../../contract/index.ts'
import { recordAudit } from '../audit/record.ts'
import type { Caller } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { recognizeFailure } from '../endpoint/failures.ts'
import { ApiError, badRequest, forbidden } from '../errors.ts'
import { newId } from '../security/ids.ts'
import { callEndpoint } from '../tools/call-endpoint.ts'
import { createTextGuard } from '../tools/text-guard.ts'
import type { InvokeTool } from '../tools/tool.ts'
import { separateImages, type ToolImage } from '../tools/tool-images.ts'
import type { ClientInfo, Exchange, McpEnvironment, OpenRun } from './environment.ts'
import { type ResultImage, type ToolResult, toolError, toolResult } from './tool-result.ts'
import type { McpTool, McpToolCall } from './tools/mcp-tool.ts'
import { selectToolSet, TOOL_SETS } from './tools/tool-set.ts'

export interface RequestedCall {
  name: string
  input: unknown
  meta: Record<string, unknown> | undefined
  client: ClientInfo
}

/** The input is valid, but the client may still have to ask its user. */
export interface PlannedCall {
  tool: McpTool
  input: never
  isWrite: boolean
}

export const isTool = (name: string): boolean => TOOL_SETS.write.byName.has(name)

/** Throws an ApiError with the call's result as message. */
export function planCall({ caller }: Exchange, { name, input }: RequestedCall): PlannedCall {
  const tool = selectToolSet(caller).byName.get(name)
  if (!tool) throw caller.projectId === null ? writeRefused(name) : callRefused(name)
  const args = (input ?? {}) as object
  // A phone call has one project: other projects' names aren't found.
  const parsed = tool.input.safeParse(caller.projectId === null ? args : { ...args, project: undefined })
  if (!parsed.success) throw invalidInput(parsed.error)
  const effect = typeof tool.effect === 'function' ? tool.effect(parsed.data) : tool.effect
  return { tool, input: parsed.data, isWrite: effect !== 'read' }
}

const writeRefused = (name: string) =>
  forbidden(`${name} changes data, and this connection may only read`, { reason: 'read_only_key' })

const callRefused = (name: string) =>
  forbidden(`${name} is not available during a phone call`, { reason: 'read_only_key' })

const invalidInput = ({ issues }: z.ZodError) =>
  badRequest(
    issues
      .slice(0, 10)
      .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
      .join('; '),
  )

/** Every outcome is a counted result for the model. Changes are audited. */
export async function callTool(
  env: McpEnvironment,
  exchange: Exchange,
  requested: RequestedCall,
  plan: () => PlannedCall,
): Promise<ToolResult> {
  const { orgId } = exchange.caller.caller
  const { name, client } = requested
  const startedAt = performance.now()
  const count = (failed: boolean) => {
    const seconds = (performance.now() - startedAt) / 1000
    env.countCall({ orgId, tool: name, client: client.name, failed, seconds })
  }
  let isWrite = false
  try {
    const planned = plan()
    isWrite = planned.isWrite
    const isBound = exchange.caller.projectId !== null
    const run = isBound ? null : await findNamedRun(env, exchange, requested.meta)
    const { output, images } = await runTool(env, exchange, requested, planned, run)
    const shown = await readImages(invokeAs(env, exchange, null), images)
    count(false)
    return toolResult(output, shown)
  } catch (error) {
    count(true)
    const failure = asApiError(env, error, exchange, name)
    if (isWrite) await audit(env, exchange, requested, failure.code).catch(ignoreWithout(failure))
    return toolError(failure, exchange.requestId)
  }
}

type Separated = ReturnType<typeof separateImages>

async function runTool(
  env: McpEnvironment,
  exchange: Exchange,
  requested: RequestedCall,
  { tool, input, isWrite }: PlannedCall,
  run: OpenRun | null,
): Promise<Separated> {
  const { projectId: boundProjectId } = exchange.caller
  const { orgId } = exchange.caller.caller
  const sql = env.sqlFor(orgId)
  const { client } = requested
  const call = (inside?: typeof sql): McpToolCall => ({
    orgId,
    projectId: run?.projectId ?? boundProjectId,
    runId: run?.id ?? null,
    trust: run?.trust ?? (boundProjectId === null ? 'trusted' : 'verified'),
    invoke: invokeAs(env, exchange, isWrite ? run : null, inside),
    findOutsideBlocks: env.findOutsideBlocks(inside ?? sql, orgId),
    idempotencyKey: newId(),
    access: exchange.caller.access,
    client: client.name,
    signal: exchange.signal,
  })
  const runGuarded = async (inside?: typeof sql) => {
    const guard = createTextGuard(env.listTextOrigins(orgId, inside))
    const toolCall = call(inside)
    try {
      const result = await tool.run({ ...toolCall, invoke: guard.watch(toolCall.invoke) }, input)
      const { output, images } = separateImages(result)
      return { output: guard.fence(output).output, images }
    } catch (error) {
      throw guard.fenceError(error)
    }
  }
  // An action is one endpoint with its own transaction, and its own queue if heavy.
  if (tool.effect === 'transaction')
    return inTransaction(sql, async (inside) => {
      const output = await runGuarded(inside)
      await audit(env, exchange, requested, null, inside)
      return output
    })
  const output = await runGuarded()
  if (isWrite) await audit(env, exchange, requested, null)
  return output
}

/** In base64, as clients expect them. Read with the caller's permissions. */
async function readImages(invoke: InvokeTool, images: readonly ToolImage[]): Promise<ResultImage[]> {
  const results: ResultImage[] = []
  for (const { fileId, version, page } of images) {
    const query = { version, data: 'true', ...(page !== undefined && { pages: String(page) }) }
    const { parts } = await callEndpoint({ invoke }, fileImages.read, { params: { id: fileId }, query })
    for (const { image } of parts)
      if (image?.data) results.push({ type: 'image', data: image.data, mimeType: image.mimeType })
  }
  return results
}

const CLIENT_CHARACTERS_MAX = 100

function audit(
  { sqlFor, now }: McpEnvironment,
  { caller: { caller }, origin, requestId }: Exchange,
  { name, input, client }: RequestedCall,
  error: string | null,
  sql = sqlFor(caller.orgId),
): Promise<void> {
  const action = (input as { action?: unknown } | undefined)?.action
  return recordAudit(
    { sql, now, origin },
    {
      action: 'mcp.tool-called',
      by: caller,
      target: name,
      details: {
        client: client.name.slice(0, CLIENT_CHARACTERS_MAX),
        requestId,
        ...(name === 'run_action' && typeof action === 'string' && { action: action.slice(0, 100) }),
        ...(error && { error }),
      },
    },
  )
}

/** Without the database nothing can be recorded, but the caller gets the failure. */
const ignoreWithout = (failure: ApiError) => (error: unknown) => {
  if (recognizeFailure(error) === null || failure.code !== 'UNAVAILABLE') throw error
}

function asApiError(
  { log }: McpEnvironment,
  error: unknown,
  { requestId }: Exchange,
  tool: string,
): ApiError {
  if (error instanceof ApiError) return error
  log.error({ err: error, requestId, tool }, 'a tool call failed')
  return recognizeFailure(error) ?? new ApiError('INTERNAL', 'The server could not run this tool')
}

/** With all the usual checks. If the client names a run, the run makes the changes. */
export const invokeAs =
  ({ invoke }: McpEnvironment, exchange: Exchange, run: OpenRun | null, sql?: Sql): InvokeTool =>
  async (name, { params = {}, query = {}, body, idempotencyKey }) => {
    const { caller, identifiedAt, origin, signal } = exchange
    const result = await invoke(name, {
      caller: inRun(caller.caller, run),
      reidentify: async () => {
        const current = await caller.reidentify()
        return current && inRun(current, run)
      },
      identifiedAt,
      origin,
      params,
      query,
      body,
      // Drops only waiting calls when the client disconnects.
      ...(endpointsByName[name].heavy && { signal: signal() }),
      ...(idempotencyKey && { idempotencyKey }),
      ...(sql && { sql }),
    })
    if (result.stream) {
      result.stream.destroy()
      throw badRequest('This action returns a file: download it with the REST API')
    }
    return JSON.parse(result.body)
  }

const inRun = (caller: Caller, run: OpenRun | null): Caller =>
  run === null ? caller : { ...caller, via: 'run', credentialId: run.id, trust: run.trust }

const RUN_META_KEY = 'atrium/run'

const RunRef = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)])

/** Only the user who started a run can add changes to it. */
async function findNamedRun(
  { sqlFor, findOpenRun }: McpEnvironment,
  { caller: { caller } }: Exchange,
  meta: Record<string, unknown> | undefined,
): Promise<OpenRun | null> {
  const runRef = meta?.[RUN_META_KEY]
  if (runRef === undefined) return null
  const id = RunRef.safeParse(runRef)
  const { orgId, userId } = caller
  const run = id.success ? await findOpenRun(sqlFor(orgId), orgId, { id: id.data, userId }) : null
  if (!run)
    throw badRequest(
      `_meta["${RUN_META_KEY}"] must identify a run that you started with run_action runs.start and that has not ended`,
    )
  return run
}
