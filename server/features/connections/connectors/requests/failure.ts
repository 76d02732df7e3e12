import type { ConnectorDefinition, ErrorRule } from '../definition/definition.ts'
import { textAt } from '../definition/payload.ts'
import { valueAt } from '../definition/template.ts'

export interface ProviderAnswer {
  status: number
  headers: Record<string, string>
  /** Parsed JSON, or text for other content types. */
  body: unknown
  bytes: Buffer
  /** Over 1 MB. The rest wasn't read. */
  truncated: boolean
}

/** Only `expired` and `revoked` concern the credentials. */
export interface Failure {
  means: ErrorRule['means'] | 'unreachable'
  code: string | null
  message: string
}

const MEANINGS: Record<number, Failure['means']> = {
  401: 'expired',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
  429: 'slow_down',
  502: 'unreachable',
  503: 'slow_down',
  504: 'unreachable',
}

const MESSAGE_MAX = 500

/** Returns null on success. Some errors have status 200. */
export function findProviderFailure(definition: ConnectorDefinition, answer: ProviderAnswer): Failure | null {
  const { status, body } = answer
  const rule = definition.errors?.find((each) => matches(each, status, body))
  if (!rule && status < 300) return null
  const { code: codePath, message: messagePath } = definition.errorFields ?? {}
  const code =
    (codePath === undefined ? null : textAt(body, codePath)) ?? textAt(body, 'error') ?? textAt(body, 'code')
  const message =
    rule?.message ??
    [messagePath ?? []]
      .flat()
      .map((path) => textAt(body, path))
      .find((text) => text !== null) ??
    textAt(body, 'message') ??
    textAt(body, 'error_description') ??
    code
  return {
    means:
      rule?.means ??
      MEANINGS[status] ??
      (status >= 500 ? 'unreachable' : status >= 400 ? 'invalid' : 'failed'),
    code,
    message: (message ?? `${definition.name} responded with status ${status}`).slice(0, MESSAGE_MAX),
  }
}

function matches({ status, path, equals, includes }: ErrorRule, actual: number, body: unknown): boolean {
  if (status !== undefined && status !== actual) return false
  if (path === undefined) return true
  const value = valueAt(body, path)
  if (includes !== undefined) return typeof value === 'string' && value.includes(includes)
  return equals === undefined ? value !== undefined && value !== null : value === equals
}
