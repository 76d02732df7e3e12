const digitsOf = (text: string) => text.replace(/\D/g, '')
const compact = (text: string) => text.replace(/[\s.-]/g, '').toUpperCase()

/** 13 to 19 digits with a valid check digit (Luhn), of a network that exists. */
export function isCard(text: string): boolean {
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

/** The remainder modulo 97 is 1 after the first four characters move to the end (ISO 13616). */
export function isIban(text: string): boolean {
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
 * International numbers have 8 to 15 digits (E.164). Without a country code, a number has 9 to 11 digits, begins with a
 * trunk 0 or an area code, and has separators: a plain row of digits is more often an id.
 */
export function isPhone(text: string): boolean {
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
export const isSocialSecurity = (text: string) => !/^(000|666|9)|-00-|-0000$/.test(text)

/** Brazil: two check digits modulo 11. */
export function isCpf(text: string): boolean {
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
export function isDni(text: string): boolean {
  const id = compact(text)
  const number = id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === id.at(-1)
}

/** United Kingdom. These prefixes are not assigned. */
export const isNationalInsurance = (text: string) => !/^(BG|GB|KN|NK|NT|TN|ZZ)/.test(compact(text))

/** France: the key is 97 minus the rest modulo 97. */
export function isInsee(text: string): boolean {
  const digits = digitsOf(text)
  return 97n - (BigInt(digits.slice(0, 13)) % 97n) === BigInt(digits.slice(13))
}
