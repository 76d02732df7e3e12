import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { RunAs } from './run-as.ts'

/** What is known before a server runs: where everything lies, and how to start it. */
export interface Cluster {
  dataFolder: string
  folder: string
  logFile: string
  socketFolder: string
  password: string
  binaries: Binaries
  runAs: RunAs
  settings: Record<string, string>
}

export const PORT = 5432
export const USER = 'atrium'

/** Names in the data folder of what is still being made; whatever an interruption left is swept by this prefix. */
export const UNFINISHED = 'postgres.init-'

export const clusterFolder = (dataFolder: string) => join(dataFolder, 'postgres')
