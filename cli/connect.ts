import { type Client, createClient, routesOf } from '../client/client.ts'
import { apiKeys } from '../contract/accounts/api-keys.ts'
import { deviceLogin } from '../contract/accounts/device-login.ts'
import type { Endpoint, OutputOf } from '../contract/endpoint.ts'
import { files } from '../contract/files/files.ts'
import { workspaces } from '../contract/organizations/workspaces.ts'
import { projectExport } from '../contract/projects/project-export.ts'
import { projects } from '../contract/projects/projects.ts'
import { webhooks } from '../contract/webhooks/webhooks.ts'
import type { Surroundings } from './config.ts'
import { type Credential, readCredentials, type Stored } from './credentials.ts'
import { explain, Failure, notAtrium } from './failure.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:3000'
const TIMEOUT_MS = 30_000
/** For the few calls that move a whole project. */
export const LONG_TIMEOUT_MS = 600_000

/** What commands call: to read the whole contract would be a quarter of the time that a command takes to start. */
const contract = { apiKeys, projectExport, deviceLogin, files, projects, webhooks, workspaces }

export type AtriumClient = Client<typeof contract>

export interface Connection {
  server: string
  client: AtriumClient
  /** Null when the key came from ATRIUM_API_KEY. */
  credential: Credential | null
  /** A bare request as whoever is signed in, for bytes, which may take their time. */
  request: (path: string, init?: RequestInit) => Promise<Response>
}

/** Chooses the server: the option, the environment, the one signed in to last, and then this machine. */
export function chooseServer(option: string | undefined, around: Surroundings, stored: Stored): string {
  return normalise(option ?? around.server ?? stored.current ?? DEFAULT_SERVER)
}

/** A connection as whoever is signed in. */
export async function connect(
  option: string | undefined,
  around: Surroundings,
  timeoutMs = TIMEOUT_MS,
): Promise<Connection> {
  const stored = await readCredentials(around.folder)
  const server = chooseServer(option, around, stored)
  const credential = around.apiKey ? null : (stored.servers[server] ?? null)
  const key = around.apiKey ?? credential?.key
  if (!key)
    throw new Failure(
      'not signed in',
      `Not signed in to ${server}`,
      loginAdvice(server, Object.keys(stored.servers)),
    )
  const request: Connection['request'] = (path, init) =>
    fetch(server + path, { redirect: 'manual', ...init, headers: { ...init?.headers, ...headersOf(key) } })
  return { server, credential, client: clientOf(server, key, timeoutMs), request }
}

/** A client that follows no redirect, so that a key goes nowhere but to the server that was named. */
export function clientOf(server: string, key?: string, timeoutMs = TIMEOUT_MS): AtriumClient {
  return createClient<typeof contract>(routesOf(contract), {
    baseUrl: server,
    headers: () => headersOf(key),
    fetch: (input, init) =>
      fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }),
  })
}

const headersOf = (key?: string): Record<string, string> => ({
  'user-agent': 'atrium-cli',
  ...(key ? { authorization: `Bearer ${key}` } : {}),
})

/** Waits for an answer and believes it only if it has the promised shape: any program may live at an address. */
export async function ask<E extends Endpoint>(
  server: string,
  endpoint: E,
  answer: Promise<OutputOf<E>>,
): Promise<OutputOf<E>> {
  const given = await answer.catch((error: unknown) => {
    throw explain(error, server)
  })
  const parsed = endpoint.output.safeParse(given)
  if (!parsed.success) throw notAtrium(server, endpoint.status ?? 200)
  return parsed.data as OutputOf<E>
}

function normalise(address: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(address)
  const full = /^[a-z]+:\/\//i.test(address) ? address : `${isLocal ? 'http' : 'https'}://${address}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new Failure(
      'usage',
      `${address} is not the address of a server`,
      'It looks like https://atrium.example.com',
    )
  return url.origin
}

function loginAdvice(server: string, others: string[]): string {
  const command = `Run \`atrium login --server ${server}\`, or set ATRIUM_API_KEY.`
  return others.length > 0 ? `${command} You are signed in to ${others.join(', ')}.` : command
}
