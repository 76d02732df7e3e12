import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from './failure.ts'
import { parseJson } from './parse.ts'

const Credential = z.object({ key: z.string(), keyId: z.string(), keyName: z.string() })
export type Credential = z.output<typeof Credential>

const StoredCredentials = z.object({
  /** From the last sign-in. */
  current: z.string().nullable(),
  servers: z.record(z.string(), Credential),
})
export type StoredCredentials = z.output<typeof StoredCredentials>

const pathIn = (folder: string) => join(folder, 'credentials.json')

export async function readCredentials(folder: string): Promise<StoredCredentials> {
  const file = pathIn(folder)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Failure('failed', `${file} cannot be read: ${error.message}`)
  })
  if (text === null) return { current: null, servers: {} }
  const parsed = StoredCredentials.safeParse(parseJson(text))
  if (!parsed.success)
    throw new Failure('failed', `${file} is damaged: remove it and run \`npx atrium login\` again`)
  return parsed.data
}

export async function addCredential(folder: string, server: string, credential: Credential): Promise<void> {
  const { servers } = await readCredentials(folder)
  await write(folder, { current: server, servers: { ...servers, [server]: credential } })
}

export async function removeCredential(folder: string, server: string): Promise<void> {
  const stored = await readCredentials(folder)
  const { [server]: _removed, ...servers } = stored.servers
  const current = stored.current === server ? (Object.keys(servers)[0] ?? null) : stored.current
  await write(folder, { current, servers })
}

/** Writes atomically, with mode 600 from the start. */
async function write(folder: string, stored: StoredCredentials): Promise<void> {
  const file = pathIn(folder)
  const temporary = `${file}.${crypto.randomUUID()}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(stored, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw new Failure('failed', `${file} cannot be written: ${(error as Error).message}`)
  }
}
