import { isDatabaseUnavailable } from '../database/pg-errors.ts'
import { ApiError, StartupError } from '../errors.ts'

/** Shows the remedy if there is one, otherwise the stack. */
export function explain(error: unknown): string {
  if (error instanceof StartupError || error instanceof ApiError) return error.message
  const { code, message, stack, address, port, severity } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
    severity?: string
  }
  if (code === 'EADDRINUSE')
    return `${address}:${port} is in use by another process. Set PORT to another port.`
  if (code === 'EACCES' && port)
    return `Port ${port} needs elevated privileges. Set PORT to a port above 1023.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000')
    return `The database at DATABASE_URL cannot be reached: ${message}`
  if (isDatabaseUnavailable(error) || severity === 'FATAL')
    return `The connection to PostgreSQL was lost: ${message || code}. Start again when PostgreSQL accepts connections.`
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk is full: ${message}`
  return stack ?? String(error)
}

export const healthPortInUse = (port: number): string =>
  `/readyz is not served: port ${port} is in use; set ATRIUM_HEALTH_PORT`
