import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TelemetryConfig } from '../config/telemetry.ts'
import type { Tracer } from './tracing.ts'

export interface TelemetryOptions {
  version: string
  instanceId: string
  role: string
  log: Logger
}

export interface Telemetry {
  /** Null while no traces are sent. */
  tracer: Tracer | null
  spans: () => { sent: number; dropped: number; failed: number } | null
  sendMetrics: (registry: Registry) => void
  close: () => Promise<void>
}

const OFF: Telemetry = {
  tracer: null,
  spans: () => null,
  sendMetrics: () => {},
  close: async () => {},
}

/** The OpenTelemetry libraries take 15 MB. */
export const openTelemetry = async (
  config: TelemetryConfig | null,
  options: TelemetryOptions,
): Promise<Telemetry> => (config ? (await import('./otlp/open-otlp.ts')).openOtlp(config, options) : OFF)
