import { parse } from 'yaml'
import { CUSTOM_CONNECTOR_LIMITS } from '../../../../../../contract/connections/connector-options.ts'
import type { Context } from '../../../../../context.ts'
import { badField } from '../../../../../errors.ts'

const { documentBytes } = CUSTOM_CONNECTOR_LIMITS
const TIMEOUT_MS = 20_000
/** YAML aliases repeat parts, and nested aliases multiply. */
const ALIASES_MAX = 100

export type Json = Record<string, unknown>

export interface OpenapiDocument {
  root: Json
  /** The base for relative servers. */
  url: string | null
}

export async function readDocument(
  ctx: Pick<Context<'outbound'>, 'outbound'>,
  { document, url }: { document?: string | undefined; url?: string | undefined },
): Promise<OpenapiDocument> {
  const field = url === undefined ? 'body.document' : 'body.url'
  const text = document ?? (await download(ctx, url!))
  if (Buffer.byteLength(text) > documentBytes) throw badField(field, 'must be at most 2 MB')
  const root = parseText(field, text)
  const { openapi, paths } = root
  if (typeof openapi !== 'string' || !/^3\.[01](\.|$)/.test(openapi))
    throw badField(field, 'must be an OpenAPI 3.0 or 3.1 document')
  if (!isObject(paths)) throw badField(field, 'must have paths')
  return { root, url: url ?? null }
}

async function download({ outbound }: Pick<Context<'outbound'>, 'outbound'>, url: string): Promise<string> {
  if (!url.startsWith('https://')) throw badField('body.url', 'must begin with https://')
  const outcome = await outbound.request({
    method: 'GET',
    url,
    headers: { accept: 'application/json, application/yaml, text/yaml, */*' },
    timeoutMs: TIMEOUT_MS,
    bytesMax: documentBytes,
  })
  if (outcome.kind === 'failure') throw badField('body.url', `cannot be read. ${outcome.error}`)
  const { status, body, truncated } = outcome.response
  if (status !== 200) throw badField('body.url', `cannot be read: it responds with status ${status}`)
  if (truncated) throw badField('body.url', 'must be at most 2 MB')
  return body.toString('utf8')
}

function parseText(field: string, text: string): Json {
  let value: unknown
  try {
    value = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: ALIASES_MAX })
  } catch (error) {
    throw badField(
      field,
      `must be JSON or YAML. ${String((error as Error).message)
        .split('\n')[0]!
        .slice(0, 200)}`,
    )
  }
  if (!isObject(value)) throw badField(field, 'must be an OpenAPI document')
  return value
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
