import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type AtriumProcess, startAtrium } from '../e2e/atrium-process.ts'
import { PRICES } from '../kills/scripted-runs.ts'

const SECRET = 'a secret for the proof, long enough to be one'

export type Servers = ReturnType<typeof createServers>

/** Processes of Atrium by name, on one database and one bucket, each with a data folder of its own. */
export function createServers(folder: string, env: Record<string, string>) {
  const live = new Map<string, AtriumProcess>()
  const all: AtriumProcess[] = []

  return {
    /** Starts a process, and returns it when its banner is complete or it has exited. */
    async start(name: string, processEnv: Record<string, string>): Promise<AtriumProcess> {
      const dataFolder = join(folder, name)
      await mkdir(dataFolder, { recursive: true })
      const atrium = await startAtrium({
        dataFolder,
        env: {
          ATRIUM_LOG_LEVEL: 'warn',
          ATRIUM_OLLAMA_URL: 'off',
          ATRIUM_SECRET: SECRET,
          ATRIUM_TEST_MODELS: '1',
          ATRIUM_MODEL_PRICES: PRICES,
          ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
          ATRIUM_TRUSTED_PROXIES: '127.0.0.1',
          ...env,
          ...processEnv,
        },
      })
      all.push(atrium)
      live.set(name, atrium)
      return atrium
    },
    async kill(name: string): Promise<void> {
      await live.get(name)!.kill()
      live.delete(name)
    },
    /** The names of processes that ended without being killed. */
    unexpectedExits: async (): Promise<string[]> => {
      const endedNames = await Promise.all(
        [...live].map(
          async ([name, { ended }]) => (await Promise.race([ended, Promise.resolve(null)])) !== null && name,
        ),
      )
      return endedNames.filter((name) => name !== false)
    },
    output: () => all.map((each) => each.output()).join('\n'),
    async stop(): Promise<void> {
      await Promise.all([...live.values()].map((each) => each.stop('SIGKILL')))
      live.clear()
    },
  }
}
