import type { Logger } from 'pino'
import type { EndpointName } from '../../contract/index.ts'
import type { Origin } from '../context.ts'
import type { Sql } from '../database/database.ts'
import type { Call, Result } from '../endpoint/call.ts'
import type { Vault } from '../security/vault.ts'
import type { ListTextOrigins } from '../tools/text-guard.ts'
import type { FindOutsideBlocks, Trust } from '../tools/tool.ts'
import type { McpCaller } from './identify.ts'

/** app.ts passes these in: this folder imports no feature. */
export interface McpEnvironment {
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  sqlFor: (orgId: string) => Sql
  findOutsideBlocks: (sql: Sql, orgId: string) => FindOutsideBlocks
  listTextOrigins: (orgId: string, inside?: Sql) => ListTextOrigins
  /** Null unless this user started the run and it hasn't ended. */
  findOpenRun: (sql: Sql, orgId: string, run: { id: string; userId: string }) => Promise<OpenRun | null>
  hasNumber: (sql: Sql, orgId: string) => Promise<boolean>
  countCall: (call: EndedCall) => void
  vault: Vault
  now: () => Date
  log: Logger
}

/** `tool` is one of this server's tools, so it's safe as a metric label. */
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

export interface Exchange {
  caller: McpCaller
  /** `performance.now()`. Null if the body hadn't arrived. */
  identifiedAt: number | null
  origin: Origin
  requestId: string
  /** Lazy: most requests never need it. */
  signal: () => AbortSignal
}

export interface ClientInfo {
  name: string
  canElicit: boolean
}
