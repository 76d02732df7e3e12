import { formatBytes } from '../../backup/sizes.ts'
import type { Config } from '../../config/config.ts'
import type { Pool } from '../../database/database.ts'
import { inspectStandby, REMEDY } from '../../database/standby/require-standby.ts'
import { type Check, failed, ok, warning } from './check.ts'

const name = 'Standby'
/** A standby with a larger lag gets no list queries; processes check it every five seconds. */
const LAG_BYTES_WARNING = 16_000_000

export async function checkStandby(primary: Pool, { databaseReadUrl }: Config): Promise<Check[]> {
  if (!databaseReadUrl) return []
  const inspection = await inspectStandby(primary, databaseReadUrl)
  if (inspection.problem) return [failed(name, `${inspection.problem}. ${REMEDY}`)]
  if (inspection.warning) return [warning(name, `${inspection.warning}: the primary runs all lists`)]
  const { lagBytes } = inspection.replay!
  const text = `in recovery, ${formatBytes(lagBytes)} behind the primary`
  return [
    lagBytes > LAG_BYTES_WARNING
      ? warning(name, `${text}: the primary runs the lists until it has caught up`)
      : ok(name, text),
  ]
}
