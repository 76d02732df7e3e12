import type { ConnectorDefinition, ErrorRule } from '../definition/definition.ts'
import { textAt } from '../definition/payload.ts'
import { valueAt } from '../definition/template.ts'

/** A response of a provider. */
export interface ProviderAnswer {
  status: number
  headers: Record<string, string>
  /** Parsed JSON, or the text of another content type. */
  body: unknown
  bytes: Buffer
  /** The provider sent more than 1 MB, and the rest was not read. */
  truncated: boolean
}

/** A refusal or a fault of the provider. Only `expired` and `revoked` concern the credentials. */
export interface Failure {
  means: ErrorRule['means'] | 'unreachable'
  /** The provider's own code. */
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

/** Null if the answer is a success. Some providers answer errors with status 200, which their rules recognize. */
export function failureOf(definition: ConnectorDefinition, answer: ProviderAnswer): Failure | null {
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
