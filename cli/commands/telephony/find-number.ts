import type { OutputOf } from '../../../contract/endpoint.ts'
import { phoneNumbers } from '../../../contract/telephony/phone-numbers.ts'
import { E164 } from '../../../contract/telephony/telephony-fields.ts'
import { type Connection, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'

export type PhoneNumber = OutputOf<typeof phoneNumbers.get>

/** Accepts `+49 (30) 123-456`. */
export function parseNumber(text: string): string {
  const number = text.replace(/[\s().-]/g, '')
  if (E164.safeParse(number).success) return number
  throw new Failure('usage', `${text} is not a phone number with its country code`, 'Example: +4930123456')
}

export async function listAll({ server, client }: Connection): Promise<PhoneNumber[]> {
  const items: PhoneNumber[] = []
  let cursor: string | undefined
  do {
    const page = await parseResponse(
      server,
      phoneNumbers.list,
      client.phoneNumbers.list({ limit: 100, cursor }),
    )
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

/** Accepts an id, the number itself, or a unique label. */
export async function findNumber(connection: Connection, ref: string): Promise<PhoneNumber> {
  const digits = ref.replace(/[\s().-]/g, '')
  const found = (await listAll(connection)).filter(
    ({ id, e164, label }) => id === ref || e164 === digits || label === ref,
  )
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Number ${ref} not found`,
      'Run `npx atrium telephony numbers` to list numbers.',
    )
  const numbers = found.map(({ e164 }) => e164).join(', ')
  throw new Failure(
    'usage',
    `${found.length} numbers have the label ${ref}: use the number`,
    `Numbers: ${numbers}`,
  )
}
