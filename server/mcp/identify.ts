import { keyMcpAccess } from '../../contract/accounts/scopes.ts'
import type { Caller } from '../context.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'

export type McpAccess = 'read' | 'write'

export interface McpCaller {
  /** Has the scopes tools need, and is read-only for `read` access. */
  caller: Caller
  access: McpAccess
  /** The credential's client. Null for an API key, where the client names itself. */
  client: string | null
  /** For a phone call's voice, which repeats what an external caller said. Null: all the caller's projects. */
  projectId: string | null
  callTools: readonly string[]
  /** Rereads current permissions. Null if the credential is no longer valid. */
  reidentify: () => Promise<Caller | null>
}

/** Null for an invalid token. app.ts passes this in: this folder imports no feature. */
export type IdentifyMcp = (bearer: string, ip: string) => Promise<McpCaller | null>

const accessOfKey = ({ scopes, readOnly }: Caller): McpAccess =>
  scopes === 'all' ? 'write' : keyMcpAccess({ scopes, readOnly })

/**
 * MCP checks reading and writing separately from REST scopes, so tools reach files and models with every key. Endpoints
 * refuse all changes by a read-only caller.
 */
export const callerOfTools = (caller: Caller, access: McpAccess): Caller => ({
  ...caller,
  scopes:
    caller.scopes === 'all'
      ? 'all'
      : [...caller.scopes, 'models:read', access === 'write' ? 'files:write' : 'files:read'],
  ...(access === 'read' && { readOnly: true }),
})

type IdentifyKey = (key: string, ip: string) => Promise<Caller | null>

/** `identifyAgain` needs a separate pool: a waiting transaction must not hold the connection the lookup needs. */
export const identifyByKey =
  (identify: IdentifyKey, identifyAgain: IdentifyKey): IdentifyMcp =>
  async (bearer, ip) => {
    const caller = await identify(bearer, ip)
    if (!caller) return null
    const access = accessOfKey(caller)
    return {
      caller: callerOfTools(caller, access),
      access,
      client: null,
      projectId: null,
      callTools: [],
      reidentify: async () => {
        const current = await identifyAgain(bearer, ip)
        return current && callerOfTools(current, accessOfKey(current))
      },
    }
  }

type IdentifyGrant = (token: string) => Promise<Omit<McpCaller, 'reidentify'> | null>

export const identifyByGrant =
  (identify: IdentifyGrant, identifyAgain: IdentifyGrant): IdentifyMcp =>
  async (bearer) => {
    const found = await identify(bearer)
    return found && { ...found, reidentify: async () => (await identifyAgain(bearer))?.caller ?? null }
  }

export const unlessSuspended =
  (suspensions: Pick<Suspensions, 'requireActive'>, identify: IdentifyMcp): IdentifyMcp =>
  async (bearer, ip) => {
    const found = await identify(bearer, ip)
    if (found) suspensions.requireActive(found.caller.orgId)
    return found
  }

/** Token formats differ, so at most one looks it up. */
export const identifyByEither =
  (first: IdentifyMcp, second: IdentifyMcp): IdentifyMcp =>
  async (bearer, ip) =>
    (await first(bearer, ip)) ?? second(bearer, ip)
