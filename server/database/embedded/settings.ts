import { statfsSync } from 'node:fs'
import { PORT } from './cluster.ts'

const SHARED_MEMORY_MIN = 64 * 1024 * 1024

/** The server's settings, which stand above those in its own files. Durability is left as PostgreSQL has it: on. */
export function settingsFor(socketFolder: string): Record<string, string> {
  return {
    port: String(PORT),
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements carry rows, and a log is read by more people than a database.
    log_min_error_statement: 'panic',
    ...(hasRoomyShm() ? {} : { dynamic_shared_memory_type: 'mmap' }),
  }
}

// Containers get 64 MB unless told otherwise, which one parallel query can fill. Only Linux has the folder.
function hasRoomyShm(): boolean {
  if (process.platform !== 'linux') return true
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks > SHARED_MEMORY_MIN
  } catch {
    return false
  }
}
