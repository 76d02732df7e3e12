import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { EmbeddedServer } from '../../server/database/embedded/embedded.ts'
import { type Program, processHandle, waitUntilReady } from '../program.ts'

export interface Installation {
  /** Contains `node_modules`. */
  packages: string
  folder: string
  connection: EmbeddedServer['connection']
}

interface PeerOptions {
  command: string[]
  folder: string
  env: Record<string, string>
  url: string
  health: string
}

/** In one process, as its documentation describes. */
export async function startPeer({ command, folder, env, url, health }: PeerOptions): Promise<Program> {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { ...minimalEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilReady(child, `${url}${health}`)
  return { url, ...processHandle(child) }
}

export const runPeer = (command: string[], folder: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, command, { cwd: folder, env: { ...minimalEnvironment(), ...env } })

/** Minimal, since a product could read this process's variables as its own. */
const minimalEnvironment = () => ({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: homedir() })

export async function readPackageVersion(packages: string, name: string): Promise<string> {
  return JSON.parse(await readFile(join(packages, 'node_modules', name, 'package.json'), 'utf8')).version
}

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
