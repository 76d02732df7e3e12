import type { Logger } from 'pino'
import type { ConnectorsConfig } from '../../config/connectors.ts'
import type { TelephonyConfig } from '../../config/telephony.ts'
import type { JobContext } from '../../context.ts'
import type { Feature } from '../../feature.ts'
import type { Models } from '../../language-models/models.ts'
import type { RunChannel } from '../agents/runs/runs.ts'

export interface TelephonyOptions {
  models: Models
  runChannel: Pick<RunChannel, 'listeners'>
  connectors: ConnectorsConfig
  accounts: TelephonyConfig
  publicUrl: string | null
  log: Logger
}

export type Part = Pick<Feature, 'routes'> &
  Partial<Pick<Feature, 'sockets' | 'jobs' | 'schedules' | 'start' | 'recover'>> & {
    /** For call or text message sessions, from any part. May be repeated. */
    runEnded?: (ctx: JobContext, run: { orgId: string; runId: string }) => Promise<void>
  }
