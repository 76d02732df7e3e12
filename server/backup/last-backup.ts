import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const LastBackup = z.object({
  createdAt: z.iso.datetime(),
  folder: z.string(),
  bytes: z.number(),
  isComplete: z.boolean(),
})
export type LastBackup = z.output<typeof LastBackup>

const fileIn = (dataFolder: string) => join(dataFolder, 'last-backup.json')

/** Records the last backup, for `atrium-server check`. */
export async function writeLastBackup(dataFolder: string, backup: LastBackup): Promise<void> {
  const file = fileIn(dataFolder)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, `${JSON.stringify(backup)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Reads the last backup; null if there is none, `damaged` if its file is not one that `writeLastBackup` wrote. */
export async function readLastBackup(dataFolder: string): Promise<LastBackup | 'damaged' | null> {
  const text = await readFile(fileIn(dataFolder), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return LastBackup.parse(JSON.parse(text))
  } catch {
    return 'damaged'
  }
}
