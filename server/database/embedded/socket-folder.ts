import { chmod, lchown, lstat, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../errors.ts'
import { PORT } from './cluster.ts'

// Linux limits socket paths to 107 bytes, macOS to 103.
const PATH_BYTES_MAX = 100

interface Owner {
  uid: number
  gid: number
}

export const socketPath = (folder: string) => join(folder, `.s.PGSQL.${PORT}`)

/** No other user can enter it, and its path is short enough for a socket. */
export async function prepareSocketFolder(dataFolder: string, owner: Owner): Promise<string> {
  const folderInData = join(dataFolder, 'run')
  const { dev, ino } = await stat(dataFolder)
  const name = `atrium-${dev.toString(36)}-${ino.toString(36)}`
  const folder = [folderInData, join(tmpdir(), name), join('/tmp', name)].find(isShortEnough)
  if (!folder) {
    throw new StartupError(
      `The path ${dataFolder} is too long for a socket. Set ATRIUM_DATA to a folder with a shorter path.`,
    )
  }
  const isNew = await mkdir(folder, { mode: 0o700 }).then(() => true, ignoreExisting)
  await requireSafe(folder, owner, !isNew && folder !== folderInData)
  await lchown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
  return folder
}

function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(socketPath(folder)) <= PATH_BYTES_MAX
}

function ignoreExisting(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error
  return false
}

// In a shared temporary folder, any user can create a folder or link with this name.
async function requireSafe(folder: string, owner: Owner, isShared: boolean): Promise<void> {
  const stats = await lstat(folder)
  const isOurs = stats.uid === owner.uid || stats.uid === process.geteuid?.()
  const isPrivate = (stats.mode & 0o077) === 0
  if (stats.isDirectory() && (!isShared || (isOurs && isPrivate))) return
  throw new StartupError(
    `${folder} must be a folder that only Atrium can enter, because it holds the database socket. Remove it and start again.`,
  )
}
