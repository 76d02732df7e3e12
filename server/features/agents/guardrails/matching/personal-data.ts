import type { PiiKind } from '../../../../../contract/agents/guardrail-options.ts'
import { type FindMatch, findEarliest } from './match.ts'

interface Shape {
  /** Every repetition is bounded, so that a search takes linear time. */
  pattern: RegExp
  isValid?: (text: string) => boolean
  /** May include words that follow. It ends with the last word that makes it valid. */
  dropsWords?: true
}

const SHAPES: Record<PiiKind, Shape[]> = {
  email: [
    {
      pattern:
        /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}-])/gu,
    },
  ],
  phone: [
    {
      pattern: /(?<![\p{L}\p{N}+])(?:\+|00|\(?0|\(?[2-9])\d?(?:[ ().\-/]{0,2}\d){6,14}(?!\p{N})/gu,
      isValid: isPhone,
    },
  ],
  card: [{ pattern: /(?<!\p{N})\d(?:[ -]?\d){12,18}(?!\p{N})/gu, isValid: isCard }],
  iban: [
    {
      pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/giu,
      isValid: isIban,
      dropsWords: true,
    },
  ],
  national_id: [
    { pattern: /(?<![\p{N}-])\d{3}-\d{2}-\d{4}(?![\p{N}-])/gu, isValid: isSocialSecurity },
    { pattern: /(?<![\p{L}\p{N}])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\p{L}\p{N}])/gu, isValid: isCpf },
    { pattern: /(?<![\p{L}\p{N}])[XYZ\d]\d{7}[ -]?[A-Z](?![\p{L}\p{N}])/giu, isValid: isDni },
    {
      pattern: /(?<![\p{L}\p{N}])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d{2}){3} ?[A-D](?![\p{L}\p{N}])/giu,
      isValid: isNationalInsurance,
    },
    {
      pattern: /(?<!\p{N})[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}(?!\p{N})/gu,
      isValid: isInsee,
    },
  ],
}

export const findPersonalData = (kinds: readonly PiiKind[]): FindMatch =>
  findEarliest(kinds.flatMap((kind) => SHAPES[kind].map((shape) => findShape(kind, shape))))

const findShape =
  (label: PiiKind, { pattern, isValid, dropsWords }: Shape): FindMatch =>
  (text, from) => {
    const regex = new RegExp(pattern)
    regex.lastIndex = from
    for (let found = regex.exec(text); found; found = regex.exec(text)) {
      const valid = dropsWords ? prefixesOf(found[0]).find(isValid!) : found[0]
      if (valid && (!isValid || isValid(valid)))
        return { start: found.index, end: found.index + valid.length, label }
      // A longer digit sequence may contain a later valid one.
      regex.lastIndex = found.index + 1
    }
    return null
  }

/** Drops one more word from the end each time. */
const prefixesOf = (text: string) => {
  const words = text.split(' ')
  return words.map((_, dropped) => words.slice(0, words.length - dropped).join(' '))
}

const digitsOf = (text: string) => text.replace(/\D/g, '')
const compact = (text: string) => text.replace(/[\s.-]/g, '').toUpperCase()

/** Luhn, and an existing network's prefix. */
function isCard(text: string): boolean {
  const digits = digitsOf(text)
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]|^1800|^2131/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const value = index % 2 === 0 ? digit : digit * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** ISO 13616. */
function isIban(text: string): boolean {
  const iban = compact(text)
  if (iban.length < 15 || iban.length > 34) return false
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  let remainder = 0
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97
  return remainder === 1
}

/**
 * International numbers have 8 to 15 digits (E.164). Others have 9 to 11, begin with a trunk 0 or an area code, and
 * have separators: plain digits are more often an id.
 */
function isPhone(text: string): boolean {
  const digits = digitsOf(text)
  if (/^\+|^00/.test(text)) {
    const significant = digits.replace(/^00/, '')
    return significant.length >= 8 && significant.length <= 15
  }
  if (!/\d[ ().\-/]+\d/.test(text) || isDate(text)) return false
  if (/^\(?0/.test(text)) return digits.length >= 9 && digits.length <= 12
  return digits.length === 10 && /^\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}$/.test(text)
}

const isDate = (text: string) => /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(text)

/** United States. The issuer never used these parts. */
function isSocialSecurity(text: string): boolean {
  return !/^(000|666|9)|-00-|-0000$/.test(text)
}

/** Brazil: two check digits modulo 11. */
function isCpf(text: string): boolean {
  const digits = digitsOf(text)
  if (digits.length !== 11 || /^(\d)\1+$/.test(digits)) return false
  const check = (length: number) => {
    let sum = 0
    for (let index = 0; index < length; index++) sum += Number(digits[index]) * (length + 1 - index)
    return String(((sum * 10) % 11) % 10)
  }
  return check(9) === digits[9] && check(10) === digits[10]
}

/** Spain: the letter is the number modulo 23. */
function isDni(text: string): boolean {
  const id = compact(text)
  const number = id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === id.at(-1)
}

/** United Kingdom. These prefixes aren't assigned. */
function isNationalInsurance(text: string): boolean {
  return !/^(BG|GB|KN|NK|NT|TN|ZZ)/.test(compact(text))
}

/** France: the key is 97 minus the rest modulo 97. */
function isInsee(text: string): boolean {
  const digits = digitsOf(text)
  return 97n - (BigInt(digits.slice(0, 13)) % 97n) === BigInt(digits.slice(13))
}
