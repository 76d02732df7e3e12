import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { EmbeddedServer } from '../../server/database/embedded/embedded.ts'
import { type Program, processHandle, waitUntilReady } from '../program.ts'

/** The installation of a product, from which it is started. */
export interface Installation {
  /** The folder with `node_modules`. */
  packages: string
  /** The folder in which the product creates its own. */
  folder: string
  /** An empty database of the server that all products use. */
  connection: EmbeddedServer['connection']
}

interface PeerOptions {
  /** A JavaScript file and its arguments. */
  command: string[]
  folder: string
  env: Record<string, string>
  url: string
  /** The path that answers when the product is ready. */
  health: string
}

/** Starts a product in one process, as in its documentation, and waits until it answers. */
export async function startPeer({ command, folder, env, url, health }: PeerOptions): Promise<Program> {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { ...minimalEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilReady(child, `${url}${health}`)
  return { url, ...processHandle(child) }
}

/** Runs a command of a product to its end. */
export const runPeer = (command: string[], folder: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, command, { cwd: folder, env: { ...minimalEnvironment(), ...env } })

/** The minimal environment: a product could read the variables of this process as its own. */
const minimalEnvironment = () => ({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: homedir() })

export async function versionOf(packages: string, name: string): Promise<string> {
  return JSON.parse(await readFile(join(packages, 'node_modules', name, 'package.json'), 'utf8')).version
}

/** Calls the API of a product while it is prepared. */
export async function requestJson(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: unknown,
) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}
