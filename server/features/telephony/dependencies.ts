import type { Logger } from 'pino'
import type { ConnectorsConfig } from '../../config/connectors.ts'
import type { TelephonyConfig } from '../../config/telephony.ts'
import type { JobContext } from '../../context.ts'
import type { Feature } from '../../feature.ts'
import type { Models } from '../../language-models/models.ts'
import type { RunChannel } from '../agents/runs/runs.ts'

export interface TelephonyOptions {
  models: Models
  /** The events of runs, whose answers are spoken during calls. */
  runChannel: Pick<RunChannel, 'listeners'>
  connectors: ConnectorsConfig
  /** The accounts of this server. */
  accounts: TelephonyConfig
  /** The public URL of this server that the operator set. */
  publicUrl: string | null
  log: Logger
}

/** The routes, jobs and workers of one part of telephony. */
export type Part = Pick<Feature, 'routes'> &
  Partial<Pick<Feature, 'sockets' | 'jobs' | 'schedules' | 'start' | 'recover'>> & {
    /** A run ended in a session of calls or text messages, of this part or of another one. May be repeated. */
    runEnded?: (ctx: JobContext, run: { orgId: string; runId: string }) => Promise<void>
  }
