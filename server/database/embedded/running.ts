import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterFolder, PORT, USER } from './cluster.ts'
import { readMajorVersion } from './initialise.ts'
import { findPostmaster } from './postmaster.ts'
import type { Server } from './server.ts'

/** Whether the data folder has an embedded database, running or not. */
export const hasCluster = async (dataFolder: string): Promise<boolean> =>
  (await readMajorVersion(clusterFolder(dataFolder))) !== null

/** The connection to the running server of this folder, which another process owns; null if none runs. */
export async function findRunningServer(dataFolder: string): Promise<Server['connection'] | null> {
  const folder = await realpath(dataFolder)
  const socketFolder = findPostmaster(clusterFolder(folder))?.socketFolder
  if (!socketFolder) return null
  const password = (await readFile(join(folder, 'postgres.password'), 'utf8')).trim()
  return { host: socketFolder, port: PORT, user: USER, password, database: USER }
}
