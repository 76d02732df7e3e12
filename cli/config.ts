import { homedir, hostname } from 'node:os'
import { join } from 'node:path'

/** Only this file reads `process.env`. */
export interface CliEnvironment {
  /** Overrides the server from the last sign-in. */
  server: string | undefined
  /** Overrides every stored key. */
  apiKey: string | undefined
  /** Holds stored credentials. */
  folder: string
  hostname: string
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): CliEnvironment {
  return {
    server: env.ATRIUM_SERVER || undefined,
    apiKey: env.ATRIUM_API_KEY || undefined,
    folder: join(configFolder(env), 'atrium'),
    hostname: hostname(),
  }
}

function configFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && env.APPDATA) return env.APPDATA
  return env.XDG_CONFIG_HOME || join(homedir(), '.config')
}
