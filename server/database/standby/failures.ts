import { isConnectionLost } from '../pg-errors.ts'

/**
 * Whether a statement failed because of the standby, so that it may succeed on the primary: the connection is lost, the
 * SQLSTATE is of class 08 (connection), 40 (conflict with recovery), 53 (resources), 57 (canceled, shut down), 58
 * (disk) or XX (corruption), the role of DATABASE_READ_URL lacks a privilege (42501), or a pooler lost a prepared
 * statement (26000, 42P05). A write (25006) and every other failure is a defect of the handler.
 */
export function isStandbyFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isConnectionLost(error) || (typeof code === 'string' && STANDBY_FAILURE.test(code))
}

const STANDBY_FAILURE = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|42501|26000|42P05)$/
