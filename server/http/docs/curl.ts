import type { Access } from '../../../contract/endpoint.ts'

/** Placeholder for the base URL, which depends on the request for the page. */
export const BASE = '{{base}}'
export const COOKIE_FILE = 'atrium.cookies'

interface Call {
  method: string
  path: string
  query: Record<string, unknown>
  access: Access
  /** The prefix of the example idempotency key, if the operation supports one. */
  idempotencyPrefix?: string
  body?: unknown
  /** The body is a file. */
  sendsFile?: boolean
  /** The response is a file. */
  savesFile?: boolean
}

/** The example request as a curl command. */
export function curlOf({
  method,
  path,
  query,
  access,
  idempotencyPrefix,
  body,
  sendsFile,
  savesFile,
}: Call): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const url = `${BASE}${path}${search.size > 0 ? `?${search}` : ''}`
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `
  return [
    `curl ${verb}${quote(url)}`,
    ...credentialOf(access),
    ...(idempotencyPrefix ? [`-H "Idempotency-Key: ${idempotencyPrefix}-$(date +%s)"`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2), true)}`]),
    ...(sendsFile ? [`-H 'Content-Type: application/octet-stream'`, '--data-binary @file'] : []),
    ...(savesFile ? ['-o file'] : []),
  ].join(' \\\n  ')
}

/** Endpoints that refuse API keys use the session cookie, which the sign-in example saves to a file. */
function credentialOf(access: Access): string[] {
  if (access.kind === 'public' || access.kind === 'signature') return []
  return access.kind === 'member' ? ['-H "Authorization: Bearer $ATRIUM_API_KEY"'] : [`-b ${COOKIE_FILE}`]
}

/** Quotes for a POSIX shell; plain URLs need no quotes. */
const quote = (text: string, always = false) =>
  always || /[?&'$\s]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text
