import type { Access } from '../../../contract/endpoint.ts'

/** Stands for the address of this server until a request tells how its reader reaches it. */
export const BASE = '{{base}}'
export const COOKIE_FILE = 'atrium.cookies'

interface Call {
  method: string
  path: string
  query: Record<string, unknown>
  access: Access
  /** What the idempotency key of the example begins with, where the operation takes one. */
  keyed?: string
  body?: unknown
  /** The body is a file. */
  sendsFile?: boolean
  /** The answer is a file. */
  savesFile?: boolean
}

/** The call as a command that can be pasted into a terminal. */
export function curlOf({ method, path, query, access, keyed, body, sendsFile, savesFile }: Call): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const address = `${BASE}${path}${search.size > 0 ? `?${search}` : ''}`
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `
  return [
    `curl ${verb}${quote(address)}`,
    ...credentialOf(access),
    ...(keyed ? [`-H "Idempotency-Key: ${keyed}-$(date +%s)"`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2), true)}`]),
    ...(sendsFile ? [`-H 'Content-Type: application/octet-stream'`, '--data-binary @file'] : []),
    ...(savesFile ? ['-o file'] : []),
  ].join(' \\\n  ')
}

/** Whatever refuses API keys is called with the cookie that signing in has left in a file. */
function credentialOf(access: Access): string[] {
  if (access.kind === 'public' || access.kind === 'signature') return []
  return access.kind === 'member' ? ['-H "Authorization: Bearer $ATRIUM_API_KEY"'] : [`-b ${COOKIE_FILE}`]
}

/** For a POSIX shell; plain addresses are left as they are. */
const quote = (text: string, always = false) =>
  always || /[?&'$\s]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text
