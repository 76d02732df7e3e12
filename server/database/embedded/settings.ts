import { statfsSync } from 'node:fs'
import { PORT } from './cluster.ts'

const SHARED_MEMORY_MIN = 64 * 1024 * 1024

/** Command-line settings, which override the configuration files. Durability keeps its default: on. */
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
    // Statements contain user data, and more people can read a log than a database.
    log_min_error_statement: 'panic',
    ...(hasEnoughSharedMemory() ? {} : { dynamic_shared_memory_type: 'mmap' }),
  }
}

// Containers have 64 MB by default, which one parallel query can fill. Only Linux has the folder.
function hasEnoughSharedMemory(): boolean {
  if (process.platform !== 'linux') return true
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks > SHARED_MEMORY_MIN
  } catch {
    return false
  }
}
