import { mcpAccessOf } from '../../contract/accounts/scopes.ts'
import type { Caller } from '../context.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'

/** Whether a caller may use the tools that read, or all of them. */
export type McpAccess = 'read' | 'write'

export interface McpCaller {
  /** The caller with the scopes that tools need, and read-only for the access `read`. */
  caller: Caller
  access: McpAccess
  /** The name of the client that the credential was issued to; null for an API key, whose client names itself. */
  client: string | null
  /**
   * The only project that tools reach, for the voice of a phone call, which repeats what a person outside said; null for
   * every project of the caller.
   */
  projectId: string | null
  /** The names of the tools of a phone call; empty for every other caller. */
  callTools: readonly string[]
  /** Identifies the caller again, with its current rights; null if the credential is no longer valid. */
  reidentify: () => Promise<Caller | null>
}

/** Resolves the bearer token of a request, null if it is not valid. Passed in by app.ts: this folder imports no feature. */
export type IdentifyMcp = (bearer: string, ip: string) => Promise<McpCaller | null>

const accessOfKey = ({ scopes, readOnly }: Caller): McpAccess =>
  scopes === 'all' ? 'write' : mcpAccessOf({ scopes, readOnly })

/**
 * The caller of tools. MCP has its own check of reading and writing, separate from the scopes of the REST API, so tools
 * reach files and models with every key. Endpoints refuse every change of a read-only caller.
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

/**
 * `identifyAgain` uses a separate pool: a transaction that waits for the lookup must not occupy the connection that the
 * lookup needs.
 */
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

/** The access token of a connected app, whose caller has the scopes that tools need. */
export const identifyByGrant =
  (identify: IdentifyGrant, identifyAgain: IdentifyGrant): IdentifyMcp =>
  async (bearer) => {
    const found = await identify(bearer)
    return found && { ...found, reidentify: async () => (await identifyAgain(bearer))?.caller ?? null }
  }

/** Refuses every request of a suspended organization, including requests that call no tool. */
export const unlessSuspended =
  (suspensions: Pick<Suspensions, 'requireActive'>, identify: IdentifyMcp): IdentifyMcp =>
  async (bearer, ip) => {
    const found = await identify(bearer, ip)
    if (found) suspensions.requireActive(found.caller.orgId)
    return found
  }

/** A bearer token has one format, so at most one of the two looks it up. */
export const identifyByEither =
  (first: IdentifyMcp, second: IdentifyMcp): IdentifyMcp =>
  async (bearer, ip) =>
    (await first(bearer, ip)) ?? second(bearer, ip)
