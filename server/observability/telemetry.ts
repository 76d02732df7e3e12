import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TelemetryConfig } from '../config/telemetry.ts'
import type { Tracer } from './tracing.ts'

export interface TelemetryOptions {
  version: string
  /** Identifies this process. */
  instanceId: string
  role: string
  log: Logger
}

export interface Telemetry {
  /** Null while no traces are sent. */
  tracer: Tracer | null
  /** Counts of the sent, dropped and failed spans of this process; null while no traces are sent. */
  spans: () => { sent: number; dropped: number; failed: number } | null
  /** Sends the metrics of the registry at the configured interval. */
  sendMetrics: (registry: Registry) => void
  /** Sends the remaining spans, for a few seconds at most. */
  close: () => Promise<void>
}

const OFF: Telemetry = {
  tracer: null,
  spans: () => null,
  sendMetrics: () => {},
  close: async () => {},
}

/** The libraries of OpenTelemetry take 15 MB of memory: they are loaded only if something is sent. */
export const openTelemetry = async (
  config: TelemetryConfig | null,
  options: TelemetryOptions,
): Promise<Telemetry> => (config ? (await import('./otlp/open-otlp.ts')).openOtlp(config, options) : OFF)
