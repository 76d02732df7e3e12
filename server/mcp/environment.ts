import type { Logger } from 'pino'
import type { EndpointName } from '../../contract/index.ts'
import type { Origin } from '../context.ts'
import type { Sql } from '../database/database.ts'
import type { Call, Result } from '../endpoint/call.ts'
import type { Vault } from '../security/vault.ts'
import type { ListTextOrigins } from '../tools/text-guard.ts'
import type { FindOutsideBlocks, Trust } from '../tools/tool.ts'
import type { McpCaller } from './identify.ts'

/** The dependencies of the MCP server. app.ts passes them: this folder imports no feature. */
export interface McpEnvironment {
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  /** The connections of an organization. */
  sqlFor: (orgId: string) => Sql
  findOutsideBlocks: (sql: Sql, orgId: string) => FindOutsideBlocks
  listTextOrigins: (sql: Sql, orgId: string) => ListTextOrigins
  /** A run that a program reports, if this person started it and it has not ended. */
  findOpenRun: (sql: Sql, orgId: string, run: { id: string; userId: string }) => Promise<OpenRun | null>
  /** Whether the organization has a phone number that works. */
  hasNumber: (sql: Sql, orgId: string) => Promise<boolean>
  countCall: (call: EndedCall) => void
  vault: Vault
  now: () => Date
  log: Logger
}

/** `tool` is the name of a tool of this server, so that metrics can use it as a label. */
export interface EndedCall {
  orgId: string
  tool: string
  client: string
  failed: boolean
  seconds: number
}

export interface OpenRun {
  id: string
  projectId: string
  trust: Trust
}

/** One HTTP request of a client, after its bearer token was accepted. */
export interface Exchange {
  caller: McpCaller
  /** When the caller was identified (`performance.now()`); null if the body had not arrived then. */
  identifiedAt: number | null
  origin: Origin
  requestId: string
  /** Aborts when the client closes the connection. A function, because most requests never need the signal. */
  signal: () => AbortSignal
}

/** What a client reports about itself. */
export interface ClientInfo {
  name: string
  /** Whether the client can ask its user a question. */
  canElicit: boolean
}
