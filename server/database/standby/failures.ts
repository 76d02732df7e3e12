import { isConnectionLost } from '../pg-errors.ts'

/**
 * Whether a statement failed because of the standby, so that the primary may succeed with it: the connection is lost, or the SQLSTATE is
 * of class 08 (connection), 40 (conflict with recovery), 53 (resources), 57 (canceled, shut down), 58 (disk) or XX
 * (corruption), the role of DATABASE_READ_URL lacks a privilege (42501), or a pooler lost a prepared statement (26000, 42P05). A write
 * (25006) is a defect of the handler, as are all others.
 */
export function isOfStandby(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isConnectionLost(error) || (typeof code === 'string' && OF_STANDBY.test(code))
}

const OF_STANDBY = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|42501|26000|42P05)$/
