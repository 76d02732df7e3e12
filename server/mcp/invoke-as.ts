import { endpointsByName } from '../../contract/index.ts'
import type { Caller } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { badRequest } from '../errors.ts'
import type { InvokeTool } from '../tools/tool.ts'
import type { Exchange, McpEnvironment, OpenRun } from './environment.ts'

/** Calls endpoints for a client, with the checks of every other call. A run makes the changes if the client names one. */
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
      // Only a call that waits for its turn is dropped when the client has disconnected.
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
