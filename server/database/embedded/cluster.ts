import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

/** Everything needed to start a server: folders, credentials, binaries and settings. */
export interface Cluster {
  dataFolder: string
  folder: string
  logFile: string
  socketFolder: string
  password: string
  binaries: Binaries
  runAs: RunAs
  settings: Record<string, string>
  /** What the owner does with the server, for others that want it. */
  purpose: string
}

export const PORT = 5432
export const USER = 'atrium'

/** Prefix of unfinished files in the data folder, by which a later start finds and removes them. */
export const UNFINISHED = 'postgres.init-'

export const clusterFolder = (dataFolder: string) => join(dataFolder, 'postgres')
