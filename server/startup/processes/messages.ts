import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Connection } from '../../database/connection.ts'

/** The argument of a process that the main one starts. */
export const CHILD = 'process'

export type MeasuredMetric = MetricObjectWithValues<MetricValue<string>>

/** From the main process to one that it started. */
export type ToChild =
  | {
      type: 'start'
      connection: Connection
      connectionShare: number
      /** Migrates, takes over what a killed installation left, and writes the banner. */
      isFirst: boolean
      isOnlyProcess: boolean
      acceptsNewSecret: boolean
      /** Where the main process listens. Null: nowhere. */
      url: string | null
    }
  /** With the socket. */
  | { type: 'connection'; connection: number }
  | { type: 'stop'; isReplaced: boolean }
  /** Asks whether it still works. */
  | { type: 'ask' }
  /** Asks for its metrics. */
  | { type: 'measure'; request: number }
  /** All processes' metrics, which the child asked for. */
  | { type: 'metrics'; request: number; text: string }

export type FromChild =
  | { type: 'ready'; banner: string | null }
  | { type: 'accepted'; connection: number }
  /** Asks to be stopped. */
  | { type: 'leaving' }
  /** Its event loop runs. */
  | { type: 'works' }
  | { type: 'measured'; request: number; metrics: MeasuredMetric[] }
  /** Asks for all processes' metrics. */
  | { type: 'scrape'; request: number }
