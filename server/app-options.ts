import type { Logger } from 'pino'
import type { Turns } from './concurrency/turns.ts'
import type { Config } from './config/config.ts'
import type { Connection } from './database/connection.ts'
import type { StandbyReads } from './database/standby/standby.ts'
import type { TimeLimits } from './http/connection/time-limits.ts'
import type { BodyLimits } from './http/large-bodies.ts'
import type { SocketLimits } from './http/sockets/sockets.ts'
import type { Deadlines } from './storage/s3.ts'

export interface AppOptions {
  config: Config
  connection: Connection
  /** No other process uses this database, so every lock found at boot belongs to a killed process. */
  isOnlyProcess: boolean
  secret: string
  /** Accepts a secret that differs from the one of earlier starts. */
  acceptsNewSecret?: boolean
  log: Logger
  /** Used instead of the time of the database. For tests. */
  now?: () => Date
  /** The clock of this machine, in milliseconds. For tests. */
  systemTime?: () => number
  /** How often the time of the database is read. For tests. */
  measureClockMs?: number
  /** Deadlines for calls of the bucket. For tests. */
  storageDeadlines?: Deadlines
  /** Used instead of the configured standby. */
  standby?: StandbyReads
  /** The longest pause before a standby that failed is tried again. For tests. */
  standbyPauseMs?: number
  /** Validates every response body against the output that its endpoint declares. For tests. */
  checkOutput?: boolean
  /** How long a check of access is valid while a handler runs. */
  recheckAfterMs?: number
  /** Called with a description of every response that its endpoint does not declare. */
  onUndeclared?: (message: string) => void
  /** For tests that count the turns of handlers. */
  turns?: Pick<Turns, 'begin'>
  timeLimits?: TimeLimits
  bodyLimits?: BodyLimits
  socketLimits?: SocketLimits
}
