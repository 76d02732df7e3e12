import type { Connection } from '../../database/connection.ts'

/** From the main process to one that it started. */
export type ToChild =
  | {
      type: 'start'
      connection: Connection
      /** Takes over what a killed installation left, and prints the banner. */
      isFirst: boolean
      isOnlyProcess: boolean
      acceptsNewSecret: boolean
    }
  | { type: 'stop' }
  /** Asks for its metrics. */
  | { type: 'measure'; request: number }
  /** The metrics of all processes. */
  | { type: 'metrics'; request: number; text: string }

export type FromChild =
  | { type: 'ready'; banner: string | null }
  /** Asks for the metrics of all processes. */
  | { type: 'scrape'; request: number }
  | { type: 'measured'; request: number; metrics: object[] }
