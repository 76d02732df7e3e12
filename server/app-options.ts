import type { Logger } from 'pino'
import type { Turns } from './concurrency/turns.ts'
import type { Config } from './config/config.ts'
import type { Connection } from './database/connection.ts'
import type { StandbyReads } from './database/standby/standby.ts'
import type { TimeLimits } from './http/connection/time-limits.ts'
import type { BodyLimits } from './http/large-bodies.ts'
import type { MetricsOptions } from './http/metrics.ts'
import type { SocketLimits } from './http/sockets/sockets.ts'
import type { Deadlines } from './storage/s3.ts'

export interface AppOptions {
  config: Config
  connection: Connection
  /** No other process uses this database, so every lock found at boot belongs to a killed process. */
  isOnlyProcess: boolean
  secret: string
  /** Accepts a secret that differs from earlier starts. */
  acceptsNewSecret?: boolean
  log: Logger
  /** False: fails if migrations are pending, because other processes still use the schema. Default: true. */
  mayMigrate?: boolean
  /** Of the connections that a process may open. Default: 1. */
  connectionShare?: number
  /** The process that started this one and others that share its port. */
  mainPid?: number
  /** Replaces this process's own metrics at `/metrics`. */
  readMetrics?: MetricsOptions['readMetrics']
  /** Replaces the database's time. For tests. */
  now?: () => Date
  /** This machine's clock, in milliseconds. For tests. */
  systemTime?: () => number
  /** How often to read the database's time. For tests. */
  measureClockMs?: number
  /** Deadlines for bucket calls. For tests. */
  storageDeadlines?: Deadlines
  /** How long a provider may send nothing. For tests. */
  patienceMs?: number
  /** Replaces the configured standby. */
  standby?: StandbyReads
  /** Longest pause before retrying a failed standby. For tests. */
  standbyPauseMs?: number
  /** Validates response bodies against the endpoint's declared output. For tests. */
  checkOutput?: boolean
  /** How long an access check stays valid while a handler runs. */
  recheckAfterMs?: number
  /** Called with a description of each undeclared response. */
  onUndeclared?: (message: string) => void
  /** For tests that count handler turns. */
  turns?: Pick<Turns, 'begin'>
  timeLimits?: TimeLimits
  bodyLimits?: BodyLimits
  socketLimits?: SocketLimits
}
