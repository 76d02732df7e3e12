import { homedir, hostname } from 'node:os'
import { join } from 'node:path'

/** What the surroundings say; the only reader of the environment in the command line. */
export interface Surroundings {
  /** Overrides the server that was signed in to last. */
  server: string | undefined
  /** Overrides every stored key. */
  apiKey: string | undefined
  /** Where credentials are kept. */
  folder: string
  hostname: string
}

export function readSurroundings(env: NodeJS.ProcessEnv = process.env): Surroundings {
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
