import { text } from 'node:stream/consumers'
import { canConfirm } from '../../confirm.ts'
import { Failure } from '../../failure.ts'
import { parseJson } from '../../parse-json.ts'
import { printMessage, sanitize } from '../../terminal.ts'
import type { Connector } from './connectors.ts'

type Field = NonNullable<Connector['credentialFields']>[number]

/**
 * Reads the credentials from stdin, or from a prompt that does not show them. Never from an argument, which other
 * programs can read.
 */
export async function readCredentials(
  fields: readonly Field[],
  { stdin }: { stdin?: boolean },
): Promise<Record<string, string>> {
  if (stdin) return parseCredentials(await text(process.stdin))
  if (!canConfirm())
    throw new Failure(
      'usage',
      'Without a terminal, --stdin is required',
      `Send JSON with ${fields.map(({ key }) => key).join(', ')}.`,
    )
  const { isCancel, password, text: ask } = await import('@clack/prompts')
  const credentials: Record<string, string> = {}
  for (const { key, label, secret, required, hint } of fields) {
    if (hint) printMessage(sanitize(hint))
    const message = sanitize(required ? label : `${label} (optional)`)
    const typed = await (secret ? password({ message, mask: '' }) : ask({ message }))
    if (isCancel(typed)) throw new Failure('interrupted', 'Canceled')
    if (typed) credentials[key] = typed
  }
  return credentials
}

function parseCredentials(json: string): Record<string, string> {
  const value = parseJson(json)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && Object.values(value).every((each) => typeof each === 'string'))
    return value as Record<string, string>
  throw new Failure('usage', 'Stdin is not a JSON object of strings', 'Example: {"apiKey":"…"}')
}
