import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Connection } from '../server/database/connection.ts'

/** Starts a program in its own process. It sends its URL when it listens and stops on SIGTERM; `folder` is for its files. */
export async function startProgram(file: string, connection: Connection, folder = '') {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(connection), folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [url] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${file} exited before it was ready`)
    }),
  ])) as [string]
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
