import { createReadStream, createWriteStream, open as openFile } from 'node:fs'
import { constants, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { randomHex } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import {
  makeFolder,
  prepareFolder,
  removeLeftoversOf,
  removeOldLeftovers,
  syncFolder,
} from './disk-folder.ts'
import { partsOfKey } from './keys.ts'
import type { ObjectStore } from './object-store.ts'
import { type SignedRead, type SignedWrite, signUrlToken } from './signed-urls.ts'

/** Four times as much is no faster, but keeps bytes until they are old, so that eight uploads grow the process by twice as much. */
const WRITE_AHEAD_BYTES = 64 * 1024
const READ_AHEAD_BYTES = 256 * 1024

const openDescriptor = promisify(openFile)

/** Objects as files, `<organization>/<2 hex>/<30 hex>`. Several processes may share the folder. */
export function diskStore(folder: string, vault: Vault): ObjectStore {
  const unfinished = join(folder, 'tmp')
  const pathOf = (key: string) => {
    const { org, name } = partsOfKey(key)
    return join(folder, org, name.slice(0, 2), name.slice(2))
  }
  /** The file is written aside and moved into place once the disk has it all: an object is whole or absent. */
  const writeWhole = async (key: string, write: (part: string) => Promise<void>) => {
    const path = pathOf(key)
    const part = join(unfinished, `${partsOfKey(key).name}.${randomHex(8)}`)
    try {
      await write(part)
      await makeFolder(dirname(path))
      await rename(part, path)
      await syncFolder(dirname(path))
    } catch (error) {
      await rm(part, { force: true })
      throw explained(error)
    }
  }
  const addressOf = (baseUrl: string, ticket: SignedRead | SignedWrite) =>
    `${baseUrl}/api/v1/objects/${signUrlToken(vault, ticket)}`

  return {
    passesThrough: true,
    description: folder,
    async check() {
      await prepareFolder(folder, unfinished)
      await removeOldLeftovers(unfinished)
    },
    put: (key, content) => writeWhole(key, (part) => writeFile(part, content)),
    get: (key, range) =>
      orNull(async () => {
        const path = pathOf(key)
        // A stream of a bare descriptor reads faster than one of a handle, which makes a promise of every read.
        const fd = await openDescriptor(path, 'r')
        return createReadStream(path, { fd, ...range, highWaterMark: READ_AHEAD_BYTES }) as Readable
      }),
    size: (key) => orNull(async () => (await stat(pathOf(key))).size),
    copy: (from, to) => {
      const source = pathOf(from)
      return writeWhole(to, async (part) => {
        await copyFile(source, part, constants.COPYFILE_FICLONE)
        await syncFile(part)
      })
    },
    async remove(key) {
      const path = pathOf(key)
      await removeLeftoversOf(unfinished, partsOfKey(key).name)
      await orNull(async () => {
        await rm(path)
        await syncFolder(dirname(path))
      })
    },
    readUrl: async (key, { baseUrl, ...read }) => addressOf(baseUrl, { method: 'GET', key, ...read }),
    writeUrl: async (key, { baseUrl, ...write }) => addressOf(baseUrl, { method: 'PUT', key, ...write }),
  }
}

/**
 * Returns once the disk has it all: `flush` syncs before the file is closed, and a failure of that counts.
 * The file is open before the first byte is asked for: a stream that opens it by itself does so even after
 * `content` has failed, and leaves a file behind when the clearing up is already done.
 */
async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const fd = await openDescriptor(path, 'wx', 0o600)
  await pipeline(content, createWriteStream(path, { fd, flush: true, highWaterMark: WRITE_AHEAD_BYTES }))
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What an operator reads in the log. Whatever `content` failed with stays as it is. */
function explained(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Error('The disk that holds the objects is full.', { cause: error })
  return error
}
