import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

export interface Cluster {
  dataFolder: string
  folder: string
  logFile: string
  socketFolder: string
  password: string
  binaries: Binaries
  runAs: RunAs
  settings: Record<string, string>
  /** Tells other processes what the owner is doing. */
  purpose: string
  onSpawn: () => void
}

export const PORT = 5432
export const USER = 'atrium'

/** A later start removes unfinished files with this prefix. */
export const UNFINISHED = 'postgres.init-'

export const clusterFolder = (dataFolder: string) => join(dataFolder, 'postgres')
