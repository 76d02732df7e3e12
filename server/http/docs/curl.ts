import type { Access } from '../../../contract/endpoint.ts'

/** Depends on the request. */
export const BASE = '{{base}}'
export const COOKIE_FILE = 'atrium.cookies'

interface Call {
  method: string
  path: string
  query: Record<string, unknown>
  access: Access
  idempotencyPrefix?: string
  body?: unknown
  sendsFile?: boolean
  savesFile?: boolean
}

export function toCurlCommand({
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

/** Endpoints that refuse API keys use the cookie saved by the sign-in example. */
function credentialOf(access: Access): string[] {
  if (access.kind === 'public' || access.kind === 'signature') return []
  return access.kind === 'member' ? ['-H "Authorization: Bearer $ATRIUM_API_KEY"'] : [`-b ${COOKIE_FILE}`]
}

const quote = (text: string, always = false) =>
  always || /[?&'$\s]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text
