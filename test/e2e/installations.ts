import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { startAtrium } from './atrium-process.ts'

export const OWNER = {
  ATRIUM_OWNER_EMAIL: 'ada@example.com',
  ATRIUM_OWNER_PASSWORD: 'correct horse battery',
}

/**
 * Data folders of an installation with an owner. The first one is created by a start; the others are copies, which save
 * the creation of the cluster and every migration.
 */
export function createInstallations() {
  let template: Promise<string> | undefined
  afterAll(async () => {
    if (template) await rm(await template, { recursive: true })
  })
  return {
    /** The folder must not exist yet. */
    async copyTo(folder: string): Promise<void> {
      template ??= createTemplate()
      await promisify(execFile)('cp', ['-a', await template, folder])
    },
  }
}

async function createTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-installation-'))
  const atrium = await startAtrium({ dataFolder: folder, env: OWNER })
  const [code] = await atrium.stop()
  if (code !== 0) throw new Error(`The installation did not stop: ${atrium.output()}`)
  return folder
}
